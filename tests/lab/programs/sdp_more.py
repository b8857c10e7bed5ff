#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""usage: sdp_more.py PROTOCOL ADDRESS

Sends what waits for more, by MSG_MORE and TCP_CORK, and prints what comes, and whether it had to wait. ADDRESS is one of this
host. What a busy machine has delayed is tried again.
"""
import socket
import sys
import threading
import time

PROTOCOL, ADDRESS = int(sys.argv[1]), sys.argv[2]
WAIT = 0.15  # seconds: a little less than what waits has to
LARGE = 300000
MORE = socket.MSG_MORE


class Late(Exception):
    """The machine was too busy for this try to say anything."""


class Pair:
    """A connection, at whose other end a thread notes what the first call receives, and when."""

    def __enter__(self):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM, PROTOCOL) as listener:
            listener.bind((ADDRESS, 0))
            listener.listen()
            self.sender = socket.socket(socket.AF_INET, socket.SOCK_STREAM, PROTOCOL)
            self.sender.connect(listener.getsockname())
            self.receiver = listener.accept()[0]
        self.thread = threading.Thread(None, self.receive)
        self.thread.start()
        self.began = time.monotonic()
        return self

    def __exit__(self, *reason):
        self.sender.close()
        self.receiver.close()

    def receive(self):
        self.data = self.receiver.recv(LARGE)
        self.came = time.monotonic() - self.began

    def sent(self):
        """All was sent, soon enough for what waited to be waiting still."""
        if time.monotonic() - self.began > WAIT:
            self.thread.join()
            raise Late

    def first(self):
        self.thread.join()
        return f"{self.data.decode()}, {'after a wait' if self.came > WAIT else 'at once'}"

    def option(self, name, value):
        self.sender.setsockopt(socket.IPPROTO_TCP, name, value)


def alone(pair):
    pair.sender.send(b"a", MORE)
    return pair.first()


def followed(pair):
    for octet in b"a", b"b":
        pair.sender.send(octet, MORE)
    pair.sender.send(b"c")
    pair.sent()
    return pair.first()


def corked(pair):
    pair.option(socket.TCP_CORK, 1)
    for octet in b"a", b"b":
        pair.sender.send(octet)
    pair.option(socket.TCP_CORK, 0)
    pair.sent()
    return pair.first()


def left_corked(pair):
    pair.option(socket.TCP_CORK, 1)
    pair.sender.send(b"a")
    return pair.first()


def not_delayed(pair):
    pair.sender.send(b"a", MORE)
    pair.option(socket.TCP_NODELAY, 1)
    pair.sent()
    return pair.first()


def ended(pair):
    pair.sender.send(b"a", MORE)
    pair.sender.shutdown(socket.SHUT_WR)
    pair.sent()
    first = pair.first()
    return f"{first}, and then {len(pair.receiver.recv(1))} octets"


def large(pair):
    pair.sender.sendall(bytes(LARGE), MORE)
    pair.thread.join()
    left = LARGE - len(pair.data)
    while left:
        left -= len(pair.receiver.recv(left))
    return "all"


def answer(scene, prompt):
    """What comes, but for tries that were too late for what has to be prompt."""
    for _ in range(20):
        try:
            with Pair() as pair:
                came = scene(pair)
        except Late:
            continue
        if not prompt or "after a wait" not in came:
            break
    else:
        return "late each time"
    return came


for name, scene, prompt in (
    ("alone", alone, False),
    ("followed", followed, True),
    ("corked", corked, True),
    ("left corked", left_corked, False),
    ("not delayed", not_delayed, True),
    ("ended", ended, True),
    ("large", large, False),
):
    print(f"{name}: {answer(scene, prompt)}", flush=True)
