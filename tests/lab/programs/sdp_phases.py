#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""usage: sdp_phases.py ADDRESS

A write with SO_SNDTIMEO waits for room, then until all that was written before is sent, and for room again. The program
prints whether the last wait is given no more than the first two have left. Probes of the kernel's wait_woken() note, in
jiffies, what each wait is given and what it leaves, so that the result does not depend on the speed of the machine.
ADDRESS is one of this host.
"""
import contextlib
import os
import re
import socket
import struct
import subprocess
import sys
import threading
import time

IPPROTO_SDP = 257
SO_SNDBUFFORCE = 32
TRACING = "/sys/kernel/tracing"
# A hundred threads may be in wait_woken() at a time, and no return is missed.
PROBES = "p:sdp_given wait_woken jiffies=$arg3:s64", "r100:sdp_left wait_woken jiffies=$retval:s64"
TIMEOUT = 3600  # seconds: far longer than the program runs
FEW = 1000  # jiffies: more than the wait until all is sent is given, and less than TIMEOUT
SMALL, LARGE = 100000, 8 << 20  # octets of a write that is copied, and of one that tries to go without a copy
READ = 65536  # octets that are read whenever the write waits for room
RECEIVES, SENDS = 100000, 2 << 20  # SO_RCVBUF and SO_SNDBUF: a read makes room for a small part of what waits to be sent


def control(name, text, flags=os.O_TRUNC):
    fd = os.open(f"{TRACING}/{name}", os.O_WRONLY | flags)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


@contextlib.contextmanager
def probes(thread):
    """Note the waits of one thread."""
    names = [probe.split()[0].split(":")[1] for probe in PROBES]
    control("trace", "\n")
    for name, probe in zip(names, PROBES):
        control("kprobe_events", probe, os.O_APPEND)
        control(f"events/kprobes/{name}/filter", f"common_pid == {thread}")
        control(f"events/kprobes/{name}/enable", "1")
    try:
        yield
    finally:
        for name in names:
            control(f"events/kprobes/{name}/enable", "0")
            control("kprobe_events", f"-:{name}", os.O_APPEND)
        control("trace", "\n")


def waits():
    """Jiffies that each wait was given and has left; a wait that goes on has left None."""
    found = []
    with open(f"{TRACING}/trace", encoding="ascii") as file:
        for line in file:
            event = re.search(r" sdp_(given|left): .* jiffies=(\d+)$", line.rstrip())
            if event and event[1] == "given":
                found.append((int(event[2]), None))
            elif event:
                found[-1] = found[-1][0], int(event[2])
    return found


def last_wait(found):
    """What the last wait for room was given, and what the waits before it have left; None while there are no such three."""
    rest = empty = None
    for given, left in found:
        if given < FEW:
            empty = (given if empty is None else empty), left
        elif rest is not None and empty and None not in empty and empty[0] > empty[1]:
            return given, rest - (empty[0] - empty[1])
        else:
            rest, empty = left, None
    return None


class Writer(threading.Thread):
    """A thread that writes much more than there is room for, after smaller writes that leave none."""

    def __init__(self, sock):
        super().__init__(daemon=True)
        self.sock = sock
        self.go = threading.Event()

    def run(self):
        self.go.wait()
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", TIMEOUT, 0))
        with contextlib.suppress(BlockingIOError):
            while True:
                self.sock.send(bytes(SMALL), socket.MSG_DONTWAIT)
        with contextlib.suppress(ConnectionError):
            self.sock.send(bytes(LARGE))


def observed(writer, reader):
    """Read a little whenever the write waits for room, until all three waits were seen."""
    writer.go.set()
    found = []
    while not last_wait(found):
        if not writer.is_alive():
            sys.exit(f"the write has ended, after these waits: {found}")
        if found and found[-1][1] is None and found[-1][0] >= FEW:
            with contextlib.suppress(BlockingIOError):
                reader.recv(READ, socket.MSG_DONTWAIT)
        time.sleep(0.1)
        found = waits()
    return last_wait(found)


def main():
    if not os.path.exists(f"{TRACING}/trace"):  # `ip netns exec` has mounted another /sys
        subprocess.run(["mount", "-t", "tracefs", "tracefs", TRACING], check=True)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, IPPROTO_SDP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVES)
        listener.bind((sys.argv[1], 0))
        listener.listen()
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, IPPROTO_SDP)
        sock.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, SENDS)
        sock.connect(listener.getsockname())
        reader = listener.accept()[0]
    writer = Writer(sock)
    writer.start()
    with probes(writer.native_id):
        given, left = observed(writer, reader)
        reader.close()
        writer.join()
    print("the last wait is given what is left" if given <= left else f"the last wait is given {given} of {left} jiffies")


main()
