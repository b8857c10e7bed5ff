#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: tests/sdpmap/datagrams.py CASE PORT [ARGUMENT...]
#
# Datagrams of SDP's port mapper protocol, made here by themselves: to a port mapper at 127.0.0.1, and between it and its client.
# A case fails with a message, or prints nothing, unless it says otherwise.

import random
import select
import signal
import socket
import struct
import sys
import time

REQ, ACCEPT, ACK, DENY = range(4)
HANDLE = 0x8182838485868788
HOST = '127.0.0.1'


def packed(mt, handle=HANDLE, ap_port=80, cp_port=40000, ap=HOST, cp=HOST, ver=0, pm_time=0):
    ipv, family = (6, socket.AF_INET6) if ':' in ap else (4, socket.AF_INET)
    addresses = (socket.inet_pton(family, cp), socket.inet_pton(family, ap))
    return struct.pack('>BBHHHQ16s16s', ver << 6 | mt << 4 | ipv, pm_time, 0, ap_port, cp_port, handle, *addresses)


def udp(port=0, host=HOST):
    sock = socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET, socket.SOCK_DGRAM)
    if port:
        sock.connect((host, port))
    else:
        sock.bind((host, 0))
    sock.settimeout(10)
    return sock


def same(found, wanted):
    if found != wanted:
        sys.exit(f'{found!r} instead of {wanted!r}, in line {sys._getframe(1).f_lineno}')


def silent(sock, seconds=0.3):
    """Nothing is received for a while."""
    if select.select([sock], [], [], seconds)[0]:
        sys.exit(f'an answer: {sock.recv(2000).hex()}')


def ask(sock, *args, **kwargs):
    sock.send(packed(REQ, *args, **kwargs))
    return sock.recv(2000)


def octets(port, accepted, denied):
    """S2-111, S2-114, S2-126: answers, each octet of them; again to whoever asks again; S2-127: PMAck has none."""
    for host in HOST, '::1':
        sock = udp(port, host)
        for _ in range(2):
            same(ask(sock, ap_port=accepted, ap=host, cp=host, pm_time=9), packed(ACCEPT, ap_port=accepted, ap=host, cp=host, pm_time=7))
        same(ask(sock, ap_port=denied, ap=host, cp=host, pm_time=9), packed(DENY, ap_port=denied, ap=host, cp=host))
        sock.send(packed(ACK, ap_port=accepted, ap=host, cp=host))
        sock.send(packed(ACK, ap_port=accepted, ap=host, cp=host))
        silent(sock)


def garbage(port, accepted):
    """Datagrams of all lengths, versions and types that are no request have no answer; then a request has one."""
    sock, rng = udp(port), random.Random(1)
    for size in [*range(48), *range(49, 200), 1472, 9000, 65507]:
        for start in packed(REQ, ap_port=accepted), bytes(48):
            sock.send((start + rng.randbytes(65507))[:size])
    for first in range(256):
        if first not in (4, 6):
            sock.send(bytes([first]) + packed(REQ, ap_port=accepted)[1:])
    silent(sock)
    same(ask(sock, ap_port=accepted), packed(ACCEPT, ap_port=accepted, pm_time=7))


def destination(port, accepted):
    """The answer comes from the address that was asked, though others are closer."""
    for host in '127.0.0.2', '127.200.100.50':
        same(len(ask(udp(port, host), ap_port=accepted)), 48)


def quenched(port, accepted, most):
    """S2-303, S2-304: a client with so many open transactions has no more answers until one ends."""
    sock = udp(port)
    for number in range(most):
        same(ask(sock, number, accepted, 1000 + number)[0] >> 4, ACCEPT)
    sock.send(packed(REQ, 99, accepted, 999))
    silent(sock)
    sock.send(packed(ACK, 0, accepted, 1000))
    same(ask(sock, 99, accepted, 999)[0] >> 4, ACCEPT)


def flood(port, accepted, count):
    """S2-T45: so many requests, each another one, and still one that is answered."""
    sock = udp(port)
    sock.setblocking(False)
    for number in range(count):
        try:
            sock.send(packed(REQ, number, accepted, number & 0xffff, cp=f'10.{number >> 16}.1.1'))
            sock.recv(2000)
        except BlockingIOError:
            pass
    for _ in range(50):
        late = udp(port)
        late.settimeout(0.2)
        try:
            same(ask(late, ap_port=accepted + 1)[0] >> 4, DENY)
            return
        except TimeoutError:
            pass
    sys.exit('no answer behind the flood')


def on_term(*_):
    sys.exit(0)


def relay(port, lost, copies):
    """Prints its port, then a line for each message: forwards them, but for the first replies, and replies several times."""
    client_side, server_side = udp(), udp(port)
    print(client_side.getsockname()[1], flush=True)
    client = None
    while True:
        for sock in select.select([client_side, server_side], [], [])[0]:
            octets_, source = sock.recvfrom(2000)
            name = ['PMReq', 'PMAccept', 'PMAck', 'PMDeny'][octets_[0] >> 4 & 3]
            if sock is client_side:
                client = source
                server_side.send(octets_)
            elif lost:
                lost, name = lost - 1, name + ' lost'
            else:
                for _ in range(copies):
                    client_side.sendto(octets_, client)
            print(name, octets_.hex(), flush=True)


def void(_):
    """Prints its port, then each datagram: nobody answers."""
    sock = udp()
    sock.settimeout(None)
    print(sock.getsockname()[1], flush=True)
    while True:
        print(sock.recv(2000).hex(), flush=True)


def liar(_):
    """Prints its port. Answers what others would have: other AssocHandle, CpPort, CpIPAddr, type, version; then PMAccept twice."""
    sock = udp()
    sock.settimeout(None)
    print(sock.getsockname()[1], flush=True)
    request, client = sock.recvfrom(2000)
    handle, = struct.unpack_from('>Q', request, 8)
    ap_port, cp_port = struct.unpack_from('>HH', request, 4)
    right = {'handle': handle, 'ap_port': ap_port, 'cp_port': cp_port}
    for wrong in ({'handle': handle ^ 1}, {'cp_port': cp_port ^ 1}, {'cp': '127.0.0.2'}, {'ver': 1}, {'ap_port': 0}):
        sock.sendto(packed(ACCEPT, **{**right, **wrong}), client)
    sock.sendto(packed(REQ, **right), client)
    sock.sendto(packed(ACK, **right), client)
    sock.sendto(packed(DENY, **right)[:47], client)
    time.sleep(0.1)
    sock.sendto(packed(ACCEPT, **{**right, 'ap_port': 1234, 'ap': '127.0.0.9', 'pm_time': 129}), client)
    sock.sendto(packed(DENY, **right), client)
    print(sock.recv(2000).hex(), flush=True)


def deny(port, denied):
    """S2-T46: whoever has this port denies, by 48 octets with what was asked."""
    same(ask(udp(port), ap_port=denied), packed(DENY, ap_port=denied))


signal.signal(signal.SIGTERM, on_term)
globals()[sys.argv[1]](*map(int, sys.argv[2:]))
