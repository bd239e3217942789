#!/usr/bin/env python3
"""Measures ATT on a socket pair against a floor without a stack, in one run on one core.

att.py [--n N] [--rounds K]

Builds what is missing, plays the load generator of Peers/ against the floor and against BenchATT by turns, and
prints the median processor time of an operation and its ratio to the floor. Absolute figures hold for one machine
only; the ratios are what counts.
"""

import argparse
import os
import statistics
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BUILD = os.path.join(ROOT, '.build-bench')
AIMS = {'read': 1.35, 'write': 1.35, 'c_read': 1.5, 'c_write': 1.5}


def build():
    environment = dict(os.environ, RAVNING_DEV='bench')
    swift = ['swift', 'build', '-c', 'release', '--scratch-path', BUILD, '--product', 'BenchATT']
    subprocess.run(swift, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    for name in ('peerdrv', 'floor_sut'):
        source = os.path.join(HERE, 'Peers', name + '.c')
        subprocess.run(['cc', '-O2', '-w', '-o', os.path.join(BUILD, name), source], check=True)
    return os.path.join(BUILD, 'release', 'BenchATT')


def measure(program, role, only, n, **more):
    """Processor time of an operation in microseconds, for each run: {metric: [times]}."""
    command = [os.path.join(BUILD, 'peerdrv'), '--bearer', 'att', '--role', role, '--n', str(n), '--runs', '3',
               '--only', only]
    for name, value in more.items():
        command += ['--' + name, str(value)]
    if os.path.exists('/usr/bin/taskset'):
        # Unpinned round trips have two speeds on a small machine.
        command = ['taskset', '-c', '0'] + command
    output = subprocess.run(command + ['--', program], capture_output=True, text=True, timeout=120).stdout
    times = {}
    for line in output.splitlines():
        if line.startswith('R,'):
            fields = line.split(',')
            times.setdefault(fields[1], []).append(float(fields[5]) / float(fields[2]) * 1e6)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--n', type=int, default=20000)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    ours = build()
    floor = os.path.join(BUILD, 'floor_sut')
    figures = {}
    for _ in range(options.rounds):
        for name, program in (('floor', floor), ('ours', ours)):
            for metric, times in measure(program, 'client', 'read,write,wcmd,notify', options.n).items():
                figures.setdefault((name, metric), []).extend(times)
        os.environ['BENCH_STORED'] = '1'
        for metric, times in measure(ours, 'client', 'read,write', options.n).items():
            figures.setdefault(('ours', metric + ', stored'), []).extend(times)
        del os.environ['BENCH_STORED']
        for metric, times in measure(ours, 'server', 'read,write,wcmd,notify', options.n).items():
            figures.setdefault(('ours', metric), []).extend(times)
    medians = {key: statistics.median(times) for key, times in figures.items()}
    print(f'{"operation":24}{"floor us":>10}{"ours us":>10}{"ratio":>8}{"aim":>8}')
    for (name, metric), time in sorted(medians.items()):
        if name != 'ours' or metric.startswith('c_discover'):
            continue
        base = metric.split(',')[0].removeprefix('c_')
        reference = medians.get(('floor', base))
        ratio = f'{time / reference:.2f}' if reference else ''
        print(f'{metric:24}{reference or 0:10.3f}{time:10.3f}{ratio:>8}{AIMS.get(metric, ""):>8}')
    for characteristics in (10, 100, 1000):
        served = measure(ours, 'client', 'disc', 100, chars=characteristics)
        found = measure(ours, 'server', 'disc', 100, chars=characteristics)
        each = statistics.median(next(iter(served.values())))
        whole = min(time for metric, times in found.items() if 'discover' in metric for time in times)
        print(f'discovery of {characteristics}: {each:.2f} us a request served, {whole / 1000:.2f} ms as client')


if __name__ == '__main__':
    main()
