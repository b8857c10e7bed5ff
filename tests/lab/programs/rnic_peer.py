#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: rnic_peer.py connect HOST PORT [OPTION...] [CASE...]   as initiator, to a listener that accepts each connection
#        rnic_peer.py listen PORT [OPTION...] [CASE...]         as responder; each case waits for an initiator
#        rnic_peer.py hostile HOST PORT                         many connections, most of them wrong, to a listener of rnic_end
#        rnic_peer.py live-connect HOST PORT | live-listen PORT a connection that speaks text first, to rnic_live
#        rnic_peer.py serve PORT                                a model of a listener, for connect
#        rnic_peer.py --self-test | --list
#
# A peer of iWARP that is TCP, sockets and octets alone: MPA, DDP and RDMAP as RFC 5040, 5041, 5044 and 6581 have them, and
# without any RDMA device. Each CASE is a connection: start-up, FPDUs, wrong ones among them, and what must come in return.
# Prints ok - NAME or not ok - NAME, and with -v what came, the octets of Terminates with both readings.
#   --siw          compare with what is known of Linux's siw instead of with what hca is to do; other cases are skipped
#   --size N       octets of each receive request of the listener (2,048), of which there are four
#   --markers      wants markers in what comes; the other end may want them anyway
#   --journal FILE the lines of rnic_end, which tell how each connection has ended at its end; they are compared as well
#   --timeout S    ends what hangs (30); no result depends on it
# CASE is the beginning of names. A listener that is rnic_end names its memory in its private data; cases of memory are skipped
# with others. The last frame of a case whose connection must live on is a Read Request of no octets; its response is "alive".

import argparse
import io
import random
import re
import select
import socket
import struct
import sys
import threading
import time
from collections import namedtuple

REQ, REP = b'MPA ID Req Frame', b'MPA ID Rep Frame'
M, C, R, S = 0x80, 0x40, 0x20, 0x10  # flags of a start-up frame
NAMES = ('write', 'read', 'response', 'send', 'send-inv', 'send-se', 'send-se-inv', 'terminate')
WRITE, READ, RESPONSE, SEND, SEND_INV, SEND_SE, SEND_SE_INV, TERMINATE = range(8)
PROBE = 0x5a5a5a5a  # the sink of the Read Request that asks whether the connection is alive

# Errors by layer and type: the codes there are (RFC 6580, 3).
CODES = {(0, 0): range(256), (0, 1): (0, 1, 2, 3, 4, 9, 255), (0, 2): (5, 6, 7, 8, 9, 255), (1, 0): range(256),
         (1, 1): range(5), (1, 2): range(1, 7), (1, 3): range(256), (2, 0): range(1, 8)}


def crc32c(octets):
    """By its definition, bit by bit."""
    crc = 0xffffffff
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ 0x82f63b78 * (crc & 1)
    return crc ^ 0xffffffff


def start(key=REQ, flags=C, rev=1, pd=b'', length=None):
    return key + struct.pack('>BBH', flags, rev, len(pd) if length is None else length) + pd


def enhanced(options='', ird=1, ord=1):
    """The first four octets of private data: A, B, C and D of the options."""
    bits = [letter in options for letter in 'ABCD']
    return struct.pack('>HH', bits[0] << 15 | bits[1] << 14 | ird, bits[2] << 15 | bits[3] << 14 | ord)


def ulpdu(opcode, payload=b'', tagged=None, last=True, dv=1, rv=1, stag=1, to=0, inval=0, qn=None, msn=1, mo=0):
    if tagged is None:
        tagged = opcode in (WRITE, RESPONSE)
    if qn is None:
        qn = {READ: 1, TERMINATE: 2}.get(opcode, 0)
    head = bytes([tagged << 7 | last << 6 | dv, rv << 6 | opcode])
    return head + (struct.pack('>IQ', stag, to) if tagged else struct.pack('>IIII', inval, qn, msn, mo)) + payload


def read(size=0, sink=1, sink_to=0, source=0x77777700, source_to=0, excess=b'', cut=28, **header):
    return ulpdu(READ, struct.pack('>IQIIQ', sink, sink_to, size, source, source_to)[:cut] + excess, **header)


Wrong = namedtuple('Wrong', 'ulpdu crc length', defaults=(0, None))  # a ULPDU; what is XORed to its CRC; its ULPDU_Length
Raw = namedtuple('Raw', 'octets')
FIN, RST = object(), object()
HOLD = object()
AWAIT, ALIVE = 'send 1', 'alive'  # wait for this answer, and go on
Memory = namedtuple('Memory', 'stag octets to')
KINDS = ('both', 'readable', 'writable', 'local', 'other_pd', 'gone', 'window')  # as in rnic_end.c
Memories = namedtuple('Memories', KINDS)


def alive(msn=1):
    return read(sink=PROBE, msn=msn)


class Framer:
    """One way of a connection in Full Operation: FPDUs with or without markers."""

    def __init__(self, markers=False):
        self.markers, self.position = markers, 0

    def pack(self, data, crc=0, length=None):
        plain = struct.pack('>H', len(data) if length is None else length) + data
        plain += bytes(-len(plain) % 4)
        out, first = b'', None
        for at in range(0, len(plain) + 4, 4):  # markers are at multiples of 4; the last turn is that before the CRC
            if self.markers and (self.position + len(out)) % 512 == 0:
                out += struct.pack('>HH', 0, 0 if first is None else len(out) - first & 0xffff)
            if first is None:
                first = len(out)
            out += plain[at:at + 4]
        out += struct.pack('<I', crc32c(out) ^ crc)
        self.position += len(out)
        return out

    def unpack(self, receive):
        """Returns the ULPDU, and whether CRC and markers are right; receive(n) has n octets or raises EOFError."""
        covered, plain, first, right = b'', b'', None, True
        while True:
            if self.markers and (self.position + len(covered)) % 512 == 0:
                marker = receive(4)
                right &= struct.unpack('>H', marker[2:])[0] & ~3 == (0 if first is None else len(covered) - first & 0xffff)
                covered += marker
            if first is None:
                first = len(covered)
            if len(plain) >= 2:
                length, = struct.unpack('>H', plain[:2])
                if len(plain) >= 2 + length:
                    break
            octets = receive(4)
            covered, plain = covered + octets, plain + octets
        crc, = struct.unpack('<I', receive(4))
        self.position += len(covered) + 4
        return plain[2:2 + length], crc == crc32c(covered), right


class Connection:
    """A socket, and the fields of what comes from it."""

    def __init__(self, sock, timeout):
        self.sock = sock
        sock.settimeout(timeout)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reader, self.writer = Framer(), Framer()
        self.crc = True
        self.sent = []  # ULPDUs

    def receive(self, count):
        octets = b''
        while len(octets) < count:
            more = self.sock.recv(count - len(octets))
            if not more:
                raise EOFError(len(octets))
            octets += more
        return octets

    def receive_start(self):
        head = self.receive(20)
        flags, rev, length = struct.unpack('>BBH', head[16:])
        if length > 512:
            raise EOFError(20)
        return head[:16], flags, rev, self.receive(length)

    def agree(self, own, peers):
        self.reader.markers, self.writer.markers = bool(own & M), bool(peers & M)
        self.crc = bool((own | peers) & C)

    def send(self, frame):
        if frame is FIN:
            self.sock.shutdown(socket.SHUT_WR)
        elif isinstance(frame, tuple) and not isinstance(frame, (Wrong, Raw)):
            self.sock.sendall(b''.join(self.pack(part) for part in frame))
        elif isinstance(frame, Raw):
            self.sock.sendall(frame.octets)
        else:
            self.sock.sendall(self.pack(frame))

    def pack(self, frame):
        wrong = frame if isinstance(frame, Wrong) else Wrong(frame)
        self.sent.append(wrong.ulpdu)
        return self.writer.pack(*wrong)


def start_text(key, flags, rev, pd):
    """For example: reply C S rev2 A D ird8 ord1 pd5."""
    text = ['request' if key == REQ else 'reply' if key == REP else key.hex()]
    text += [letter for letter, bit in zip('MCRS', (M, C, R, S)) if flags & bit] + [f'rev{rev}']
    if flags & S and rev > 1 and len(pd) >= 4:
        first, second = struct.unpack('>HH', pd[:4])
        text += [name for name, bit in zip('ABCD', (first >> 15, first >> 14 & 1, second >> 15, second >> 14 & 1)) if bit]
        text += [f'ird{first & 0x3fff}', f'ord{second & 0x3fff}']
        pd = pd[4:]
    return ' '.join(text + [f'pd{len(pd)}'] * bool(pd))


def terminate_text(data, sent):
    """For example: terminate 12 05 c0 00 of 2, if the headers are those of the second FPDU that was sent."""
    payload, text = data[18:], 'terminate ' + data[18:22].hex(' ')
    if data[:18] != ulpdu(TERMINATE):
        text += ' bad-header'
    if payload[2:3].hex() in ('c0', 'e0'):
        of = [str(number) for number, frame in enumerate(sent, 1) if payload[4:] == terminated(frame, payload[2])]
        text += ' of ' + '='.join(of or ['nothing'])
    elif len(payload) != 4:
        text += ' and more'
    return text


def terminated(frame, parts):
    """What a Terminate has of a segment."""
    header = 14 if frame[:1] >= b'\x80' else 18
    return struct.pack('>H', len(frame)) + frame[:header] + frame[header:header + 28] * bool(parts & 0x20)


def fpdu_text(data, crc, markers, sent=(), reads=None):
    """For example: send 5, response 0, terminate 12 05 c0 00 of 1. The sinks of reads are those of responses to come."""
    opcode, wrong = data[1] & 15, ' bad-crc' * (not crc) + ' bad-marker' * (not markers)
    payload = data[14 if data[0] & 0x80 else 18:]
    if opcode == RESPONSE and data[2:6] == struct.pack('>I', PROBE):
        return 'alive' + wrong
    if opcode == RESPONSE and reads is not None:
        wrong += sink_text(data, len(payload), reads)
    if opcode == TERMINATE:
        return terminate_text(data, sent) + wrong
    if opcode == READ:
        return f"read {struct.unpack('>I', payload[12:16])[0]}" + wrong
    return f"{NAMES[opcode] if opcode < 8 else f'opcode{opcode}'} {len(payload)}" + wrong


def sink_text(data, octets, reads):
    """What is wrong with the sink of a Response, whose segments go on where the last one ended."""
    if not reads:
        return ' without a read'
    sink, to, left = reads.pop(0)
    if octets < left:
        reads.insert(0, (sink, to + octets, left - octets))
    right = data[2:14] == struct.pack('>IQ', sink, to % 2**64) and octets <= left and bool(data[0] & 0x40) == (octets == left)
    return '' if right else ' bad-sink'


def reading(control):
    """Both readings of a Terminate's control octets, for people."""
    first, code, parts, _ = bytes.fromhex(control)
    text = []
    for how, layer, kind, bits in (('RFC 5040', first >> 4, first & 15, parts >> 5), ('swapped', first & 15, first >> 4,
                                   int(f'{parts & 7:03b}'[::-1], 2))):
        known = code in CODES.get((layer, kind), ())
        text.append(f"{how}: {layer}/{kind}/{code:02x}{'' if known else ' (not assigned)'} "
                    + ''.join(name for name, bit in zip('MDR', (4, 2, 1)) if bits & bit))
    return '; '.join(text)


def answers(connection):
    """Texts of the FPDUs that come, up to "alive", and how the connection ended."""
    texts = []
    reads = [struct.unpack('>IQI', frame[18:34]) for frame in connection.sent
             if len(frame) == 46 and frame[:2] == bytes([0x41, 0x40 | READ])]
    try:
        while texts[-1:] != ['alive']:
            data, crc, markers = connection.reader.unpack(connection.receive)
            texts.append(fpdu_text(data, crc or not connection.crc, markers, connection.sent, reads))
    except EOFError as error:
        texts.append('fin' if error.args == (0,) else 'fin in an FPDU')
    except ConnectionResetError:
        texts.append('reset')
    except TimeoutError:
        texts.append('nothing')
    return texts


# A case of connect: the start-up frame or frames, what is sent together with it, FPDUs behind the reply, a tuple of them
# together, or a function that makes them from the memory of the listener; patterns of what comes: the answer of hca,
# and that of siw where it is known; and the line of rnic_end, None if the connection does not come to it.
Case = namedtuple('Case', 'name start early frames hca siw end is_held', defaults=(None, None, False))
REPLY = 'reply( M)? C rev1( pd\\d+)?'
ENDS = '(fin|reset)'
KEPT = 'flushed 4'
BIND, READ_BOTH, READ_LOCAL, SEND_ONE, CLOSE, STOP, ABORT = 1, 2, 4, 8, 16, 32, 64  # what rnic_end is to do (enum requests)


def plain(events=0, requests=0, flags=C):
    """A start-up frame without options, whose private data are for rnic_end."""
    return start(flags=flags, pd=bytes([events, requests]))


PLAIN = plain()


def full(name, frames, hca, siw=None, end=KEPT, requests=0, is_held=False):
    """A case of Full Operation: Send, Write and so on behind a start-up without options."""
    return Case(name, plain(end.count('event'), requests), [], frames, f'{REPLY}, {hca}', siw and f'{REPLY}, {siw}', end,
                is_held)


def event_of(octets):
    """The event that tells of an error (rnic.md, 4.2)."""
    kind, code = octets[:2], octets[3:5]
    if kind == '01' and code != '09' or kind == '11' and code != '04':
        return 'access'
    return 'request' if kind in ('01', '11', '12') or kind == '02' and code in ('05', '06', '09') else 'fatal'


def terminates(name, frames, octets, siw=None, before='', end=None, of=None, requests=0):
    """The last frame, or that with number of, is answered by a Terminate; before: answers before it."""
    text = f'{before}terminate {octets}'
    if octets[6:8] != '00':
        text += f' of {of or len(frames)}' if not callable(frames) else f' of {of or 1}'
    siw = siw and f'terminate {siw}( of nothing| and more)?, {ENDS}'
    return full(name, frames, f'{text}, fin', siw, end or f'{KEPT}, event {event_of(octets)}', requests)


def start_cases():
    """Start-up frames. Those that are wrong never come to the ULP, so that rnic_end has no line of them."""
    s = C | S
    good = [
        ('revision 1, CRC', PLAIN, [alive()], f'{REPLY}, alive', f'{REPLY}, alive'),
        ('CRC not wanted', plain(flags=0), [alive()], f'{REPLY}, alive', 'reply rev1( pd\\d+)?, alive'),
        ('markers wanted', plain(flags=M | C), [alive()], f'{REPLY}, alive', f'reply M?( C)? R rev1.*, {ENDS}'),
        ('reserved bits', plain(flags=C | 0x0f), [alive()], f'{REPLY}, alive', None),
        ('R in a request', plain(flags=C | R), [alive()], f'{REPLY}, alive', None),
        ('revision 1 with S', start(flags=s, pd=b'\0\0' + enhanced('A')), [alive()], f'{REPLY}, alive', None),
        ('S without peer-to-peer', start(flags=s, rev=2, pd=enhanced('')), [alive()],
         'reply( M)? C S rev2 ird\\d+ ord\\d+.*, alive', None),
        ('RTR by Write or Read', start(flags=s, rev=2, pd=enhanced('ACD')), [ulpdu(WRITE), alive()],
         'reply( M)? C S rev2 A C( D)? ird\\d+ ord\\d+.*, alive', 'reply C S rev2 A C ird\\d+ ord\\d+.*, alive'),
        ('RTR by Read alone', start(flags=s, rev=2, pd=enhanced('AD')), [read(), alive(2)],
         'reply( M)? C S rev2 A D ird\\d+ ord\\d+.*, response 0, alive', None),
        ('RTR by Send alone', start(flags=s, rev=2, pd=enhanced('AB')), [ulpdu(WRITE), alive()],
         'reply( M)? C S rev2 A C D ird\\d+ ord\\d+.*, alive', None),
        ('revision 2 without S', start(rev=2), [alive()], 'reply( M)? C rev[12]( pd\\d+)?, alive', None),
        ('IRD and ORD not negotiated', start(flags=s, rev=2, pd=enhanced('', 0x3fff, 0x3fff)), [alive()],
         'reply( M)? C S rev2 ird16383 ord16383.*, alive', None),
        ('ORD above each IRD', start(flags=s, rev=2, pd=enhanced('', 1, 0x3ffe)), [],
         f'reply( M)? C R S rev2 .*, {ENDS}', None),
        ('PD_Length 512', start(pd=bytes(512)), [alive()], f'{REPLY}, alive', ENDS),
        ('octet by octet', [PLAIN[at:at + 1] for at in range(len(PLAIN))], [alive()], f'{REPLY}, alive', None),
    ]
    bad = [
        ('revision 0', start(rev=0), None), ('revision 3', start(rev=3), ENDS), ('revision 255', start(rev=255), None),
        ('PD_Length 513', start(pd=bytes(513)), ENDS), ('PD_Length 65535', start(length=65535), None),
        ('S with PD_Length 0', start(flags=s, rev=2), None), ('S with PD_Length 3', start(flags=s, rev=2, pd=bytes(3)), None),
        ('wrong first octet of the key', b'N', None), ('wrong last octet of the key', REQ[:15] + b'E', None),
        ('a reply where a request is due', start(REP), None), ('half a request', PLAIN[:10], None),
        ('private data missing', PLAIN[:-1], None),
    ]
    sent = 'recv 1, flushed 3, changed buffer0 0-0'
    return [Case('start: ' + name, frame, [], frames, hca, siw, f'accept: ENOMEM, {KEPT}' if ' R S ' in hca else KEPT)
            for name, frame, frames, hca, siw in good] + [
        Case('start: ' + name, frame, [], [], ENDS, siw) for name, frame, siw in bad] + [
        Case('start: no RTR message follows', start(flags=s, rev=2, pd=enhanced('AC')), [], [ulpdu(SEND, b'x'), alive()],
             'reply( M)? C S rev2 A C ird\\d+ ord\\d+.*, alive', None, sent),
        Case('start: FIN in the request', PLAIN[:19], [FIN], [], ENDS),
        # The ULP may have accepted when the FIN comes, or not yet.
        Case('early: a FIN behind the request', PLAIN, [FIN], [], f'({REPLY}, )?{ENDS}', None,
             '(accept: ECONNRESET, )?flushed 4'),
        Case('early: an FPDU with the request', PLAIN, [alive()], [], f'{REPLY}, alive', 'reset', KEPT),
        Case('early: a Send with the request', PLAIN, [ulpdu(SEND, b'x'), alive()], [], f'{REPLY}, alive', None, sent),
    ]


def good_cases(size):
    return [
        full('send', [ulpdu(SEND, b'x' * size), alive()], 'alive', 'alive',
             f'recv {size}, flushed 3, changed buffer0 0-{size - 1}'),
        full('send: no octets', [ulpdu(SEND), alive()], 'alive', 'alive', 'recv 0, flushed 3'),
        full('send: two segments', [ulpdu(SEND, b'x' * 8, last=False), ulpdu(SEND, b'x', mo=8), alive()], 'alive', 'alive',
             'recv 9, flushed 3, changed buffer0 0-8'),
        full('send: with SE', [ulpdu(SEND_SE, b'x'), alive()], 'alive', 'alive', 'recv 1, flushed 3, changed buffer0 0-0'),
        full('send: reserved bits of DDP and RDMAP', [b'\x7d\x73' + ulpdu(SEND, b'x')[2:], alive()], 'alive', None,
             'recv 1, flushed 3, changed buffer0 0-0'),  # P1-T02
        full('send: octets where others have an STag', [ulpdu(SEND, b'x', inval=0x12345678), alive()], 'alive', None,
             'recv 1, flushed 3, changed buffer0 0-0'),  # P1-T03
        full('write', lambda m: [ulpdu(WRITE, b'\0' * 8, stag=m.both.stag, to=m.both.to + 8), alive()], 'alive', None,
             f'{KEPT}, changed both 8-15'),
        full('write: all of it, in two segments', lambda m: [
            ulpdu(WRITE, b'\0' * 1000, stag=m.writable.stag, to=m.writable.to, last=False),
            ulpdu(WRITE, b'\0' * (m.writable.octets - 1000), stag=m.writable.stag, to=m.writable.to + 1000), alive()],
             'alive', None, f'{KEPT}, changed writable 0-2047'),
        full('write: no octets, any STag', [ulpdu(WRITE, stag=0x12345678, to=2**64 - 1), alive()], 'alive', 'alive'),
        full('read', lambda m: [read(m.both.octets, 7, 9, m.both.stag, m.both.to), alive(2)],
             '(response \\d+, )*response \\d+, alive'),
        full('read: an odd sink, read rights alone', lambda m: [
            read(5, 0xffffffff, 2**64 - 3, m.readable.stag, m.readable.to + 1), alive(2)], 'response 5, alive'),  # P1-T17
        # P1-T16
        full('read: no octets, any STag', [read(source_to=2**64 - 1), alive(2)], 'response 0, alive', 'response 0, alive'),
        full('invalidate: the window', lambda m: [AWAIT, ulpdu(SEND_INV, b'x', inval=m.window.stag), alive()], 'send 1, alive',
             None,
             'done bind, done send, recv 1 invalidates the window, flushed 3, changed buffer0 0-0', BIND),  # P1-T22
        full('write: to the window', lambda m: [
             AWAIT, ulpdu(WRITE, b'\0' * 4, stag=m.window.stag, to=m.window.to + 4), alive()], 'send 1, alive', None,
             f'done bind, done send, {KEPT}, changed window 4-7', BIND),
    ]


def header_cases():
    """FPDUs whose headers are wrong, whatever memory there is (rnic.md, 4.3)."""
    x = b'x' * 16
    return [
        terminates('crc: one bit', [Wrong(ulpdu(SEND, x), 1)], '20 02 00 00', '02 02 00 00'),
        terminates('crc: and the header is wrong too', [Wrong(ulpdu(9, rv=0), 0x80000000)], '20 02 00 00'),
        terminates('length: 13', [ulpdu(WRITE)[:13]], '20 03 00 00'),  # P1-T09
        terminates('length: 0', [b''], '20 03 00 00'),
        terminates('length: 17, untagged', [ulpdu(SEND)[:17]], '20 03 00 00'),
        terminates('length: Read Request of 45', [read(cut=27)], '20 03 00 00'),
        terminates('length: Read Request of 47', [read(excess=b'x')], '12 05 c0 00'),  # P1-T10
        terminates('length: Terminate of 3', [ulpdu(TERMINATE, b'\0\0\0')], '20 03 00 00'),
        terminates('dv: tagged', [ulpdu(WRITE, x, dv=0)], '11 04 c0 00'),
        terminates('dv: untagged', [ulpdu(SEND, x, dv=2)], '12 06 c0 00'),
        terminates('rv: 0', [ulpdu(SEND, x, rv=0)], '02 05 c0 00', '20 05 00 00'),  # P1-T05
        terminates('rv: 2', [ulpdu(SEND, x, rv=2)], '02 05 c0 00'),
        terminates('rv: 3, tagged', [ulpdu(WRITE, x, rv=3)], '02 05 c0 00'),
    ] + [  # P1-T04
        terminates(f"opcode: {opcode}{', tagged' * tagged}", [ulpdu(opcode, x, tagged=tagged)], '02 06 c0 00',
                   '20 06 00 00' if (opcode, tagged) == (9, False) else None)
        for opcode in range(8, 16) for tagged in (False, True)
    ] + [  # P1-T06
        terminates('opcode: untagged Write', [ulpdu(WRITE, x, tagged=False)], '02 06 c0 00', '11 00 .. ..'),
        full('opcode: tagged Send', [ulpdu(SEND, x, tagged=True)], 'terminate 02 06 c0 00 of 1, fin', None,
             f'{KEPT}, event request'),
        terminates('opcode: Response without a Read', [ulpdu(RESPONSE, x)], '02 06 c0 00'),  # P1-T18
        terminates('qn: Read Request on 0', [read(qn=0)], '02 06 c0 00'),
        terminates('qn: Send on 1', [ulpdu(SEND, x, qn=1)], '02 06 c0 00'),
        terminates('qn: Send on 2', [ulpdu(SEND, x, qn=2)], '02 06 c0 00'),
        terminates('qn: 3', [ulpdu(SEND, x, qn=3)], '12 01 c0 00'),
        terminates('msn: 2 first', [ulpdu(SEND, x, msn=2)], '12 03 c0 00'),
        terminates('msn: 0', [ulpdu(SEND, x, msn=0)], '12 03 c0 00'),
        terminates('msn: 1 twice', [ulpdu(SEND, x), ulpdu(SEND, b'y')], '12 03 c0 00',
                   end='recv 16, flushed 3, event request, changed buffer0 0-15'),
        terminates('msn: of Read Requests', [read(msn=2)], '12 03 c0 00'),
        terminates('msn: of a Terminate', [ulpdu(TERMINATE, b'\x12\x02\0\0', msn=2)], '12 03 c0 00'),
        terminates('mo: 4 first', [ulpdu(SEND, x, mo=4)], '12 04 c0 00'),
        terminates('mo: a gap', [ulpdu(SEND, b'x', last=False), ulpdu(SEND, b'y', mo=2)], '12 04 c0 00',
                   end=f'{KEPT}, event request, changed buffer0 0-0'),
        terminates('mo: of a Read Request', [read(mo=4)], '12 04 c0 00'),
        terminates('interleaved: a Response in a Write', [ulpdu(WRITE, last=False), ulpdu(RESPONSE)], '02 06 c0 00'),
        terminates('interleaved: a Send of another kind', [ulpdu(SEND, b'x', last=False), ulpdu(SEND_SE, b'y', mo=1)],
                   '02 06 c0 00',
                   end=f'{KEPT}, event request, changed buffer0 0-0'),
        terminates('two errors together', [(ulpdu(SEND, x, qn=7), ulpdu(9, x))], '12 01 c0 00', of=1),  # P1-T26
        terminates('an error, and a good Send behind it', [(ulpdu(SEND, x, dv=0), ulpdu(SEND, x))], '12 06 c0 00', of=1),
        terminates('read: not all of it in one segment', [read(last=False)], '12 05 c0 00'),
    ]


def crc_cases():
    """FPDUs of which an octet is wrong on the way: nothing of them is placed (rnic.md, 6, row 1)."""
    def harmed(frame, at):
        """An FPDU without markers, of which one bit is wrong."""
        octets = bytearray(Framer().pack(frame))
        octets[at] ^= 4
        return Raw(bytes(octets))

    crc, unchanged = 'terminate 20 02 00 00, fin', f'{KEPT}, event fatal'
    send, x = ulpdu(SEND, b'x' * 64), b'x' * 64
    rows = [('DDP control', 2), ('RDMAP control', 3), ('RsvdULP', 7), ('QN', 11), ('MSN', 15), ('MO', 19),
            ('the first octet', 20),
            ('the last octet', 83), ('the CRC', 84), ('the last octet of the CRC', 87)]
    return [full(f'crc: of a Send, a bit of {name}', [harmed(send, at)], crc, None, unchanged) for name, at in rows] + [
        full('crc: of a Send, a bit of the pad', [harmed(ulpdu(SEND, b'x'), 21)], crc, None, unchanged),
        full('crc: of the second segment of a Send', [ulpdu(SEND, x, last=False), Wrong(ulpdu(SEND, x, mo=64), 1)], crc, None,
             f'{unchanged}, changed buffer0 0-63'),
        full('crc: of a Write', lambda m: [Wrong(ulpdu(WRITE, x, stag=m.both.stag, to=m.both.to), 1 << 31)], crc, None,
             unchanged),
        full('crc: of a Read Request', lambda m: [Wrong(read(64, 1, 2, m.both.stag, m.both.to), 1)], crc, None, unchanged),
        full('crc: of a Send with Invalidate', lambda m: [AWAIT, Wrong(ulpdu(SEND_INV, inval=m.window.stag), 1)],
             f'send 1, {crc}',
             None, f'done bind, done send, {unchanged}', BIND),
        full('crc: of a Terminate', [Wrong(ulpdu(TERMINATE, b'\0\0\0\0'), 1)], crc, None, unchanged),
        full('crc: with its octets in the wrong order', [Wrong(send, int.from_bytes(Framer().pack(send)[-4:], 'little') ^
             int.from_bytes(Framer().pack(send)[-4:], 'big'))], crc, None, unchanged),
        full('crc: of nothing, all zero', [Wrong(send, int.from_bytes(Framer().pack(send)[-4:], 'little'))], crc, None,
             unchanged),
        full('crc: of nothing, behind a good FPDU together', [(ulpdu(SEND, x), Wrong(ulpdu(SEND, x, msn=2), 1))], crc, None,
             'recv 64, flushed 3, event fatal, changed buffer0 0-63'),
    ]


def no_crc_cases():
    """For an RNIC without CRCs: if neither end wants them, the field may have any value."""
    return [Case('without CRCs: any value', plain(flags=0), [], [Wrong(ulpdu(SEND, b'x'), 1), alive()],
                 'reply( M)? rev1( pd\\d+)?, alive', None, 'recv 1, flushed 3, changed buffer0 0-0')]


def marker_cases():
    """For an RNIC that wants markers: wrong ones, in FPDUs whose CRC is right, and others (RFC 5044, 4.3)."""
    def marked(at, octets, covered=True):
        """A first FPDU of two markers, of which some octets are others."""
        old = Framer(True).pack(ulpdu(SEND, b'x' * 600))
        new = old[:at] + octets + old[at + len(octets):]
        return Raw(new[:-4] + struct.pack('<I', crc32c(new[:-4])) if covered else new)

    received = 'recv 600, flushed 3, changed buffer0 0-599'
    probe = Framer(True)
    probe.pack(ulpdu(SEND, b'x' * 600))
    after = Raw(probe.pack(alive()))
    return [
        full('marker: right', [marked(0, bytes(4)), after], 'alive', None, received),
        full('marker: reserved octets and bits', [marked(0, b'\xff\xff\0\3'), after], 'alive', None, received),
        full('marker: the first one not zero', [marked(0, b'\0\0\0\4')], 'terminate 20 03 00 00, fin', None,
             f'{KEPT}, event fatal'),
        full('marker: the second one 4 too much', [marked(512, b'\0\0' + struct.pack('>H', 512))],
             'terminate 20 03 00 00, fin', None,
             f'{KEPT}, event fatal'),
        full('marker: zero in an FPDU', [marked(512, bytes(4))], 'terminate 20 03 00 00, fin', None, f'{KEPT}, event fatal'),
        full('marker: wrong, and the CRC as well', [marked(512, bytes(4), False)], 'terminate 20 02 00 00, fin', None,
             f'{KEPT}, event fatal'),
        full('marker: none at all', [Raw(Framer().pack(ulpdu(SEND, b'x' * 600)))], 'terminate 20 03 00 00, fin', None,
             f'{KEPT}, event fatal'),
    ]


def memory_case(name, kind, before, octets, write, wanted):
    """A Write and a Read of octets of a kind of memory, from so many octets before its first one, and their codes."""
    def place(memory):
        place = memory[KINDS.index(kind)]
        return place.stag, (place.to - before) % 2**64

    rows = []
    if write:
        rows.append(terminates(f'write: {name}', lambda m: [ulpdu(WRITE, bytes(octets), stag=place(m)[0], to=place(m)[1])],
                               f'11 {write} c0 00'))
    if wanted:
        rows.append(terminates(f'read: {name}', lambda m: [read(octets, 1, 2, *place(m))], f'01 {wanted} e0 00'))
    return rows


def memory_cases(size):
    """What the memory and the receive requests of the listener refuse."""
    x = b'x' * 16
    gone = 'remote invalid request error 66'
    rows = [  # P1-T13, P1-T14
        ('memory that is there no more', 'gone', 0, 8, '00', '00'), ('no remote rights', 'local', 0, 8, '02', '02'),
        ('the other right alone: to read', 'readable', 0, 8, '02', None),
        ('the other right alone: to write', 'writable', 0, 8, None, '02'),
        ('of another PD', 'other_pd', 0, 8, '02', '03'), ('one octet before it', 'both', 1, 8, '01', '01'),
        ('one octet behind it', 'both', -2041, 8, '01', '01'), ('far away', 'both', 1 << 40, 8, '01', '01'),
    ]
    return [case for row in rows for case in memory_case(*row)] + [
        terminates('write: TO wraps', lambda m: [ulpdu(WRITE, b'xy', stag=m.both.stag, to=2**64 - 1)], '11 03 c0 00'),
        terminates('read: TO wraps', lambda m: [read(2, 1, 2, m.both.stag, 2**64 - 1)], '01 04 e0 00'),
        terminates('write: another key', lambda m: [ulpdu(WRITE, x, stag=m.both.stag ^ 0x80, to=m.both.to)], '11 00 c0 00'),
        terminates('write: an STag that there never was', [ulpdu(WRITE, x, stag=0x77777700)], '11 00 c0 00'),
        terminates('read: an STag that there never was', [read(64)], '01 00 e0 00', '10 00 07 00'),
        terminates('write: the second segment', lambda m: [ulpdu(WRITE, bytes(8), stag=m.both.stag, to=m.both.to, last=False),
                   ulpdu(WRITE, bytes(8), stag=m.local.stag, to=m.local.to)], '11 02 c0 00', of=2,
                   end=f'{KEPT}, event access, changed both 0-7'),
        terminates('too long: by one', [ulpdu(SEND, b'x' * (size + 1))], '12 05 c0 00', '21 02 03 00',
                   end='local length error 13, flushed 3'),  # P1-T12
        terminates('too long: in its second segment', [ulpdu(SEND, b'x' * size, last=False), ulpdu(SEND, b'x', mo=size)],
                   '12 05 c0 00', end=f'local length error 13, flushed 3, changed buffer0 0-{size - 1}'),
        terminates('no receive request', [ulpdu(SEND, b'x', msn=1 + n) for n in range(5)], '12 02 c0 00',
                   end='recv 1, recv 1, '
                   'recv 1, recv 1, event request' + ''.join(f', changed buffer{n} 0-0' for n in range(4))),
        terminates('invalidate: an STag that there never was', [ulpdu(SEND_INV, inval=0x77777700)], '02 09 c0 00',
                   end=f'{gone}, flushed 3'),
        terminates('invalidate: memory of a process', lambda m: [ulpdu(SEND_INV, inval=m.both.stag)], '01 09 c0 00',
                   end=f'{gone}, flushed 3'),  # P1-T22
        terminates('invalidate: of another PD', lambda m: [ulpdu(SEND_SE_INV, inval=m.other_pd.stag)], '01 09 c0 00',
                   end=f'{gone}, flushed 3'),
        terminates('invalidate: a window that is not bound', lambda m: [ulpdu(SEND_INV, inval=m.window.stag)],
                   '0[12] 09 c0 00',
                   end=f'{gone}, flushed 3'),
        terminates('write: to the window that was invalidated', lambda m: [AWAIT, ulpdu(SEND_INV, inval=m.window.stag), ulpdu(
                   WRITE, x, stag=m.window.stag, to=m.window.to)], '11 00 c0 00', None, 'send 1, ',
                   'done bind, done send, recv 0 '
                   'invalidates the window, flushed 3, event access', of=2, requests=BIND),
        terminates('write: one octet behind the window', lambda m: [
                   AWAIT, ulpdu(WRITE, bytes(2), stag=m.window.stag, to=m.window.to + m.window.octets - 1)], '11 01 c0 00',
                   None, 'send 1, ', f'done bind, done send, {KEPT}, event access',
                   requests=BIND),
        terminates('read: the window, which has the other right', lambda m: [AWAIT, read(8, 1, 2, m.window.stag, m.window.to)],
                   '01 02 e0 00', None, 'send 1, ', f'done bind, done send, {KEPT}, event access', requests=BIND),
        full('read: as many as the IRD of 4', lambda m: [
             tuple(read(64, 7, 9, m.both.stag, m.both.to, msn=1 + n) for n in range(3)) + (alive(4),)],
             'response 64, response 64, response 64, alive'),
        # The Terminate goes before the responses that are due: "at the earliest opportunity" (P1-176).
        full('read: more than the IRD of 4', lambda m: [
             tuple(read(64, 7, 9, m.both.stag, m.both.to, msn=1 + n) for n in range(5))],
             '(response 64, )*terminate 02 07 c0 00 of 5, fin', None, f'{KEPT}, event fatal'),
    ]


def end_cases():
    """Terminates and FINs that come, and what is at work then."""
    return [
        full('terminate: has no answer', [ulpdu(TERMINATE, b'\x12\x02\0\0')], 'fin', ENDS, f'{KEPT}, event fatal'),
        full('terminate: as siw has its bits', [ulpdu(TERMINATE, b'\x21\x02\x03\0')], 'fin', None, f'{KEPT}, event fatal'),
        full('terminate: announces what it has not', [ulpdu(TERMINATE, b'\x12\x02\xe0\0')], 'fin', None,
             f'{KEPT}, event fatal'),
        full('terminate: with 1,000 octets', [ulpdu(TERMINATE, b'\x12\x02\xe0\0' + bytes(1000))], 'fin', None,
             f'{KEPT}, event fatal'),
        full('terminate: and a Send behind it', [(ulpdu(TERMINATE, b'\0\0\0\0'), ulpdu(SEND, b'x'))], 'fin', None,
             f'{KEPT}, event fatal'),
        full('terminate: without a receive request', [ulpdu(SEND, msn=1 + n) for n in range(4)] + [
             ulpdu(TERMINATE, b'\0\0\0\0')], 'fin', None, 'recv 0, recv 0, recv 0, recv 0, event fatal'),  # P1-T24
        full('silent: no FIN behind its Terminate', [ulpdu(TERMINATE, b'\0\0\0\0')], 'fin', None, f'{KEPT}, event fatal',
             is_held=True),
        full('silent: no FIN behind ours', [b''], 'terminate 20 03 00 00, fin', None,
             f'{KEPT}, event fatal',
             is_held=True),
        full('fin: at a border of FPDUs', [FIN], 'fin', ENDS),
        full('fin: behind a Send', [ulpdu(SEND, b'x'), FIN], 'fin', None, 'recv 1, flushed 3, changed buffer0 0-0'),
        full('fin: in the first FPDU, before which a responder sends none', [Raw(b'\0\x13\x41'), FIN], 'reset', None,
             f'{KEPT}, event fatal'),  # RFC 5044, 7.1.2
        full('fin: in an FPDU', [alive(), ALIVE, Raw(b'\0\x13\x41'), FIN], 'alive, terminate 02 07 00 00, fin', None,
             f'{KEPT}, event fatal'),
        full('fin: in a CRC', [ulpdu(SEND, b'x'), Raw(b'\0\x12\x41\x43' + bytes(16) + b'\1'), FIN],
             'terminate 02 07 00 00, fin',
             None, 'recv 1, flushed 3, event fatal, changed buffer0 0-0'),
        full('fin: while a Read of ours is at work', [AWAIT, FIN], 'read 2048, send 1, terminate 02 07 00 00, fin', None,
             'flushed 6, event fatal', SEND_ONE | READ_BOTH),
        full('rst: at a border of FPDUs', [alive(), ALIVE, RST], 'alive', None, f'{KEPT}, event fatal'),
        full('rst: in an FPDU', [alive(), ALIVE, Raw(b'\0\x13\x41'), RST], 'alive', None, f'{KEPT}, event fatal'),
        full('rst: behind a Send', [ulpdu(SEND, b'x'), alive(), ALIVE, RST], 'alive', None,
             'recv 1, flushed 3, event fatal, changed buffer0 0-0'),
    ]


def silent_cases():
    """Peers that send nothing when it is their turn."""
    return [
        Case('silent: nothing at all', b'', [], [], ENDS),
        Case('silent: half a request', PLAIN[:10], [], [], ENDS),
        Case('silent: no RTR message', start(flags=C | S, rev=2, pd=enhanced('AC') + b'\1\0'), [], [],
             'reply( M)? C S rev2 A C ird\\d+ ord\\d+.*, reset', None, f'{KEPT}, event fatal'),
    ]


# Cases that are for an RNIC of certain options, or take long: only where they are named.
SPECIAL = ('without CRCs', 'marker', 'silent', 'silence')


def cases(size):
    return start_cases() + good_cases(size) + crc_cases() + header_cases() + memory_cases(size) + end_cases() + (
        silent_cases() + no_crc_cases() + marker_cases())


# A case of listen: the reply to an initiator that has sent an enhanced request with A, FPDUs with it; patterns of the answers
# of hca, and of the line of rnic_end; what answers a Read Request, by its octets, sink, offset and size; answers at most; what
# is sent behind the FIN of the initiator, or HOLD if nothing is, not even a FIN.
Reply = namedtuple('Reply', 'name reply early hca end answer lasts after siw', defaults=(None, 1, None, None))
ERROR = 'RDMA_CM_EVENT_CONNECT_ERROR -71, idle, flushed 4'
TERMINATED = 'RDMA_CM_EVENT_CONNECT_ERROR -71, flushed 4'


def reply(options='AC', ird=8, ord=1, events=0, requests=0, flags=C | S, rev=2):
    return start(REP, flags, rev, enhanced(options, ird, ord) + bytes([events, requests]))


def answered(name, answer, hca, end, requests=READ_BOTH):
    """A Read of the initiator that is answered by FPDUs."""
    lasts = 2 + len(re.findall('terminate|fin|reset', hca)) + 1
    return Reply('answer: ' + name, reply(events=end.count('event'), requests=requests), [],
                 f'write 0, read 2048{hca and ", " + hca}', f'established, {end}', answer, lasts if hca else 2)


def answers_to_reads():
    """Responses that fit a Read, and others (P1-T18)."""
    def response(octets, sink, to, **header):
        return ulpdu(RESPONSE, bytes(octets), stag=sink, to=to, **header)

    bounds, fault = 'terminate 11 01 c0 00 of 1, fin', 'flushed 5, event access'
    return [
        answered('a Response', lambda _, sink, to, size: [response(size, sink, to)], '',
                 'done read, flushed 4, changed both 0-2047'),
        answered('two segments', lambda _, sink, to, size: [response(8, sink, to, last=False), response(
                 size - 8, sink, to + 8)],
                 '', 'done read, flushed 4, changed both 0-2047'),
        answered('another STag', lambda _, sink, to, size: [response(size, sink ^ 0x100, to)],
                 'terminate 11 00 c0 00 of 1, fin', fault),
        answered('another TO', lambda _, sink, to, size: [response(size - 1, sink, to + 1)], bounds, fault),
        answered('too long', lambda _, sink, to, size: [response(size + 1, sink, to)], bounds, fault),
        answered('too long in its second segment', lambda _, sink, to, size: [response(size, sink, to, last=False),
                 response(1, sink, to + size)], bounds, fault),
        answered('too short', lambda _, sink, to, size: [response(size - 1, sink, to)], bounds, fault),
        answered('the second segment elsewhere', lambda _, sink, to, size: [response(8, sink, to, last=False),
                 response(8, sink, to, last=False)], 'terminate 11 01 c0 00 of [12=]*, fin', f'{fault}, changed both 0-7'),
        answered('a sink without remote rights', lambda _, sink, to, size: [response(size, sink, to)],
                 'terminate 11 02 c0 00 of 1, fin', 'local protection error b4, flushed 4', READ_LOCAL),  # T0-125
        answered('a Terminate', lambda data, *_: [ulpdu(TERMINATE, b'\1\0\xe0\0' + terminated(data, 0xe0))], 'fin',
                 'remote access error b1, flushed 4, event fatal'),
        answered('a Terminate of something else', lambda data, *_: [ulpdu(TERMINATE, b'\2\7\0\0')], 'fin',
                 'flushed 5, event fatal'),
        answered('a FIN', lambda *_: [FIN], 'terminate 02 07 00 00, fin', 'flushed 5, event fatal'),
        answered('a reset', lambda *_: [RST], '', 'transport retry counter exceeded b0, flushed 4'),
    ]


def ends_of_initiators():
    """What an initiator does to its connection as soon as it is established, and peers that do not follow."""
    def ended_by(name, request, hca, end, after=None):
        return Reply(('silence: ' if after is HOLD else 'end: ') + name, reply(events=end.count('event'), requests=request), [],
                     f'write 0, {hca}', f'established, {end}', None, 3, after)

    x = ulpdu(SEND, b'x')
    return [
        ended_by('a close', CLOSE, 'fin', KEPT),
        ended_by('a close, and a Send behind it', CLOSE, 'fin, reset', f'{KEPT}, event fatal', [x]),  # T0-128
        ended_by('a close, and a Read Request behind it', CLOSE, 'fin, reset', f'{KEPT}, event fatal', [read()]),
        ended_by('a close, and a Terminate behind it', CLOSE, 'fin, reset', f'{KEPT}, event fatal',
                 [ulpdu(TERMINATE, bytes(4))]),
        # Both ends have closed by then, so that TCP has nothing left to reset.
        ended_by('a close, and half an FPDU and a FIN behind it', CLOSE, 'fin, nothing', f'{KEPT}, event fatal',
                 [Raw(b'\0\x12'), FIN]),
        ended_by('no FIN behind a close', CLOSE, 'fin', f'{KEPT}, event fatal', HOLD),  # T0-128
        ended_by('a stop', STOP, 'terminate 00 00 00 00, fin', KEPT),  # T0-122
        ended_by('no FIN behind a stop', STOP, 'terminate 00 00 00 00, fin', f'{KEPT}, event fatal', HOLD),  # T0-122
        ended_by('an abort', ABORT, 'reset', KEPT),  # T0-130
    ]


def replies():
    good = 'established, flushed 4'
    return [
        Reply('reply: RTR by Write', reply('AC'), [], 'write 0', good),
        Reply('reply: RTR by Read', reply('AD'), [], 'read 0', good),
        Reply('reply: RTR by Write or Read', reply('ACD'), [], '(write|read) 0', good),
        Reply('reply: ORD above what was asked for', reply('AC', 8, 100), [], 'write 0', good),
        Reply('reply: RTR by nothing', reply('A'), [], 'terminate 20 07 00 00, fin', TERMINATED, None, 3),
        Reply('reply: RTR by Send alone', reply('AB'), [], 'terminate 20 07 00 00, fin', TERMINATED, None, 3),
        Reply('reply: ORD above each IRD', reply('AC', 8, 0x3ffe), [], 'terminate 20 06 00 00, fin',
              TERMINATED.replace('71', '12'), None, 3),
        Reply('reply: rejected', reply('A', flags=C | R | S), [], ENDS, 'RDMA_CM_EVENT_REJECTED -111, flushed 4'),
        Reply('reply: without S', reply('A', flags=C), [], ENDS, ERROR),
        Reply('reply: revision 1', reply('A', flags=C, rev=1), [], ENDS, ERROR),
        Reply('reply: revision 0', reply(rev=0), [], ENDS, ERROR),
        Reply('reply: revision 3', reply(rev=3), [], ENDS, ERROR),
        Reply('reply: a request', start(REQ, C | S, 2, enhanced('AC')), [], ENDS, ERROR),
        Reply('reply: wrong key', b'MPA ID Rep Farme' + reply()[16:], [], ENDS, ERROR),
        Reply('reply: PD_Length 513', start(REP, C | S, 2, enhanced('AC') + bytes(509)), [], ENDS, ERROR),
        Reply('reply: S with PD_Length 3', start(REP, C | S, 2, bytes(3)), [], ENDS, ERROR),
        Reply('reply: FIN in it', reply()[:18], [FIN], ENDS, 'RDMA_CM_EVENT_REJECTED -104, flushed 4'),
        Reply('reply: a Terminate with it', reply(events=1), [ulpdu(TERMINATE, b'\0\0\0\0')], '(write 0, )?fin',
              '(established|RDMA_CM_EVENT_REJECTED -104), flushed 4(, event fatal)?', None, 3),
        Reply('reply: a Send with it', reply(), [ulpdu(SEND, b'x')], 'write 0',
              'established, recv 1, flushed 3, changed buffer0 0-0'),
        Reply('silence: no reply', b'', [], ENDS, 'RDMA_CM_EVENT_UNREACHABLE -110, idle, flushed 4'),
    ] + answers_to_reads() + ends_of_initiators()


def matches(name, texts, pattern, verbose):
    found = ', '.join(texts)
    right = re.fullmatch(pattern, found) is not None
    print(f"{'ok' if right else 'not ok'} - {name}", flush=True)
    if verbose or not right:
        print(f'  {found}' + ('' if right else f'\n  instead of {pattern}'), flush=True)
        for text in texts:
            if text.startswith('terminate') and len(text) == 21:
                print(f'  {text[10:]}: {reading(text[10:])}', flush=True)
    return right


def memories(flags, pd):
    """What the private data of rnic_end name, or None."""
    pd = pd[4:] if flags & S else pd
    return Memories(*(Memory(*struct.unpack('>IIQ', pd[at:at + 16])) for at in range(0, 112, 16))) if len(pd) == 112 else None


def send_start(connection, case, markers):
    """Sends the start-up frame in its parts. Returns its flags."""
    parts = list(case.start) if isinstance(case.start, list) else [case.start]
    flags = (b''.join(parts) + bytes(20))[16]
    if markers and len(parts) == 1 and len(parts[0]) > 16:
        flags |= M
        parts = [parts[0][:16] + bytes([flags]) + parts[0][17:]]
    for part in parts[:-1]:
        connection.sock.sendall(part)
    # What is early comes with the last octets of the frame, and has the CRCs and no markers.
    connection.sock.sendall(parts[-1] + b''.join(connection.pack(f) for f in case.early if f is not FIN))
    if FIN in case.early:
        connection.send(FIN)
    return flags


def send_frames(connection, frames):
    """Sends frames, and returns the answers that some of them wait for; they end with None if nothing else can come."""
    texts = []
    for frame in frames:
        try:
            if frame is AWAIT:
                connection.sock.sendall(connection.writer.pack(ulpdu(WRITE)))  # before which the responder sends nothing
            while frame in (AWAIT, ALIVE) and texts[-1:] != [frame]:
                texts.append(fpdu_text(*connection.reader.unpack(connection.receive)))
            if frame in (AWAIT, ALIVE):
                continue
            if frame is RST:
                connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
                return texts + [None]
            connection.send(frame)
        except (BrokenPipeError, ConnectionResetError):
            break
    return texts


def initiate(case, address, options, journal):
    """Texts of what a listener answers to a case, and the line of rnic_end."""
    connection = Connection(socket.create_connection(address, options.timeout), options.timeout)
    with connection.sock:
        try:
            own = send_start(connection, case, options.markers)
            key, flags, rev, pd = connection.receive_start()
            texts = [start_text(key, flags, rev, pd)]
            connection.agree(own, flags)
            frames, memory = case.frames, memories(flags, pd)
            if not memory and (callable(frames) or AWAIT in frames):
                return None
            frames = frames(memory) if callable(frames) else frames
            texts += send_frames(connection, frames)
            texts += answers(connection) if texts[-1] else []
            if case.is_held:
                texts.append(journal(case))
        except EOFError:
            texts = ['fin']
        except ConnectionError:
            texts = ['reset']
        except TimeoutError:
            texts = ['nothing']
    return texts + ([journal(case)] if not case.is_held else [])


def respond(case, sock, options, journal):
    """Texts of what an initiator answers to the reply of a case: FPDUs up to its end, or up to those that are answered."""
    connection = Connection(sock, options.timeout)
    with sock:
        _, flags, _, _ = connection.receive_start()
        connection.agree(case.reply[16] if len(case.reply) > 16 else 0, flags)
        connection.sock.sendall(case.reply + b''.join(connection.pack(f) for f in case.early if f is not FIN))
        if FIN in case.early:
            connection.send(FIN)
        texts, lasts = [], case.lasts
        try:
            while len(texts) < lasts:
                data, crc, markers = connection.reader.unpack(connection.receive)
                texts.append(fpdu_text(data, crc, markers, connection.sent))
                if case.answer and data[1] & 15 == READ:
                    send_frames(connection, case.answer(data, *struct.unpack('>IQI', data[18:34])))
        except EOFError:
            texts.append('fin')
        except ConnectionError:
            texts.append('reset')
        except TimeoutError:
            texts.append('nothing')
        if case.after is HOLD:
            return texts + [journal(case)]
        if case.after:
            send_frames(connection, case.after)
            texts.append('reset' if is_reset(sock) else 'nothing')
    return texts + [journal(case)]


def is_reset(sock):
    """Whether the peer resets a connection of which its FIN has come already."""
    poll = select.poll()
    poll.register(sock, select.POLLERR)
    return bool(poll.poll(1000 * sock.gettimeout())) and sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0


class Model:
    """A listener without any RDMA device: what a receiver is to check, in its order. It accepts, and has four receive
    requests, no MRs and no Reads of its own."""

    def __init__(self, sock, size, timeout):
        self.connection, self.size = Connection(sock, timeout), size
        self.msn, self.mo, self.tagged, self.is_begun = [1, 1, 1], 0, None, False
        self.sends, self.receives = None, 4

    def request(self):
        """Returns the private data of an enhanced request, or None; EOFError: the frame is wrong."""
        receive, key = self.connection.receive, b''
        while len(key) < 16:
            key += receive(1)
            if not REQ.startswith(key):
                raise EOFError
        flags, rev, length = struct.unpack('>BBH', receive(4))
        is_enhanced = rev == 2 and bool(flags & S)
        if rev not in (1, 2) or length > 512 or (is_enhanced and length < 4):
            raise EOFError
        pd = receive(length)
        return flags, rev, pd[:4] if is_enhanced else None

    def reply(self, flags, rev, pd):
        if pd is None:
            frame = start(REP, C, rev)
        else:
            first, second = struct.unpack('>HH', pd)
            options = 'A' + ('C' * (second >> 15) + 'D' * (second >> 14 & 1) or 'CD')
            ird, ord = second & 0x3fff, min(first & 0x3fff, 128)
            rejected = R * (128 < ird < 0x3fff)
            if 0x3fff in (first & 0x3fff, second & 0x3fff):
                ird = ord = 0x3fff
            frame = start(REP, C | S | rejected, rev, enhanced(options if first >> 15 else '', ird, ord))
        self.connection.sock.sendall(frame)
        if frame[16] & R:
            raise EOFError
        self.connection.agree(frame[16], flags)

    def untagged(self, data, opcode, qn, msn, mo):
        """The error of an untagged segment behind the checks of its versions and opcode, or None."""
        if msn != self.msn[qn]:
            return 0x1203
        if mo != (self.mo if qn == 0 else 0):
            return 0x1204
        if qn and not data[0] & 0x40:
            return 0x1205
        if qn == 0:
            if self.sends not in (None, opcode):
                return 0x0206
            if not self.receives:
                return 0x1202
            self.sends, self.receives = (None, self.receives - 1) if data[0] & 0x40 else (opcode, self.receives)
            if mo + len(data) - 18 > self.size:
                return 0x1205
            if opcode in (SEND_INV, SEND_SE_INV) and data[0] & 0x40:
                return 0x0209
            self.mo = 0 if data[0] & 0x40 else mo + len(data) - 18
        if data[0] & 0x40:
            self.msn[qn] += 1
        if opcode == READ:
            if len(data) > 46:
                return 0x1205
            sink, to, size = struct.unpack('>IQI', data[18:34])
            if size:
                return 0x0100
            self.connection.send(ulpdu(RESPONSE, stag=sink, to=to))
        return None

    def error(self, data, crc):
        """The error of an FPDU, or None."""
        if len(data) < 14 or len(data) < (14 if data[0] & 0x80 else 18 + {READ: 28, TERMINATE: 4}.get(data[1] & 15, 0)):
            return 0x2002 if not crc else 0x2003
        if not crc:
            return 0x2002
        tagged, opcode = bool(data[0] & 0x80), data[1] & 15
        if data[0] & 3 != 1:
            return 0x1104 if tagged else 0x1206
        if data[1] >> 6 != 1:
            return 0x0205
        if opcode > 7 or tagged != (opcode in (WRITE, RESPONSE)):
            return 0x0206
        if tagged:
            if opcode == RESPONSE or self.tagged not in (None, opcode):
                return 0x0206
            self.tagged = None if data[0] & 0x40 else opcode
            return 0x1100 if len(data) > 14 else None
        qn, msn, mo = struct.unpack('>III', data[6:18])
        if qn > 2:
            return 0x1201
        if qn != {READ: 1, TERMINATE: 2}.get(opcode, 0):
            return 0x0206
        return self.untagged(data, opcode, qn, msn, mo)

    def terminate(self, error, data):
        parts, text = 0, b''
        if error and error >> 12 < 2 and data:
            parts, text = 0xc0, struct.pack('>H', len(data)) + data[:14 if data[0] & 0x80 else 18]
            if error == 0x0100:
                parts, text = 0xe0, text + data[18:46]
        self.connection.send(ulpdu(TERMINATE, struct.pack('>HBB', error, parts, 0) + text))

    def serve_fpdus(self):
        """Full Operation up to an error, a Terminate or a FIN."""
        while True:
            try:
                data, crc, _ = self.connection.reader.unpack(self.connection.receive)
            except EOFError as end:
                if end.args[0] and self.is_begun:
                    self.terminate(0x0207, b'')
                elif end.args[0]:
                    self.connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
                    raise
                return
            self.is_begun = True
            error = self.error(data, crc)
            if error is not None:
                self.terminate(error, data)
            if error is not None or data[1] & 15 == TERMINATE:
                return

    def run(self):
        with self.connection.sock as sock:
            try:
                self.reply(*self.request())
                self.serve_fpdus()
                sock.shutdown(socket.SHUT_WR)
                while sock.recv(4096):
                    pass
            except (EOFError, OSError):
                pass


def model_initiator(address, timeout):
    """What hca as initiator is to do with a reply."""
    connection = Connection(socket.create_connection(address, timeout), timeout)
    with connection.sock as sock:
        try:
            sock.sendall(start(REQ, C | S, 2, enhanced('ACD', 8, 8)))
            key, flags, rev, pd = connection.receive_start()
            if key != REP or flags & R or not flags & S or rev != 2 or len(pd) < 4:
                return
            connection.agree(C | S, flags)
            first, second = struct.unpack('>HH', pd[:4])
            if second & 0x3fff > 128:
                connection.send(ulpdu(TERMINATE, b'\x20\x06\0\0'))
            elif not second >> 14:
                connection.send(ulpdu(TERMINATE, b'\x20\x07\0\0'))
            else:
                connection.send(ulpdu(WRITE) if second >> 15 else read())
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(4096):
                pass
        except (EOFError, OSError):
            pass


def listener(port):
    sock = socket.create_server(('', port), backlog=16)
    return sock, sock.getsockname()[1]


def serve(sock, size, timeout):
    while True:
        try:
            accepted, _ = sock.accept()
        except OSError:
            return
        threading.Thread(None, Model(accepted, size, timeout).run, daemon=True).start()


class Journal:
    """The lines of rnic_end, one for each connection."""

    def __init__(self, options):
        self.file, self.timeout = options.journal and open(options.journal), options.timeout
        if self.file:
            self.file.seek(0, io.SEEK_END)  # others may have been before

    def __call__(self, case):
        """The next line without its number, or None if there is none to come."""
        if not self.file or case.end is None:
            return None
        end, line = time.monotonic() + self.timeout, ''
        while not line.endswith('\n') and time.monotonic() < end:
            line += self.file.readline()
            time.sleep(0.01)
        return line.partition(': ')[2].strip() if line else 'no end'


def expected_of(case, options):
    """The pattern of a case; None if it is not known."""
    expected = case.siw if options.siw else case.hca
    return f'{expected}, {case.end}' if expected and options.journal and case.end is not None else expected


def is_chosen(case, options):
    names = options.case or [''] * (not case.name.startswith(SPECIAL))
    return any(case.name.startswith(name) for name in names)


def connect(options, address):
    failed, journal = False, Journal(options)
    for case in cases(options.size):
        expected = expected_of(case, options)
        if not is_chosen(case, options):
            continue
        texts = initiate(case, address, options, journal) if expected else None
        if texts is None:
            print(f"skip - {case.name} # {'the listener names no memory' if expected else 'not known of siw'}", flush=True)
        else:
            failed |= not matches(case.name, [text for text in texts if text], expected, options.verbose)
    return failed


def listen(options, sock, before=lambda: None):
    failed, journal = False, Journal(options)
    for case in replies():
        if is_chosen(case, options) and case.name.startswith(('answer', 'end')) and not options.journal:
            print(f'skip - {case.name} # the initiator has no orders')
        elif is_chosen(case, options):
            before()
            texts = respond(case, sock.accept()[0], options, journal)
            failed |= not matches(case.name, [text for text in texts if text], expected_of(case, options), options.verbose)
    return failed


def judged(name, right, why=''):
    print(f"{'ok' if right else 'not ok'} - {name}" + f': {why}' * (not right), flush=True)
    return not right


def converse(address, timeout, octets_each=0):
    """A good conversation, in TCP segments of so many octets. Returns whether all that is to come comes."""
    with socket.create_connection(address, timeout) as sock:
        connection = Connection(sock, timeout)
        octets = connection.pack(ulpdu(SEND, b'x' * 300)) + connection.pack(alive())
        for part in (PLAIN, octets):
            for at in range(0, len(part), octets_each or len(part)):
                sock.sendall(part[at:at + (octets_each or len(part))])
            if part is PLAIN and connection.receive_start()[0] != REP:
                return False
        return fpdu_text(*connection.reader.unpack(connection.receive)) == 'alive'


def ended(sock):
    """Whether a connection ends without an octet."""
    try:
        return not sock.recv(1)
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def half_open(address, timeout):
    """As many connections as a listener has without their requests, and others beside them."""
    socks = [socket.create_connection(address, timeout) for _ in range(128)]
    for sock in socks:
        sock.sendall(PLAIN[:10])
    failed = judged('beside 128 half-open connections a good one is served', converse(address, timeout))
    failed |= judged('... and another one', converse(address, timeout))
    failed |= judged('... and all of the 128 are ended', all(ended(sock) for sock in socks))
    for sock in socks:
        sock.close()
    return failed


def cuts(address, timeout):
    failed = False
    for octets in (1, 3, 21, 64):
        failed |= judged(f'a conversation in segments of {octets}', converse(address, timeout, octets))
    return failed


def reset_at(address, timeout, octets, is_replied):
    """A connection that is reset behind these octets."""
    sock = socket.create_connection(address, timeout)
    sock.sendall(octets[0])
    if is_replied:
        Connection(sock, timeout).receive_start()
        sock.sendall(octets[1])
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    sock.close()


def resets(address, timeout):
    frames = Framer().pack(ulpdu(SEND, b'x' * 64)) + Framer().pack(ulpdu(SEND, b'y' * 64, msn=2))
    for at in range(0, len(PLAIN) + 1, 2):
        reset_at(address, timeout, [PLAIN[:at]], False)
    for at in list(range(0, len(frames), 16)) + [len(frames)]:
        reset_at(address, timeout, [PLAIN, frames[:at]], True)
    return judged('behind resets in each state a conversation is served', converse(address, timeout))


def harmed_octets(rng):
    """A request and FPDUs of which some octets are others, or are missing."""
    frames = b''.join(Framer().pack(frame) for frame in (
        ulpdu(SEND, b'x' * 32), alive(), ulpdu(WRITE, b'y' * 9), read(64, msn=2)))
    octets = bytearray(PLAIN + frames)
    for _ in range(rng.randrange(1, 6)):
        octets[rng.randrange(rng.choice((0, 20)), len(octets))] = rng.randrange(256)
    return bytes(octets[:rng.choice((len(octets), rng.randrange(len(octets))))])


def harm(address, timeout, count=200):
    rng = random.Random(1)
    for _ in range(count):
        with socket.create_connection(address, timeout) as sock:
            try:
                sock.sendall(harmed_octets(rng))
                sock.shutdown(socket.SHUT_WR)
                while sock.recv(4096):
                    pass
            except (ConnectionError, OSError):
                pass
    return judged(f'behind {count} conversations with harmed octets a good one is served', converse(address, timeout))


def crowd(address, timeout):
    """Many requests at once, to a ULP that serves one connection after the other."""
    results, threads = [], []
    for _ in range(32):
        threads.append(threading.Thread(None, lambda: results.append(converse(address, timeout))))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return judged('32 conversations at once', results == [True] * 32)


def hostile(options, address):
    failed = False
    for attack in (cuts, crowd, resets, harm, half_open):
        failed |= attack(address, options.timeout)
    return failed


def receive_line(connection):
    line = b''
    while not line.endswith(b'\n'):
        line += connection.receive(1)
    return line.decode().split()


def live_frames(stag, to):
    """A Send, a Write of 64 octets, and a question."""
    return ulpdu(SEND, b'hello'), ulpdu(WRITE, b'w' * 64, stag=stag, to=to), alive()


def live_end(connection):
    """Whether the question is answered, and the connection ends in order."""
    text = fpdu_text(*connection.reader.unpack(connection.receive))
    connection.send(FIN)
    failed = judged('live: the answer', text == 'alive', text)
    return failed | judged('live: the end', not connection.sock.recv(1))


def live_connect(address, timeout):
    """Text, then a request together with the first FPDUs: an initiator may send so (req R0-259)."""
    connection = Connection(socket.create_connection(address, timeout), timeout)
    connection.sock.sendall(b'RDMA?\n')
    word, stag, to = receive_line(connection)  # the last message of the other end, before its reply
    octets = b''.join(connection.pack(frame) for frame in live_frames(int(stag), int(to)))
    connection.sock.sendall(PLAIN + octets)
    failed = judged('live: the last message', word == 'memory', word)
    failed |= judged('live: the reply', connection.receive_start()[0] == REP)
    return failed | live_end(connection)


def live_listen(port, timeout):
    """Text, then a reply together with the first FPDUs."""
    sock = listener(port)[0]
    connection = Connection(sock.accept()[0], timeout)
    connection.sock.sendall(b'RDMA?\n')
    word, stag, to = receive_line(connection)
    key, flags, rev, pd = connection.receive_start()
    failed = judged('live: the last message', word == 'memory', word)
    failed |= judged('live: the request', (key, flags & C) == (REQ, C), start_text(key, flags, rev, pd))
    octets = b''.join(connection.pack(frame) for frame in live_frames(int(stag), int(to)))
    connection.sock.sendall(start(REP, C | S, 2, enhanced('', 4, 4)) + octets)
    return failed | live_end(connection)


def known_octets():
    """Figures 5 and 6 of RFC 5044, and the two readings of a Terminate that was measured of siw."""
    framer, failed = Framer(True), False
    for octets, crc in ((framer.pack(ulpdu(SEND, bytes(24))), '52239983'), (None, '84925898')):
        if octets is None:
            framer.position = 492
            octets = framer.pack(ulpdu(SEND, bytes(24), msn=2))
        failed |= not matches(f'RFC 5044: CRC {crc}', [octets[-4:].hex()], crc, False)
    out, back = Framer(True), Framer(True)
    for count in range(18, 1300, 7):
        data = ulpdu(SEND, bytes(count - 18))
        reader = io.BytesIO(out.pack(data))
        if back.unpack(reader.read) != (data, True, True) or reader.read():
            failed |= not matches(f'markers: ULPDU of {count}', ['not what was sent'], '', False)
    return failed | (not matches('Terminate: both readings', [reading('21020300')],
                                 r'RFC 5040: 2/1/02 \(not assigned\) ; swapped: 1/2/02 MD', False))


def self_test(options):
    failed = known_octets()
    sock, port = listener(0)
    threading.Thread(None, serve, args=(sock, options.size, 5), daemon=True).start()
    failed |= connect(options, ('127.0.0.1', port))
    sock, port = listener(0)
    initiator = (('127.0.0.1', port), options.timeout)
    return failed | listen(options, sock, lambda: threading.Thread(None, model_initiator, args=initiator, daemon=True).start())


def main():
    parser = argparse.ArgumentParser(prog='rnic_peer.py', usage='see the head of the file')
    parser.add_argument('--self-test', action='store_true')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--siw', action='store_true')
    parser.add_argument('--markers', action='store_true')
    parser.add_argument('--journal')
    parser.add_argument('--size', type=int, default=2048)
    parser.add_argument('--timeout', type=float, default=30)
    parser.add_argument('-v', '--verbose', action='store_true')
    parser.add_argument('role', nargs='?', choices=('connect', 'listen', 'serve', 'hostile', 'live-connect', 'live-listen'))
    parser.add_argument('case', nargs='*')
    options = parser.parse_intermixed_args()
    if options.list:
        print(*(case.name for case in cases(options.size) + replies()), sep='\n')
    elif options.self_test:
        sys.exit(self_test(options))
    elif options.role == 'connect' and len(options.case) > 1:
        host, port, *options.case = options.case
        sys.exit(connect(options, (host, int(port))))
    elif options.role == 'hostile' and len(options.case) == 2:
        sys.exit(hostile(options, (options.case[0], int(options.case[1]))))
    elif options.role == 'live-connect' and len(options.case) == 2:
        sys.exit(live_connect((options.case[0], int(options.case[1])), options.timeout))
    elif options.role == 'live-listen' and len(options.case) == 1:
        sys.exit(live_listen(int(options.case[0]), options.timeout))
    elif options.role == 'listen' and options.case:
        port, *options.case = options.case
        sys.exit(listen(options, listener(int(port))[0]))
    elif options.role == 'serve' and options.case:
        serve(listener(int(options.case[0]))[0], options.size, options.timeout)
    else:
        parser.error('connect HOST PORT, listen PORT, serve PORT, --self-test or --list')


if __name__ == '__main__':
    main()
