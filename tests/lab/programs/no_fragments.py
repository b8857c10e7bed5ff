# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: no_fragments.py INTERFACE
# Turns off an interface's checksums and fragments, as ethtool -K does. Exit status 1: it has fragments still.
import array
import fcntl
import socket
import struct
import sys

SIOCETHTOOL = 0x8946
SET_CHECKSUMS, GET_FRAGMENTS, SET_FRAGMENTS = 0x17, 0x18, 0x19


def call(command, value):
    values = array.array('I', [command, value])
    request = struct.pack('16sQ16x', sys.argv[1].encode(), values.buffer_info()[0])
    fcntl.ioctl(socket.socket(), SIOCETHTOOL, request)
    return values[1]


call(SET_CHECKSUMS, 0)
call(SET_FRAGMENTS, 0)
sys.exit(call(GET_FRAGMENTS, 0))
