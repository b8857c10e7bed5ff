#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""usage: sdp_again.py PROTOCOL ADDRESS [hasty]

Uses sockets once more, and prints what each call returns. ADDRESS is one of this host. With `hasty`: begins to connect, gives
up, and connects elsewhere, 40 times, and then begins to connect to an address that nobody has as often.
"""
import ctypes
import errno
import os
import select
import socket
import struct
import subprocess
import sys
import time

PROTOCOL, ADDRESS = int(sys.argv[1]), sys.argv[2]
NOBODY = ADDRESS.rsplit(".", 1)[0] + ".77"
libc = ctypes.CDLL(None, use_errno=True)


def stream():
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, PROTOCOL)


def listener(address=ADDRESS):
    sock = stream()
    sock.bind((address, 0))
    sock.listen()
    return sock


def result(call, *arguments):
    try:
        value = call(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "ok" if value is None else value


def say(what, call, *arguments):
    print(f"{what}: {result(call, *arguments)}", flush=True)


def disconnect(sock):
    nobody = bytes(16)
    if libc.connect(sock.fileno(), nobody, len(nobody)):
        raise OSError(ctypes.get_errno(), "connect")


def unused_port():
    with listener() as sock:
        return sock.getsockname()[1]


def after_a_failure():
    sock = stream()
    say("nobody listens", sock.connect, (ADDRESS, unused_port()))
    say("listen after it", sock.listen)
    say("it listens", sock.getsockopt, socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    with stream() as client:
        say("connect to it", client.connect, (ADDRESS, sock.getsockname()[1]))
        child, _ = sock.accept()
        child.close()
    sock.close()


def of_two_addresses():
    with listener("0.0.0.0") as server, stream() as sock:
        port = server.getsockname()[1]
        say("refused here", sock.connect, (ADDRESS, unused_port()))
        say("by loopback", sock.connect, ("127.0.0.1", port))
        print("its address", sock.getsockname()[0])
        say("to no address", disconnect, sock)
        say("by its address", sock.connect, (ADDRESS, port))
        print("its address", sock.getsockname()[0])


def with_data_unread():
    with listener() as server, stream() as sock:
        sock.connect(server.getsockname())
        first, _ = server.accept()
        first.sendall(b"of the first")
        first.send(b"!", socket.MSG_OOB)
        select.select([sock], [], [], 10)
        time.sleep(0.5)
        say("to no address", disconnect, sock)
        say("getpeername", sock.getpeername)
        say("recv", sock.recv, 100)
        say("connect", sock.connect, server.getsockname())
        second, _ = server.accept()
        second.sendall(b"of the second")
        time.sleep(0.5)
        print("exceptions:", len(select.select([], [], [sock], 0)[2]))
        say("recv", sock.recv, 100)
        second.close()
        first.close()


def a_listener_that_was_shut_down():
    with listener() as server, stream() as waits, stream() as client:
        name = server.getsockname()
        waits.connect(name)
        say("shutdown", server.shutdown, socket.SHUT_RD)
        say("accept", server.accept)
        waits.settimeout(10)
        say("who was not accepted", waits.recv, 1)
        say("connect", client.connect, name)
        say("listen", server.listen)
        client.close()
        with stream() as another:
            say("connect", another.connect, server.getsockname())
            child, _ = server.accept()
            child.close()


def a_child_that_was_reset():
    with listener() as server:
        client = stream()
        client.connect(server.getsockname())
        own = client.getsockname()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        time.sleep(0.5)
        child, name = server.accept()
        print("the name of a child that was reset", name == own)
        say("recv", child.recv, 1)
        child.close()


def a_child_that_listens():
    with listener() as server, stream() as client:
        client.connect(server.getsockname())
        child, _ = server.accept()
        server.close()
        say("to no address", disconnect, child)
        say("listen", child.listen)
        with stream() as another:
            say("connect", another.connect, (ADDRESS, child.getsockname()[1]))
        child.close()


def a_name_that_grows():
    with listener() as server, stream() as sock, stream() as other:
        port = unused_port()
        sock.bind(("0.0.0.0", port))
        say("connect", sock.connect, server.getsockname())
        say("bind beside it", other.bind, ("127.0.0.1", port))
        say("to no address", disconnect, sock)
        say("listen at all addresses", sock.listen)
        say("it listens", sock.getsockopt, socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        other.close()
        say("listen at all addresses", sock.listen)


def hasty():
    connected = 0
    with listener() as server:
        server.settimeout(10)
        port = server.getsockname()[1]
        elsewhere = unused_port()
        for _ in range(40):
            with stream() as sock:
                sock.setblocking(False)
                for _ in range(3):
                    result(sock.connect, (ADDRESS, elsewhere))
                    result(disconnect, sock)
                sock.settimeout(10)
                connected += result(sock.connect, (ADDRESS, port)) == "ok"
                server.accept()[0].close()
    print(connected, "connected")


def cm_ids():
    """How many identifiers rdma_cm has on hca0."""
    shown = subprocess.run(["rdma", "resource", "show", "hca0"], capture_output=True, text=True, check=True).stdout
    return int(shown.split("cm_id ")[1].split()[0])


def unresolved():
    before = cm_ids()
    with stream() as sock:
        sock.bind((ADDRESS, 0))
        sock.setblocking(False)
        for _ in range(40):
            result(sock.connect, (NOBODY, 9))
            result(disconnect, sock)
    for _ in range(300):
        if cm_ids() <= before:
            break
        time.sleep(0.1)
    print(cm_ids() - before, "identifiers")


if len(sys.argv) > 3:
    hasty()
    unresolved()
else:
    after_a_failure()
    of_two_addresses()
    with_data_unread()
    a_listener_that_was_shut_down()
    a_child_that_was_reset()
    a_child_that_listens()
    a_name_that_grows()
