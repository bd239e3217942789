#!/usr/bin/env python3
"""Runs every benchmark, prints its table, and keeps the figures in .build-bench/results.json.

run.py [--compare]

With --compare also the change of each figure since the run before. Ratios are to a floor in the same run; absolute
figures hold for one machine only.
"""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BUILD = os.path.join(ROOT, '.build-bench')
RESULTS = os.path.join(BUILD, 'results.json')


def lines_of(title, command):
    print(f'\n== {title}', flush=True)
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        print(line, end='', flush=True)
        yield line.rstrip('\n')
    if process.wait() != 0:
        sys.exit(f'{title}: exit code {process.returncode}')


def figures_of(title, command):
    """The figure of each line that has one: {name: value}; of a table the ratio, else our time."""
    figures = {}
    for line in lines_of(title, command):
        if line.startswith('{'):
            record = json.loads(line)
            figures[f'{title}: {record["metric"]}'] = record['value']
            continue
        numbers = re.findall(r'(?<=\s)\d+(?:\.\d+)?(?=\s|$)', line[24:])
        if numbers and not line.startswith('operation'):
            figures[f'{title}: {line[:28].strip()}'] = float(numbers[-1])
    return figures


def swift_program(name):
    environment = dict(os.environ, RAVNING_DEV='bench')
    build = ['swift', 'build', '-c', 'release', '--scratch-path', BUILD, '--product', name]
    subprocess.run(build, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    return [os.path.join(BUILD, 'release', name)]


def main():
    before = json.load(open(RESULTS)) if os.path.exists(RESULTS) else {}
    figures = {}
    figures |= figures_of('ATT on a socket pair', [sys.executable, os.path.join(HERE, 'att.py')])
    figures |= figures_of('HCI on a socket pair', [sys.executable, os.path.join(HERE, 'hci.py')])
    figures |= figures_of('Core Bluetooth over HCI on TCP', [sys.executable, os.path.join(HERE, 'api.py')])
    figures |= figures_of('radio without hosts', swift_program('BenchRadio'))
    if os.path.isdir(os.path.join(HERE, 'BenchWorld')):
        figures |= figures_of('virtual time', swift_program('BenchWorld'))
    with open(RESULTS, 'w') as file:
        json.dump(figures, file, indent=1)
    if '--compare' in sys.argv:
        print('\n== since the run before')
        for name, value in figures.items():
            if name in before:
                change = (value / before[name] - 1) * 100 if before[name] else 0.0
                print(f'{name:72}{before[name]:12.3f}{value:12.3f}{change:+8.1f} %')
            else:
                print(f'{name:72}{"":>12}{value:12.3f}     new')


if __name__ == '__main__':
    main()
