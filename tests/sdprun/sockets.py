#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: sdprun ... tests/sdprun/sockets.py CASE [ARGUMENT...]
#
# Uses sockets as programs do, and fails unless they are of the protocols that CASE is about. Most cases want fake.c preloaded.

import ctypes
import errno
import fcntl
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading

SDP, TCP = 257, socket.IPPROTO_TCP
SO_PROTOCOL, F_SETSIG, F_GETSIG = 38, 10, 11
HOST = '127.0.0.1'


def protocol(sock):
    return sock.getsockopt(socket.SOL_SOCKET, SO_PROTOCOL)


def same(found, wanted):
    if found != wanted:
        sys.exit(f'{found!r} instead of {wanted!r}, in line {sys._getframe(1).f_lineno}')


def used_ports():
    for name in '/proc/net/tcp', '/proc/net/tcp6':
        with open(name, encoding='ascii') as lines:
            for line in list(lines)[1:]:
                yield int(line.split()[1].split(':')[1], 16)


def free_port():
    """One that nothing uses, nor those around it, and that is not chosen for clients: TCP and SDP of the fake can have it."""
    used = {*used_ports()}
    while True:
        port = random.randrange(10000, 32000)
        if not used & {*range(port - 8, port + 9)}:
            return port


def print_free_port():
    print(free_port())


def answer(listener):
    while True:
        try:
            sock = listener.accept()[0]
        except OSError:
            return
        with sock:
            sock.sendall(sock.recv(100))


def serve(family=socket.AF_INET, host=HOST, port=0):
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port or free_port()))
    listener.listen(64)
    threading.Thread(None, answer, None, (listener,), daemon=True).start()
    return listener


def exchange(sock):
    sock.sendall(b'there and back')
    same(sock.recv(100), b'there and back')


def pair(server, client):
    """Both use the protocols that are named."""
    with serve() as listener, socket.socket() as sock:
        sock.connect(listener.getsockname())
        exchange(sock)
        same((protocol(listener), protocol(sock)), (int(server), int(client)))


def pairs(count):
    for _ in range(int(count)):
        pair(TCP, TCP)


def at(port, server, client, host=HOST, count=1):
    """Both use the protocols that are named, at a port that is, too; one after the other COUNT clients of one process."""
    mapped = host.startswith('::ffff:')
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    with serve(socket.AF_INET if mapped else family, HOST if mapped else host, int(port)) as listener:
        same(protocol(listener), int(server))
        for _ in range(int(count)):
            with socket.socket(family) as sock:
                sock.connect((host, int(port)))
                exchange(sock)
                same(protocol(sock), int(client))


def client_port(port, bound):
    """Prints the port that the client connects from, in hexadecimal; BOUND is 1 or 0: the program has chosen it, or has not."""
    with serve(port=int(port)), socket.socket() as sock:
        if int(bound):
            sock.bind((HOST, free_port()))
        sock.connect((HOST, int(port)))
        exchange(sock)
        same(protocol(sock), SDP)
        print(f'{sock.getsockname()[1]:04x}')


def has_sdp():
    """Whether the kernel has."""
    socket.socket(socket.AF_INET, socket.SOCK_STREAM, SDP).close()


def inet6(server, client):
    with serve(socket.AF_INET6, '::1') as listener, socket.socket(socket.AF_INET6) as sock:
        sock.connect(listener.getsockname())
        exchange(sock)
        same((protocol(listener), protocol(sock)), (int(server), int(client)))


def mapped(client):
    """An IPv4 address in an IPv6 socket."""
    with serve() as listener, socket.socket(socket.AF_INET6) as sock:
        sock.connect(('::ffff:127.0.0.1', listener.getsockname()[1]))
        exchange(sock)
        same(protocol(sock), int(client))


def ports(first, last, inside, outside):
    """Servers of ports from FIRST to LAST use one protocol, and of those beside them another."""
    first, last = int(first), int(last)
    for port, wanted in (first - 3, outside), (first, inside), (last, inside), (last + 3, outside):
        with serve(port=port) as listener:
            same(protocol(listener), int(wanted))
            same(listener.getsockname(), (HOST, port))


def flags():
    """Flags of socket(2) are kept."""
    calls = ctypes.CDLL(None, use_errno=True)
    for nonblocking in 0, socket.SOCK_NONBLOCK:
        for cloexec in 0, socket.SOCK_CLOEXEC:
            fd = calls.socket(socket.AF_INET, socket.SOCK_STREAM | nonblocking | cloexec, 0)
            with socket.socket(fileno=fd) as sock:
                same(protocol(sock), SDP)
                same(fcntl.fcntl(sock, fcntl.F_GETFL) & os.O_NONBLOCK, nonblocking)
                same(bool(fcntl.fcntl(sock, fcntl.F_GETFD)), bool(cloexec))


def untouched():
    """What is no stream socket of TCP stays what it is."""
    for family, kind in (socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_INET6, socket.SOCK_DGRAM):
        with socket.socket(family, kind) as sock:
            same(protocol(sock), socket.IPPROTO_UDP)
    ends = socket.socketpair()
    with ends[0], ends[1]:
        same(protocol(ends[0]), 0)
    with socket.socket(socket.AF_UNIX) as sock:
        same(protocol(sock), 0)
    try:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_MPTCP)
    except OSError:
        return
    with sock:
        same(protocol(sock), socket.IPPROTO_MPTCP)


def carried(make, inherit, finish):
    """Options, flags and address of a socket that MAKE has made are those that it has after FINISH, which replaces it."""
    linger = struct.pack('ii', 1, 7)
    with socket.socket() as sock:
        make(sock)
        sock.set_inheritable(inherit)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0x10)
        fcntl.fcntl(sock, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(sock, fcntl.F_SETFL, fcntl.fcntl(sock, fcntl.F_GETFL) | os.O_ASYNC)
        fcntl.fcntl(sock, F_SETSIG, signal.SIGURG)  # which is ignored
        before = protocol(sock), sock.getsockname(), sock.fileno()
        finish(sock)
        same((protocol(sock), sock.getsockname(), sock.fileno()), (TCP, *before[1:]))
        same(before[0], SDP)
        same(sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE), 1)
        same(sock.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER, 8), linger)
        same(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), 1)
        same(sock.getsockopt(socket.IPPROTO_IP, socket.IP_TOS), 0x10)
        same(fcntl.fcntl(sock, fcntl.F_GETFL) & (os.O_NONBLOCK | os.O_ASYNC), os.O_NONBLOCK | os.O_ASYNC)
        same(fcntl.fcntl(sock, fcntl.F_GETOWN), os.getpid())
        same(fcntl.fcntl(sock, F_GETSIG), signal.SIGURG)
        same(sock.get_inheritable(), inherit)


def prepare(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((HOST, free_port()))
    sock.setblocking(False)


def carried_client(inherit):
    """INHERIT is 1 or 0: programs that this one runs have the descriptor, or have not."""
    with serve() as listener:
        carried(prepare, bool(int(inherit)), lambda sock: same(sock.connect_ex(listener.getsockname()) in (0, errno.EINPROGRESS), True))


def carried_server(inherit):
    carried(prepare, bool(int(inherit)), lambda sock: sock.listen(1))


def finished(sock, result):
    """Whether a socket that does not block has connected, and by what."""
    same(result in (0, errno.EINPROGRESS), True)
    sock.settimeout(60)
    exchange(sock)
    return protocol(sock)


def nonblocking(client, port=0):
    """connect() of a socket that does not block."""
    with serve(port=int(port)) as listener, socket.socket() as sock:
        sock.setblocking(False)
        result = sock.connect_ex(listener.getsockname())
        same(finished(sock, result), int(client))
        if int(client) == SDP:
            same(result, 0)


def silent():
    """By SDP nothing answers: a listener, whose queue is full, of the port that the fake uses for it."""
    with serve() as listener:
        port = listener.getsockname()[1]
        full = socket.socket()
        full.bind((HOST, port + 1))
        full.listen(0)
        filling = [socket.socket() for _ in range(4)]
        for sock in filling:
            sock.setblocking(False)
            sock.connect_ex((HOST, port + 1))
        with socket.socket() as sock:
            sock.setblocking(False)
            same(finished(sock, sock.connect_ex((HOST, port))), TCP)


def refused(number):
    """Nothing listens; a second attempt fails in the same way."""
    with socket.socket() as sock:
        for _ in range(2):
            same(sock.connect_ex((HOST, free_port())), errno.ECONNREFUSED)
        same(protocol(sock), int(number))


def cannot_bind():
    with socket.socket() as sock:
        try:
            sock.bind((HOST, 0))
        except OSError as error:
            same((error.errno, protocol(sock)), (errno.ENODEV, SDP))
        else:
            sys.exit('bind() succeeds')


def child(number):
    """What a program runs has SDP sockets, too: a shell, and what that runs."""
    subprocess.run(['sh', '-c', '"$@"', 'sh', sys.executable, __file__, 'pair', number, number], check=True)
    process = os.fork()
    if not process:
        pair(number, number)
        os._exit(0)
    same(os.waitpid(process, 0)[1], 0)


def reused():
    """A descriptor of a socket that is gone belongs to another one, which stays what it is."""
    sock = socket.socket()
    fd = sock.fileno()
    sock.close()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        same(other.fileno(), fd)
        other.connect((HOST, 9))
        same(protocol(other), socket.IPPROTO_UDP)


def errors():
    """errno stays as it is where a call succeeds, and tells what the kernel refuses where it does not."""
    calls = ctypes.CDLL(None, use_errno=True)
    one = ctypes.c_int(1)
    with serve() as listener:
        address = struct.pack('=HH4s8x', socket.AF_INET, socket.htons(listener.getsockname()[1]), socket.inet_aton(HOST))
        ctypes.set_errno(77)
        fd = calls.socket(socket.AF_INET, socket.SOCK_STREAM, 0)
        same(calls.setsockopt(fd, socket.SOL_SOCKET, socket.SO_KEEPALIVE, ctypes.byref(one), 4), 0)
        same(calls.connect(fd, address, len(address)), 0)
        same(ctypes.get_errno(), 77)
        os.close(fd)
    for call in (calls.connect, fd, address, 16), (calls.bind, fd, address, 16), (calls.listen, fd, 1), \
            (calls.setsockopt, fd, 1, 1, ctypes.byref(one), 4):
        ctypes.set_errno(0)
        same((call[0](*call[1:]), ctypes.get_errno()), (-1, errno.EBADF))


def threads(server, client):
    """Many connections at a time."""
    failures = []

    def many(address):
        try:
            for _ in range(40):
                with socket.socket() as sock:
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    sock.connect(address)
                    exchange(sock)
                    same((protocol(sock), sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)), (int(client), 1))
        except (OSError, SystemExit) as error:
            failures.append(error)

    with serve() as listener:
        same(protocol(listener), int(server))
        running = [threading.Thread(None, many, None, (listener.getsockname(),)) for _ in range(8)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
    same(failures, [])


globals()[sys.argv[1]](*sys.argv[2:])
