#!/usr/bin/env python3
"""Measures a whole host over HCI on a socket pair against a floor without a stack, in one run on one core.

hci.py [--n N] [--rounds K]

Builds what is missing, plays the load generator of Peers/ against the floor and against BenchHCI by turns, and prints
the median processor time of an operation and its ratio to the floor. Absolute figures hold for one machine only; the
ratios are what counts. Operations without a floor, such as connecting, have their time only.
"""

import argparse
import os
import statistics
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BUILD = os.path.join(ROOT, '.build-bench')


def build():
    environment = dict(os.environ, RAVNING_DEV='bench')
    swift = ['swift', 'build', '-c', 'release', '--scratch-path', BUILD, '--product', 'BenchHCI']
    subprocess.run(swift, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    for name in ('peerdrv', 'floor_hci'):
        source = os.path.join(HERE, 'Peers', name + '.c')
        subprocess.run(['cc', '-O2', '-w', '-o', os.path.join(BUILD, name), source], check=True)
    return os.path.join(BUILD, 'release', 'BenchHCI')


def measure(program, role, only, n, **environment):
    """Processor time of an operation in microseconds, for each run: {metric: [times]}."""
    command = [os.path.join(BUILD, 'peerdrv'), '--bearer', 'hci', '--sock', 'pair', '--role', role, '--n', str(n),
               '--runs', '3']
    if only:
        command += ['--only', only]
    if os.path.exists('/usr/bin/taskset'):
        # Unpinned round trips have two speeds on a small machine.
        command = ['taskset', '-c', '0'] + command
    output = subprocess.run(command + ['--', program], capture_output=True, text=True, timeout=120,
                            env=dict(os.environ, **environment)).stdout
    times = {}
    for line in output.splitlines():
        if line.startswith('R,'):
            fields = line.split(',')
            times.setdefault(fields[1], []).append(float(fields[5]) / float(fields[2]) * 1e6)
        elif line.startswith('# startup'):
            times.setdefault('start to first answer', []).append(float(line.split()[2]) * 1e6)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--n', type=int, default=20000)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    ours = build()
    floor = os.path.join(BUILD, 'floor_hci')
    figures = {}

    def add(name, suffix, times):
        for metric, values in times.items():
            figures.setdefault((name, metric + suffix), []).extend(values)

    for _ in range(options.rounds):
        add('floor', '', measure(floor, 'client', 'read,write,wcmd,notify', options.n))
        add('ours', '', measure(ours, 'client', 'read,write,wcmd,notify,connect', options.n))
        add('ours', ', stored', measure(ours, 'client', 'read,write', options.n, BENCH_STORED='1'))
        add('ours', '', measure(ours, 'server', 'read,write,wcmd,notify,connect', options.n))
        add('ours', '', measure(ours, 'scan', None, options.n * 3))
    medians = {key: statistics.median(times) for key, times in figures.items()}
    print(f'{"operation":28}{"floor us":>10}{"ours us":>10}{"ratio":>8}')
    for (name, metric), time in sorted(medians.items()):
        if name != 'ours' or metric.startswith('c_discover') or metric == 'adv_legacy':
            continue
        reference = medians.get(('floor', metric.split(',')[0].removeprefix('c_')))
        ratio = f'{time / reference:.2f}' if reference else ''
        print(f'{metric:28}{f"{reference:.3f}" if reference else "":>10}{time:10.3f}{ratio:>8}')


if __name__ == '__main__':
    main()
