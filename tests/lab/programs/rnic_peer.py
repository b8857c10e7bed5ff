#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: rnic_peer.py connect HOST PORT [OPTION...] [CASE...]   as initiator, to a listener that accepts each connection
#        rnic_peer.py listen PORT [OPTION...] [CASE...]         as responder; each case waits for an initiator
#        rnic_peer.py serve PORT                                a model of a listener, for connect
#        rnic_peer.py --self-test | --list
#
# A peer of iWARP that is TCP, sockets and octets alone: MPA, DDP and RDMAP as RFC 5040, 5041, 5044 and 6581 have them, and
# without any RDMA device. Each CASE is a connection: start-up, FPDUs, wrong ones among them, and what must come in return.
# Prints ok - NAME or not ok - NAME, and with -v what came, the octets of Terminates with both readings.
#   --siw          compare with what is known of Linux's siw instead of with what hca is to do; other cases are skipped
#   --size N       octets of each receive request of the listener (64), of which there are at least two
#   --timeout S    ends what hangs (30); no result depends on it
# The listener has no MRs that this peer knows. The last frame of a case whose connection must live on is a Read Request of no
# octets, whose response says "alive".

import argparse
import io
import re
import socket
import struct
import sys
import threading
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
FIN = object()


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
        elif isinstance(frame, Raw):
            self.sock.sendall(frame.octets)
        elif isinstance(frame, Wrong):
            self.sock.sendall(self.writer.pack(*frame))
        else:
            self.sock.sendall(self.writer.pack(frame))


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


def fpdu_text(data, crc, markers):
    """For example: send 5, response 0, terminate 12 05 c0 00."""
    opcode, wrong = data[1] & 15, ' bad-crc' * (not crc) + ' bad-marker' * (not markers)
    payload = data[14 if data[0] & 0x80 else 18:]
    if opcode == RESPONSE and data[2:6] == struct.pack('>I', PROBE):
        return 'alive' + wrong
    if opcode == TERMINATE:
        return 'terminate ' + payload[:4].hex(' ') + wrong
    if opcode == READ:
        return f"read {struct.unpack('>I', payload[12:16])[0]}" + wrong
    return f"{NAMES[opcode] if opcode < 8 else f'opcode{opcode}'} {len(payload)}" + wrong


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
    try:
        while texts[-1:] != ['alive']:
            data, crc, markers = connection.reader.unpack(connection.receive)
            texts.append(fpdu_text(data, crc or not connection.crc, markers))
    except EOFError as error:
        texts.append('fin' if error.args == (0,) else 'fin in an FPDU')
    except ConnectionResetError:
        texts.append('reset')
    except TimeoutError:
        texts.append('nothing')
    return texts


# A case of connect: the start-up frame or frames, what is sent in one piece with it, FPDUs behind the reply; patterns of
# what comes: the answer of hca, and that of siw where it is known.
Case = namedtuple('Case', 'name start early frames hca siw', defaults=(None,))
PLAIN = start(flags=C)
REPLY = 'reply C rev1( pd\\d+)?'
ENDS = '(fin|reset)'


def full(name, frames, hca, siw=None):
    """A case of Full Operation: Send, Write and so on behind a start-up without options."""
    return Case(name, PLAIN, [], frames, f'{REPLY}, {hca}', siw and f'{REPLY}, {siw}')


def terminates(name, frames, octets, siw=None):
    return full(name, frames, f'terminate {octets}, {ENDS}', siw and f'terminate {siw}, {ENDS}')


def cases(size):
    return [
        Case('start: revision 1, CRC', PLAIN, [], [alive()], f'{REPLY}, alive', f'{REPLY}, alive'),
        Case('start: CRC not wanted', start(flags=0), [], [alive()], f'{REPLY}, alive', 'reply rev1( pd\\d+)?, alive'),
        Case('start: markers wanted', start(flags=M | C), [], [alive()], f'{REPLY}, alive', f'reply M?( C)? R rev1.*, {ENDS}'),
        Case('start: reserved bits', start(flags=C | 0x0f), [], [alive()], f'{REPLY}, alive'),
        Case('start: R in a request', start(flags=C | R), [], [alive()], f'{REPLY}, alive'),
        Case('start: revision 0', start(rev=0), [], [], ENDS),
        Case('start: revision 3', start(rev=3), [], [], ENDS, ENDS),
        Case('start: revision 1 with S', start(flags=C | S, pd=enhanced('A')), [], [alive()], f'{REPLY}, alive'),
        Case('start: S without peer-to-peer', start(flags=C | S, rev=2, pd=enhanced('')), [], [alive()],
             'reply C S rev2 ird\\d+ ord\\d+.*, alive'),
        Case('start: RTR by Write or Read', start(flags=C | S, rev=2, pd=enhanced('ACD')), [], [ulpdu(WRITE), alive()],
             'reply C S rev2 A C( D)? ird\\d+ ord\\d+.*, alive', 'reply C S rev2 A C ird\\d+ ord\\d+.*, alive'),
        Case('start: RTR by Read alone', start(flags=C | S, rev=2, pd=enhanced('AD')), [], [read(), alive(2)],
             'reply C S rev2 A D ird\\d+ ord\\d+.*, response 0, alive'),
        Case('start: no RTR message follows', start(flags=C | S, rev=2, pd=enhanced('AC')), [], [ulpdu(SEND, b'x'), alive()],
             'reply C S rev2 A C ird\\d+ ord\\d+.*, alive'),
        Case('start: revision 2 without S', start(rev=2), [], [alive()], 'reply C rev[12]( pd\\d+)?, alive'),
        Case('start: IRD and ORD not negotiated', start(flags=C | S, rev=2, pd=enhanced('', 0x3fff, 0x3fff)), [], [alive()],
             'reply C S rev2 ird16383 ord16383.*, alive'),
        Case('start: PD_Length 512', start(pd=bytes(512)), [], [alive()], f'{REPLY}, alive', ENDS),
        Case('start: PD_Length 513', start(pd=bytes(513)), [], [], ENDS, ENDS),
        Case('start: S with PD_Length 3', start(flags=C | S, rev=2, pd=bytes(3)), [], [], ENDS),
        Case('start: wrong first octet of the key', b'N', [], [], ENDS),
        Case('start: wrong last octet of the key', REQ[:15] + b'E', [], [], ENDS),
        Case('start: a reply where a request is due', start(REP), [], [], ENDS),
        Case('start: FIN in the request', PLAIN[:19], [FIN], [], ENDS),
        Case('start: octet by octet', [PLAIN[at:at + 1] for at in range(20)], [], [alive()], f'{REPLY}, alive'),
        Case('start: an FPDU with the request', PLAIN, [alive()], [], f'{REPLY}, alive', 'reset'),
        Case('start: half a request', PLAIN[:10], [], [], ENDS),

        full('send', [ulpdu(SEND, b'x' * size), alive()], 'alive', 'alive'),
        full('send: two segments', [ulpdu(SEND, b'x' * 8, last=False), ulpdu(SEND, b'y', mo=8), alive()], 'alive', 'alive'),
        full('send: reserved bits of DDP and RDMAP', [Wrong(b'\x7d\x73' + ulpdu(SEND, b'x')[2:]), alive()], 'alive'),
        full('write: no octets, any STag', [ulpdu(WRITE, stag=0x12345678, to=2**64 - 1), alive()], 'alive', 'alive'),
        full('read: no octets, any STag', [read(source_to=2**64 - 1), alive(2)], 'response 0, alive', 'response 0, alive'),
        terminates('crc: one bit', [Wrong(ulpdu(SEND, b'x' * 16), 1)], '20 02 00 00', '02 02 00 00'),
        terminates('crc: and the header is wrong too', [Wrong(ulpdu(9, rv=0), 0x80000000)], '20 02 00 00'),
        terminates('length: 13', [ulpdu(WRITE)[:13]], '20 03 00 00'),
        terminates('length: 0', [b''], '20 03 00 00'),
        terminates('length: 17, untagged', [ulpdu(SEND)[:17]], '20 03 00 00'),
        terminates('length: Read Request of 45', [read(cut=27)], '20 03 00 00'),
        terminates('length: Read Request of 47', [read(excess=b'x')], '12 05 c0 00'),
        terminates('dv: tagged', [ulpdu(WRITE, b'x', dv=0)], '11 04 c0 00'),
        terminates('dv: untagged', [ulpdu(SEND, b'x', dv=2)], '12 06 c0 00'),
        terminates('rv: 0', [ulpdu(SEND, b'x', rv=0)], '02 05 c0 00', '20 05 00 00'),
        terminates('opcode: 8', [ulpdu(8, b'x')], '02 06 c0 00'),
        terminates('opcode: 9', [ulpdu(9, b'x')], '02 06 c0 00', '20 06 00 00'),
        terminates('opcode: 15', [ulpdu(15, tagged=True)], '02 06 c0 00'),
        terminates('opcode: untagged Write', [ulpdu(WRITE, b'x', tagged=False)], '02 06 c0 00', '11 00 .. ..'),
        full('opcode: tagged Send', [ulpdu(SEND, b'x', tagged=True), alive()], f'terminate 02 06 c0 00, {ENDS}', 'alive'),
        terminates('opcode: Response without a Read', [ulpdu(RESPONSE, b'x')], '02 06 c0 00'),
        full('qn: Read Request on 0', [read(qn=0), alive()], f'terminate 02 06 (c0|e0) 00, {ENDS}', 'response 0, .*'),
        terminates('qn: Send on 1', [ulpdu(SEND, b'x', qn=1)], '02 06 c0 00'),
        terminates('qn: 3', [ulpdu(SEND, b'x', qn=3)], '12 01 c0 00'),
        terminates('msn: 2 first', [ulpdu(SEND, b'x', msn=2)], '12 03 c0 00'),
        terminates('msn: 0', [ulpdu(SEND, b'x', msn=0)], '12 03 c0 00'),
        terminates('msn: 1 twice', [ulpdu(SEND, b'x'), ulpdu(SEND, b'x')], '12 03 c0 00'),
        terminates('msn: of Read Requests', [read(msn=2)], '12 03 (c0|e0) 00'),
        terminates('mo: 4 first', [ulpdu(SEND, b'x', mo=4)], '12 04 c0 00'),
        terminates('mo: a gap', [ulpdu(SEND, b'x', last=False), ulpdu(SEND, b'x', mo=2)], '12 04 c0 00'),
        terminates('too long: by one', [ulpdu(SEND, b'x' * (size + 1))], '12 05 c0 00', '21 02 03 00'),
        terminates('too long: in its second segment', [ulpdu(SEND, b'x' * size, last=False), ulpdu(SEND, b'x', mo=size)],
                   '12 05 c0 00'),
        terminates('stag: Write', [ulpdu(WRITE, b'x', stag=0x77777700)], '11 00 c0 00'),
        terminates('stag: source of a Read', [read(64)], '01 00 e0 00', '10 00 07 00'),
        terminates('stag: nothing to invalidate', [ulpdu(SEND_INV, b'x', inval=0x77777700)], '02 09 c0 00'),
        terminates('interleaved: a Write in a Write', [ulpdu(WRITE, last=False), ulpdu(RESPONSE)], '02 06 c0 00'),
        full('terminate: has no answer', [ulpdu(TERMINATE, b'\x12\x02\0\0')], ENDS, ENDS),
        full('terminate: as siw has its bits', [ulpdu(TERMINATE, b'\x21\x02\x03\0')], ENDS),
        full('terminate: announces what it has not', [ulpdu(TERMINATE, b'\x12\x02\xe0\0')], ENDS),
        full('fin: at a border of FPDUs', [FIN], ENDS, ENDS),
        full('fin: in an FPDU', [Raw(b'\0\x13\x41'), FIN], f'terminate 02 07 00 00, {ENDS}'),
    ]


# A case of listen: the reply to an initiator that has sent an enhanced request with A; patterns of the first answers of hca.
Reply = namedtuple('Reply', 'name reply early hca')
ACCEPT = dict(flags=C | S, rev=2)


def replies():
    return [
        Reply('reply: RTR by Write', start(REP, pd=enhanced('AC', 8, 1), **ACCEPT), [], 'write 0(, .*)?'),
        Reply('reply: RTR by Read', start(REP, pd=enhanced('AD', 8, 1), **ACCEPT), [], 'read 0(, .*)?'),
        Reply('reply: RTR by Write or Read', start(REP, pd=enhanced('ACD', 8, 1), **ACCEPT), [], '(write|read) 0(, .*)?'),
        Reply('reply: RTR by nothing', start(REP, pd=enhanced('A', 8, 1), **ACCEPT), [], f'terminate 20 07 00 00, {ENDS}'),
        Reply('reply: RTR by Send alone', start(REP, pd=enhanced('AB', 8, 1), **ACCEPT), [], f'terminate 20 07 00 00, {ENDS}'),
        Reply('reply: ORD above each IRD', start(REP, pd=enhanced('AC', 8, 0x3ffe), **ACCEPT), [],
              f'terminate 20 06 00 00, {ENDS}'),
        Reply('reply: rejected', start(REP, C | R | S, 2, enhanced('A')), [], ENDS),
        Reply('reply: without S', start(REP, C, 2), [], ENDS),
        Reply('reply: revision 0', start(REP, C | S, 0, enhanced('AC')), [], ENDS),
        Reply('reply: revision 3', start(REP, C | S, 3, enhanced('AC')), [], ENDS),
        Reply('reply: a request', start(REQ, C | S, 2, enhanced('AC')), [], ENDS),
        Reply('reply: wrong key', b'MPA ID Rep Farme' + start(REP, C | S, 2, enhanced('AC'))[16:], [], ENDS),
        Reply('reply: PD_Length 513', start(REP, C | S, 2, enhanced('AC') + bytes(509)), [], ENDS),
        Reply('reply: FIN in it', start(REP, C | S, 2, enhanced('AC'))[:18], [FIN], ENDS),
        Reply('reply: a Terminate with it', start(REP, pd=enhanced('AC', 8, 1), **ACCEPT), [ulpdu(TERMINATE, b'\0\0\0\0')],
              f'(write 0, )?(.*, )?{ENDS}'),
    ]


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


def initiate(case, address, timeout):
    """Texts of what a listener answers to a case."""
    connection = Connection(socket.create_connection(address, timeout), timeout)
    with connection.sock:
        try:
            parts = case.start if isinstance(case.start, list) else [case.start]
            own = (b''.join(parts) + bytes(20))[16]
            for part in parts[:-1]:
                connection.sock.sendall(part)
            # What is early comes with the last octets of the frame, and has the CRCs and no markers.
            connection.sock.sendall(parts[-1] + b''.join(connection.writer.pack(f) for f in case.early if f is not FIN))
            if FIN in case.early:
                connection.send(FIN)
            key, flags, rev, pd = connection.receive_start()
            texts = [start_text(key, flags, rev, pd)]
            connection.agree(own, flags)
            for frame in case.frames:
                try:
                    connection.send(frame)
                except (BrokenPipeError, ConnectionResetError):
                    break
        except EOFError:
            return ['fin']
        except ConnectionError:
            return ['reset']
        except TimeoutError:
            return ['nothing']
        return texts + answers(connection)


def respond(case, sock, timeout):
    """Texts of what an initiator answers to the reply of a case: its first FPDU, and what follows a Terminate of either."""
    connection = Connection(sock, timeout)
    with sock:
        _, flags, _, _ = connection.receive_start()
        connection.agree(case.reply[16] if len(case.reply) > 16 else 0, flags)
        connection.sock.sendall(case.reply + b''.join(connection.writer.pack(f) for f in case.early if f is not FIN))
        if FIN in case.early:
            connection.send(FIN)
        texts = []
        try:
            while not texts or texts[-1].startswith('terminate') or case.early:
                texts.append(fpdu_text(*connection.reader.unpack(connection.receive)))
        except EOFError:
            texts.append('fin')
        except ConnectionError:
            texts.append('reset')
        except TimeoutError:
            texts.append('nothing')
        return texts


class Model:
    """A listener without any RDMA device: what a receiver is to check, in its order. It accepts, and has two receive requests
    at any time, no MRs and no Reads of its own."""

    def __init__(self, sock, size, timeout):
        self.connection, self.size = Connection(sock, timeout), size
        self.msn, self.mo, self.tagged = [1, 1, 1], 0, None

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
            options = 'A' * (first >> 15) + 'C' * (second >> 15) + 'D' * (second >> 14 & 1)
            ird, ord = second & 0x3fff, min(first & 0x3fff, 128)
            if 0x3fff in (first & 0x3fff, second & 0x3fff):
                ird = ord = 0x3fff
            frame = start(REP, C | S, rev, enhanced(options if first >> 15 else '', ird, ord))
        self.connection.sock.sendall(frame)
        self.connection.agree(frame[16], flags)

    def untagged(self, data, opcode, qn, msn, mo):
        """The error of an untagged segment behind the checks of its versions and opcode, or None."""
        if msn != self.msn[qn]:
            return 0x1203
        if mo != (self.mo if qn == 0 else 0):
            return 0x1204
        if qn == 0:
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
        if len(data) < 14 or len(data) < (14 if data[0] & 0x80 else 18) or (data[1] & 15 == READ and len(data) < 46):
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
                if end.args[0]:
                    self.terminate(0x0207, b'')
                return
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


def connect(options, address):
    failed = False
    for case in cases(options.size):
        expected = case.siw if options.siw else case.hca
        if options.case and case.name not in options.case:
            continue
        if expected is None:
            print(f'skip - {case.name} # not known of siw')
            continue
        failed |= not matches(case.name, initiate(case, address, options.timeout), expected, options.verbose)
    return failed


def listen(options, sock, before=lambda: None):
    failed = False
    for case in replies():
        if not options.case or case.name in options.case:
            before()
            failed |= not matches(case.name, respond(case, sock.accept()[0], options.timeout), case.hca, options.verbose)
    return failed


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
    parser.add_argument('--size', type=int, default=64)
    parser.add_argument('--timeout', type=float, default=30)
    parser.add_argument('-v', '--verbose', action='store_true')
    parser.add_argument('role', nargs='?', choices=('connect', 'listen', 'serve'))
    parser.add_argument('case', nargs='*')
    options = parser.parse_args()
    if options.list:
        print(*(case.name for case in cases(options.size) + replies()), sep='\n')
    elif options.self_test:
        sys.exit(self_test(options))
    elif options.role == 'connect' and len(options.case) > 1:
        host, port, *options.case = options.case
        sys.exit(connect(options, (host, int(port))))
    elif options.role == 'listen' and options.case:
        port, *options.case = options.case
        sys.exit(listen(options, listener(int(port))[0]))
    elif options.role == 'serve' and options.case:
        serve(listener(int(options.case[0]))[0], options.size, options.timeout)
    else:
        parser.error('connect HOST PORT, listen PORT, serve PORT, --self-test or --list')


if __name__ == '__main__':
    main()
