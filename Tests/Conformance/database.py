"""A small database with gaps, in both forms of the driver protocol."""

LONG = '0000b009-0000-0000-0123-456789abcdef'
LONG_OCTETS = 'efcdab8967452301000000000 9b00000'.replace(' ', '')


def row(handle, type, value='', permissions=('read',), group_end=None, properties=None):
    entry = {'handle': handle, 'type': type, 'value': value, 'permissions': list(permissions), 'group_end': group_end}
    if properties is not None:
        entry['properties'] = properties
    return entry


ATTRIBUTES = [
    row(0x0001, '2801', '0a18', group_end=0x0010),
    row(0x0002, '2803', 'b20300292a', group_end=0x0006),
    row(0x0003, '2a29', '426c75655a', ('read', 'write'), properties=0xb2),
    row(0x0004, '2902', '0000', ('read', 'write')),
    row(0x0005, '2901', '4e616d65'),
    row(0x0006, '2900', '0100'),
    row(0xf010, '2800', '0018', group_end=0xf018),
    row(0xf011, '2802', '010010000a18'),
    row(0xf012, '2803', '0213f0002a', group_end=0xf013),
    row(0xf013, '2a00', '44657669636520 6e616d65'.replace(' ', '')),
    row(0xf014, '2803', '8a15f0' + LONG_OCTETS, group_end=0xf016),
    row(0xf015, LONG, '09', ('read', 'write'), properties=0x8a),
    row(0xf016, '2900', '0100'),
    row(0xf017, '2803', '0218f0012a', group_end=0xf018),
    row(0xf018, '2a01', '0000', ('read', 'read-encrypted'), properties=0x02),
    row(0xffff, '2800', '0a18', group_end=0xffff),
]

SERVICES = [
    {
        'start': 0x0001, 'end': 0x0010, 'uuid': '180a', 'primary': False, 'includes': [],
        'characteristics': [{
            'declaration': 2, 'handle': 3, 'uuid': '2a29', 'properties': 0xb2, 'permissions': ['read', 'write'],
            'value': '426c75655a', 'descriptors': [
                {'handle': 4, 'uuid': '2902', 'permissions': ['read', 'write'], 'value': '0000'},
                {'handle': 5, 'uuid': '2901', 'permissions': ['read'], 'value': '4e616d65'},
            ],
        }],
    },
    {
        'start': 0xf010, 'end': 0xf013, 'uuid': '1800', 'primary': True,
        'includes': [{'handle': 0xf011, 'start': 1, 'end': 0x10, 'uuid': '180a'}],
        'characteristics': [{
            'declaration': 0xf012, 'handle': 0xf013, 'uuid': '2a00', 'properties': 2, 'permissions': ['read'],
            'value': '4e', 'descriptors': [],
        }],
    },
]
