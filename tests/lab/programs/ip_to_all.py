# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: python3 ip_to_all.py 4|6 INTERFACE
#
# For each number that it reads, sends so many datagrams of 1,900 octets by this interface to all, by broadcast of IPv4 or by
# the group of all nodes of IPv6, and prints the number.

import socket
import sys


def main():
    family, interface = sys.argv[1:]
    if family == '6':
        sender = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        to = socket.getaddrinfo(f'ff02::1%{interface}', 4000, type=socket.SOCK_DGRAM)[0][4]
    else:
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        to = ('10.9.9.255', 4000)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode())
    for line in iter(sys.stdin.readline, ''):
        for _ in range(int(line)):
            sender.sendto(bytes(1900), to)
        print(line.strip(), flush=True)


main()
