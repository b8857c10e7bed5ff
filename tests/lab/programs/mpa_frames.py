# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: python3 mpa_frames.py INTERFACE
#
# Prints each start-up frame of MPA (RFC 5044, RFC 6581) that passes the interface, by IPv4 or IPv6: `request` or `reply`, its
# revision, and the names of the flags that it has. A frame is in one segment, as all senders that are watched here have it.

import socket
import struct
import sys

KINDS = {b'MPA ID Req Frame': 'request', b'MPA ID Rep Frame': 'reply'}
FLAGS = ((0x80, 'markers'), (0x40, 'crc'), (0x20, 'rejected'), (0x10, 'enhanced'))
PEER_TO_PEER = 0x8000  # of the depth of incoming reads
FIRST_MESSAGES = ((0x4000, 'send', 0), (0x8000, 'write', 1), (0x4000, 'read', 1))


def tcp_payload(packet):
    if packet[0] >> 4 == 6:
        segment = packet[40:]
    else:
        segment = packet[(packet[0] & 15) * 4:]
    return segment[(segment[12] >> 4) * 4:] if len(segment) >= 20 else b''


def describe(frame):
    flags, revision, private = struct.unpack_from('>BBH', frame, 16)
    words = [KINDS[frame[:16]], str(revision)] + [name for bit, name in FLAGS if flags & bit]
    if 'enhanced' in words and private >= 4:
        depths = struct.unpack_from('>HH', frame, 20)
        words += ['p2p'] if depths[0] & PEER_TO_PEER else []
        words += [name for bit, name, which in FIRST_MESSAGES if depths[which] & bit]
    return ' '.join(words)


def main():
    watcher = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
    watcher.bind((sys.argv[1], 3))
    print('watching', flush=True)
    while True:
        frame = tcp_payload(watcher.recv(65536))
        if frame[:16] in KINDS:
            print(describe(frame), flush=True)


main()
