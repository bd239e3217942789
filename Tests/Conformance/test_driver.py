#!/usr/bin/env python3
"""Drives the conformance driver through sessions of both roles and checks what it says, octet by octet.

test_driver.py PROGRAM
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from database import ATTRIBUTES, LONG_OCTETS, SERVICES
from driver import Driver

PROGRAM = None


class Case(unittest.TestCase):
    def setUp(self):
        self.driver = Driver(PROGRAM)

    def tearDown(self):
        self.assertEqual(self.driver.close(), 0)

    def play(self, *lines):
        """`< ` a PDU of the peer; `> ` what the driver has to send for what came so far; `>` nothing."""
        for line in lines:
            text = line[1:].strip().lower()
            if line.startswith('<'):
                self.driver.pdu(text)
            else:
                self.assertEqual(self.driver.settled(), [text] if text else [], line)


class Server(Case):
    def open(self, database=None, **more):
        answer = self.driver.ask(op='open', role='server', mtu=512, database=database or {'attributes': ATTRIBUTES}, **more)
        self.assertEqual(answer, {'event': 'opened'})

    def test_mtu_exchange(self):
        self.open()
        self.play('< 02 17 00', '> 03 00 02', '< 02 00 02', '> 03 00 02')

    def test_discovery_keeps_the_handles(self):
        self.open()
        self.play(
            '< 10 01 00 ff ff 00 28', '> 11 06 10 f0 18 f0 00 18 ff ff ff ff 0a 18',
            '< 10 01 00 ff ff 01 28', '> 11 06 01 00 10 00 0a 18',
            '< 06 01 00 ff ff 00 28 00 18', '> 07 10 f0 18 f0',
            '< 08 01 00 ff ff 02 28', '> 09 08 11 f0 01 00 10 00 0a 18',
            '< 08 10 f0 18 f0 03 28', '> 09 07 12 f0 02 13 f0 00 2a',
            '< 08 13 f0 18 f0 03 28', '> 09 15 14 f0 8a 15 f0 ' + bytes.fromhex(LONG_OCTETS).hex(' '),
            '< 04 04 00 06 00', '> 05 01 04 00 02 29 05 00 01 29 06 00 00 29',
            '< 04 07 00 0f 00', '> 01 04 07 00 0a')

    def test_reads_and_writes(self):
        self.open()
        self.play(
            '< 0a 03 00', '> 0b 42 6c 75 65 5a', '< 0a 00 00', '> 01 0a 00 00 01', '< 0a f0 0f', '> 01 0a f0 0f 01',
            '< 12 13 f0 01', '> 01 12 13 f0 03', '< 12 03 00 01 02 03', '> 13', '< 0c 03 00 01 00', '> 0d 02 03',
            '< 52 03 00 09', '>', '< 0a 03 00', '> 0b 09', '< 0e 15 f0 03 00', '> 0f 09 09')

    def test_security(self):
        self.open()
        self.play('< 0a 18 f0', '> 01 0a 18 f0 05')
        self.open(link_encrypted=True)
        self.play('< 0a 18 f0', '> 0b 00 00')

    def test_prepared_writes(self):
        self.open()
        self.play(
            '< 16 03 00 00 00 01 02 03', '> 17 03 00 00 00 01 02 03', '< 18 00', '> 19', '< 0a 03 00',
            '> 0b 42 6c 75 65 5a', '< 16 03 00 00 00 01', '> 17 03 00 00 00 01', '< 16 15 f0 00 00 02',
            '> 17 15 f0 00 00 02', '< 18 01', '> 19', '< 0a 15 f0', '> 0b 02', '< 18 02', '> 01 18 00 00 04')

    def test_notify_and_indicate(self):
        self.open()
        self.play('< 12 04 00 01 00', '> 13', '< 0a 04 00', '> 0b 01 00')
        self.driver.message(op='do', action='notify', handle=3, value='010203')
        self.play('> 1b 03 00 01 02 03')
        self.driver.message(op='do', action='indicate', handle=3, value='01')
        self.play('> 1d 03 00 01')
        self.driver.message(op='do', action='indicate', handle=3, value='02')
        self.play('>', '< 1e', '> 1d 03 00 02', '< 1e', '>')

    def test_unknown(self):
        self.open()
        self.play('< bf 00', '> 01 bf 00 00 06', '< ff 00', '>', '< 0b 01', '>')

    def test_a_session_starts_afresh(self):
        self.open()
        self.play('< 12 03 00 01', '> 13', '< 02 00 02', '> 03 00 02')
        self.assertEqual(self.driver.ask(op='close'), {'event': 'closed'})
        self.open()
        self.play('< 0a 03 00', '> 0b 42 6c 75 65 5a')

    def test_services_as_a_tree(self):
        self.open({'services': SERVICES})
        self.play(
            '< 10 01 00 ff ff 00 28', '> 11 06 10 f0 13 f0 00 18', '< 0a 03 00', '> 0b 42 6c 75 65 5a',
            '< 08 01 00 ff ff 02 28', '> 09 08 11 f0 01 00 10 00 0a 18', '< 04 04 00 05 00',
            '> 05 01 04 00 02 29 05 00 01 29')


class Client(Case):
    def open(self, known=True, mtu=512, **more):
        members = {'att_mtu': mtu, 'database': {'attributes': ATTRIBUTES}} if known else None
        answer = self.driver.ask(op='open', role='client', mtu=mtu, known=members, **more)
        self.assertEqual(answer, {'event': 'opened'})

    def do(self, action, *lines, result, **members):
        self.driver.message(op='do', action=action, **members)
        self.play(*lines[:-1])
        if lines:
            self.driver.pdu(lines[-1][1:])
        frames = self.driver.settled()
        self.assertEqual(len(frames), 1, frames)
        self.assertEqual(frames[0], {**frames[0], 'event': 'result', **result})

    def test_read(self):
        self.open()
        self.do('read', '> 0a 03 00', '< 0b 01 02 03', handle=3, result={'att_error': 0, 'value': '010203'})
        self.do('read', '> 0a 00 00', '< 01 0a 00 00 01', handle=0, result={'att_error': 1})
        self.do('read', '> 0a 03 00', '< 01 0a 03 00 05', handle=3, result={'att_error': 5})

    def test_security_elevation(self):
        self.open(needs=['security-elevation'])
        self.do(
            'read', '> 0a 03 00', '< 01 0a 03 00 05', '> 0a 03 00', '< 0b 01', handle=3,
            result={'att_error': 0, 'value': '01'})

    def test_long_read(self):
        self.open()
        full = ' ff' * 511
        self.do(
            'read_long', '> 0a 03 00', '< 0b' + full, '> 0c 03 00 ff 01', '< 0d fe', handle=3,
            result={'att_error': 0, 'value': 'ff' * 511 + 'fe'})

    def test_discovery(self):
        self.open()
        self.do(
            'discover_primary', '> 10 01 00 ff ff 00 28', '< 11 06 10 00 13 00 00 18', '> 10 14 00 ff ff 00 28',
            '< 01 10 14 00 0a', result={'att_error': 0})
        self.do(
            'discover_primary', '> 06 01 00 ff ff 00 28 00 18', '< 07 01 00 ff ff', uuid='1800',
            result={'att_error': 0})
        self.do(
            'discover_included', '> 08 01 00 ff ff 02 28', '< 01 08 01 00 0a', start=1, end=0xffff,
            result={'att_error': 0})
        self.do(
            'discover_characteristics', '> 08 10 00 20 00 03 28', '< 01 08 10 00 0a', start=0x10, end=0x20,
            result={'att_error': 0})
        self.do(
            'discover_descriptors', '> 04 13 00 14 00', '< 05 01 13 00 02 29 14 00 03 29', start=0x13, end=0x14,
            result={'att_error': 0})
        self.do(
            'read_by_uuid', '> 08 01 00 ff ff 0d 2a', '< 09 05 0a 00 01 02 03', '> 08 0b 00 ff ff 0d 2a',
            '< 01 08 0b 00 0a', start=1, end=0xffff, uuid='2a0d', result={'att_error': 10, 'values': ['010203']})

    def test_full_discovery(self):
        self.open(known=False)
        self.do(
            'discover_all', '> 02 00 02', '< 03 00 02', '> 08 01 00 ff ff 3a 2b', '< 01 08 01 00 0a',
            '> 10 01 00 ff ff 00 28', '< 11 06 01 00 04 00 01 18', '> 10 05 00 ff ff 00 28', '< 01 10 05 00 0a',
            '> 10 01 00 ff ff 01 28', '< 01 10 01 00 0a', '> 08 01 00 04 00 02 28', '< 01 08 01 00 0a',
            '> 08 01 00 04 00 03 28', '< 09 07 02 00 02 03 00 00 2a', '> 08 03 00 04 00 03 28', '< 01 08 03 00 0a',
            '> 04 04 00 04 00', '< 05 01 04 00 00 29', '> 0a 04 00', '< 0b 01 00', result={'att_error': 0})

    def test_writes(self):
        self.open()
        self.do('write', '> 12 07 00 01', '< 13', handle=7, value='01', result={'att_error': 0})
        self.do(
            'write_long', '> 16 07 00 00 00 01', '< 01 16 07 00 03', '> 18 00', '< 19', handle=7, value='01',
            result={'att_error': 3})
        self.do(
            'write_reliable', '> 16 07 00 00 00 01', '< 17 07 00 00 00 01', '> 18 01', '< 19', handle=7, value='01',
            result={'att_error': 0})
        self.driver.message(op='do', action='write_command', handle=7, value='010203')
        self.assertEqual(self.driver.settled(), ['52 07 00 01 02 03', {'event': 'result', 'att_error': 0}])

    def test_signed_writes(self):
        self.open()
        csrk = 'd8515948451fea320dc05a2e88308188'
        self.driver.message(op='do', action='signed_write', handle=7, value='010203', csrk=csrk)
        self.assertEqual(
            self.driver.settled()[0], 'd2 07 00 01 02 03 00 00 00 00 31 1f 0a cd 1c 3a 5b 0a')
        self.driver.message(op='do', action='signed_write', handle=7, value='010203', csrk=csrk, link_encrypted=True)
        self.assertEqual(self.driver.settled()[0], '52 07 00 01 02 03')

    def test_subscribe(self):
        self.open()
        self.do(
            'subscribe', '> 12 04 00 01 00', '< 13', '>', '< 1b 03 00 01 02 03', handle=3,
            result={'att_error': 0, 'value': '010203'})
        self.do('subscribe', '> 12 04 00 01 00', '< 01 12 04 00 05', handle=3, result={'att_error': 5})

    def test_read_multiple(self):
        self.open()
        self.do(
            'read_multiple', '> 0e 03 00 07 00', '< 0f 01 02 03', handles=[3, 7],
            result={'att_error': 0, 'value': '010203'})

    def test_exchange_mtu(self):
        self.open(known=False)
        self.do('exchange_mtu', '> 02 00 02', '< 03 b9 00', result={'att_error': 0})

    def test_an_indication_is_confirmed(self):
        self.open()
        self.play('< 1d 03 00 01', '> 1e')


class Parsing(Case):
    def test_advertising_data(self):
        answer = self.driver.ask(op='parse_ad', data='020106' + '03030d18' + '0509416263 64'.replace(' ', '') + '020af4')
        self.assertEqual(answer, {
            'event': 'parse_ad', 'flags': 6, 'local_name': 'Abcd', 'name_complete': True, 'tx_power': -12,
            'uuids': ['180d']})
        answer = self.driver.ask(op='parse_ad', data='')
        self.assertEqual(answer, {
            'event': 'parse_ad', 'flags': None, 'local_name': None, 'name_complete': False, 'tx_power': None,
            'uuids': []})

    def test_uuids(self):
        answer = self.driver.ask(op='uuid', text='180D')
        self.assertEqual(answer, {'event': 'uuid', 'uuid128': '0000180d-0000-1000-8000-00805f9b34fb'})
        self.assertIn('error', self.driver.ask(op='uuid', text='180'))

    def test_crypto(self):
        vectors = [
            ({'op': 'h6', 'w': 'ec0234a357c8ad05341010a60a397d9b', 'key_id': '6c656272'},
             {'result': '2d9ae102e76dc91ce8d3a9e280b16399'}),
            ({'op': 'att-sign', 'key': '505e42df9691ec72d31fcdfbeb641b61', 'message': 'd212001337', 'counter': 1},
             {'result': '01000000f1871e933c900ff2'}),
            ({'op': 'att-verify', 'key': '505e42df9691ec72d31fcdfbeb641b61', 'message': 'd212001337',
              'signature': '01000000f1871e933c900ff2'}, {'valid': True}),
            ({'op': 'att-verify', 'key': '505e42df9691ec72d31fcdfbeb641b61',
              'message': 'd21200133701000000f1871e933c900ff3'}, {'valid': False}),
            ({'op': 'p256-reject', 'x': '00' * 32, 'y': '00' * 32}, {'valid': False}),
        ]
        for case, expected in vectors:
            answer = self.driver.ask(op='crypto', case=case)
            self.assertEqual(answer, {'event': 'crypto', **expected}, case)

    def test_what_isnt_known_is_unsupported(self):
        self.assertEqual(self.driver.ask(op='fly')['event'], 'unsupported')
        self.assertEqual(self.driver.ask(op='open', role='observer')['event'], 'unsupported')
        self.assertEqual(self.driver.ask(op='crypto', case={'op': 'h9'})['event'], 'unsupported')


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
