#!/usr/bin/env python3
"""Measures the whole way through the Core Bluetooth API over HCI on TCP, beside the floor without a stack.

api.py [--n N] [--rounds K]

BenchAPI is an ordinary program with its delegate on a queue of its own: reads one after another, `didDiscover` for each
of many advertising reports, and what a call and a property cost by themselves. Times are wall times of both sides on one core, since a queue's work is spread over
threads; the floor plays the same part over a socket pair.
"""

import argparse
import os
import statistics
import subprocess

import hci


def wall(program, role, only, n, sock, metrics=('c_read', 'read', 'scan')):
    """Wall time of an operation in microseconds, for each run."""
    command = [os.path.join(hci.BUILD, 'peerdrv'), '--bearer', 'hci', '--sock', sock, '--role', role, '--n', str(n),
               '--runs', '3']
    if only:
        command += ['--only', only]
    if os.path.exists('/usr/bin/taskset'):
        command = ['taskset', '-c', '0'] + command
    output = subprocess.run(command + ['--', program], capture_output=True, text=True, timeout=120).stdout
    return [float(fields[4]) / float(fields[2]) * 1e6
            for fields in (line.split(',') for line in output.splitlines() if line.startswith('R,'))
            if fields[1] in metrics]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--n', type=int, default=10000)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    hci.build()
    environment = dict(os.environ, RAVNING_DEV='bench')
    swift = ['swift', 'build', '-c', 'release', '--scratch-path', hci.BUILD, '--product', 'BenchAPI']
    subprocess.run(swift, cwd=hci.ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    ours = os.path.join(hci.BUILD, 'release', 'BenchAPI')
    floor = os.path.join(hci.BUILD, 'floor_hci')
    reads, scans, floor_reads = [], [], []
    calls, properties, hops = [], [], []
    for _ in range(options.rounds):
        floor_reads += wall(floor, 'client', 'read', options.n, 'pair')
        reads += wall(ours, 'server', 'read', options.n, 'tcp')
        scans += wall(ours, 'scan', None, options.n * 5, 'tcp')
        for metric, figures in (('call', calls), ('property', properties), ('hop', hops)):
            figures += wall(ours, 'server', 'read', options.n, 'tcp', (metric,))
    print(f'{"operation":28}{"floor us":>10}{"ours us":>10}{"ratio":>8}')
    floor_read = statistics.median(floor_reads)
    read = statistics.median(reads)
    print(f'{"readValue through the API":28}{floor_read:10.3f}{read:10.3f}{read / floor_read:8.2f}')
    # The floor of a callback and of a call is a block on an empty dispatch queue.
    hop = statistics.median(hops)
    for name, figures in (('didDiscover', scans), ('a call: readValue', calls), ('a property: state', properties)):
        figure = statistics.median(figures)
        print(f'{name:28}{hop:10.3f}{figure:10.3f}{figure / hop:8.2f}')


if __name__ == '__main__':
    main()
