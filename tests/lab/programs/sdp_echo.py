#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""usage: sdp_echo.py serve|ask|abandon ADDRESS

Sends a million octets by SDP to a server of this program, which sends them back. Both print how many they have received,
their own address and the other's. `abandon` closes a socket that connects by iWARP, where nobody answers, and prints whether that
was done before TCP gave up.
"""
import socket
import sys
import threading
import time

PORT, OCTETS = 7007, 1000000
how, address = sys.argv[1:]
sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 257)


def receive(sock, send):
    octets = 0
    while octets < OCTETS and (data := sock.recv(65536)):
        octets += len(data)
        if send:
            sock.sendall(data)
    return octets


def names(sock):
    return f"{sock.getsockname()[0]} {sock.getpeername()[0]}"


def tcp_connects():
    """Whether a connection of TCP is in SYN_SENT."""
    with open("/proc/net/tcp", encoding="ascii") as file:
        return any(line.split()[3] == "02" for line in file)


def abandon():
    sock.setblocking(False)
    try:
        sock.connect((address, PORT))
    except BlockingIOError:
        pass
    while not tcp_connects():
        time.sleep(0.1)
    sock.close()
    print("closed", "before" if tcp_connects() else "after")


if how == "abandon":
    abandon()
elif how == "serve":
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((address, PORT))
    sock.listen()
    peer, name = sock.accept()
    known = names(peer)
    assert name[0] == peer.getpeername()[0]
    print(receive(peer, True), known)
    peer.close()
else:
    try:
        sock.connect((address, PORT))
    except OSError as error:
        sys.exit(f"{type(error).__name__}: {error}")
    known = names(sock)
    sender = threading.Timer(0, sock.sendall, (bytes(OCTETS),))
    sender.start()
    octets = receive(sock, False)
    sender.join()
    print(octets, known)
    sock.close()
