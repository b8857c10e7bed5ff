#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""usage: sdp_memory.py ADDRESS COUNT [fill|use] [small]

Makes up to COUNT connections of SDP with itself; with `fill` it writes into both ends of each until there is no room, with `use`
a megabyte goes each way. With `small` SO_RCVBUF and SO_SNDBUF are 4,096. Prints how many there are, how the last attempt has ended,
with `use` the pages that SDP has taken for one of them, and with `small` the octets that one end took, and keeps them until its
standard input ends.
"""
import errno
import resource
import socket
import sys

ADDRESS, COUNT = sys.argv[1], int(sys.argv[2])
SECONDS = 20


def stream():
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 257)
    sock.settimeout(SECONDS)
    if "small" in sys.argv:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    return sock


def fill(sock):
    sock.setblocking(False)
    octets = 0
    try:
        while True:
            octets += sock.send(bytes(65536))
    except BlockingIOError:
        return octets


def used_pages():
    with open("/proc/net/protocols", encoding="ascii") as protocols:
        return next(int(line.split()[3]) for line in protocols if line.startswith("SDP "))


def use(one, other):
    for _ in range(16):
        one.sendall(bytes(65536))
        left = 65536
        while left:
            left -= len(other.recv(left))


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, [resource.getrlimit(resource.RLIMIT_NOFILE)[1]] * 2)
    listener = stream()
    listener.bind((ADDRESS, 0))
    listener.listen()
    ends, made, most, octets, result = [], 0, 0, 0, "ok"
    try:
        while made < COUNT:
            before = used_pages()
            ends.append(stream())
            ends[-1].connect(listener.getsockname())
            ends.append(listener.accept()[0])
            if "fill" in sys.argv:
                octets = max(octets, fill(ends[-1]), fill(ends[-2]))
            if "use" in sys.argv:
                use(*ends[-2:])
                use(*ends[:-3:-1])
                most = max(most, used_pages() - before)
            made += 1
    except OSError as error:
        result = errno.errorcode.get(error.errno, str(error))
    print(f"{made} connections, then {result}" + (f", {most} pages" if most else "") +
          (f", {octets} octets" if "small" in sys.argv else ""), flush=True)
    sys.stdin.read()


main()
