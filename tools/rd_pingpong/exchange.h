/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Exchanges the addresses of client and server by TCP before the first message. */
#ifndef RD_PINGPONG_EXCHANGE_H
#define RD_PINGPONG_EXCHANGE_H

#include "options.h"

/* The address of one end. The peer uses this address to connect its EE context and to send. */
struct side {
	uint16_t lid;
	union ibv_gid gid;
	uint32_t eecn;
	uint32_t psn;
	uint32_t num_qps;
	uint32_t *qpn;
};

/*
 * Makes the TCP connection. The client connects to the server, and the server waits for one
 * connection. Return: the socket.
 */
int exchange_open(const struct options *options);
void exchange_send(int fd, const struct side *own);
/* Receives the peer's address. peer->qpn is allocated, and the caller frees it. */
void exchange_receive(int fd, struct side *peer);
/* Waits until the peer has called this function, too. */
void exchange_barrier(int fd);

#endif
