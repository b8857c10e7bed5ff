# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: python3 record.py [DEVICE...] <TOPOLOGY
#
# Makes of a topology, which is JSON of hcactl topology, what hcactl-recorded has instead of the kernel, without what the
# page of hcactl serve does not need. All links are Active, but those of the DEVICEs are Down.

import json
import sys


def ports_of(node, links):
    first = 0 if node['type'] == 'switch' else 1
    for port in range(first, node['num_ports'] + 1):
        peer, state = links.get((node['name'], port), (None, 'Active' if port == 0 else 'Down'))
        yield {'port': port, 'state': state, 'physical_state': 'LinkUp' if state == 'Active' else 'Polling',
               'lid': 0, 'peer': peer, 'rate': '4xEDR'}


def main():
    topology, down = json.load(sys.stdin), sys.argv[1:]
    links, peers = [], {}
    for link in topology['links']:
        ends = [{'device': link[end]['node'], 'port': link[end]['port']} for end in 'ab']
        state = 'Down' if any(end['device'] in down for end in ends) else 'Active'
        links.append({'a': ends[0], 'b': ends[1], 'rate': link['rate']})
        for end, peer in zip(ends, reversed(ends)):
            peers[end['device'], end['port']] = peer, state
    devices = [{'name': node['name'], 'type': 'switch' if node['type'] == 'switch' else 'device', 'guid': node['guid'],
                'description': node['description'], 'ports': [*ports_of(node, peers)], 'objects': {}}
               for node in topology['nodes']]
    adapters = [device['name'] for device in devices if device['type'] == 'device']
    json.dump({'counters': {f'{name}/1': {'link_downed': int(name in down)} for name in adapters},
               'traffic': {}, 'devices': devices, 'links': links}, sys.stdout)


main()
