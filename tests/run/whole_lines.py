#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: tests/run/whole_lines.py COMMAND...
#
# Fails unless COMMAND writes to standard error, and each write there is a whole line, so that lines of programs that share a
# file do not mix.

import socket
import subprocess
import sys

near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)  # each write is a datagram
with subprocess.Popen(sys.argv[1:], stderr=far):
    far.close()
near.setblocking(False)
writes = []
try:
    while octets := near.recv(4096):
        writes.append(octets)
except (BlockingIOError, ConnectionResetError):
    pass
if not writes or any(octets.count(b'\n') != 1 or not octets.endswith(b'\n') for octets in writes):
    sys.exit(f'not whole lines: {writes}')
