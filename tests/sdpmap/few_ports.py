#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: tests/sdpmap/few_ports.py USED COMMAND...
#
# Runs COMMAND where the kernel chooses of the ports 40000 to 40003, of which the first USED are in use by IPv6 alone. It changes
# the network namespace that it is called in.

import os
import socket
import sys

FIRST, COUNT = 40000, 4

with open('/proc/sys/net/ipv4/ip_local_port_range', 'w') as ports:
    ports.write(f'{FIRST} {FIRST + COUNT - 1}')
for port in range(FIRST, FIRST + int(sys.argv[1])):
    sock = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    sock.bind(('::', port))
    os.set_inheritable(sock.detach(), True)
os.execv(sys.argv[2], sys.argv[2:])
