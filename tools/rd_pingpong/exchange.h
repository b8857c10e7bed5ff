/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Exchanges the addresses of client and server by TCP before the first message. */
#ifndef RD_PINGPONG_EXCHANGE_H
#define RD_PINGPONG_EXCHANGE_H

#include "options.h"

/* The address of one end, which its peer needs for the EE context and the requests. */
struct side {
	uint16_t lid;
	union ibv_gid gid;
	uint32_t eecn;
	uint32_t psn;
	uint32_t num_qps;
	uint32_t *qpn;
};

/*
 * Connects to the server; if this process is the server, waits for the first connection.
 * Return: the socket.
 */
int exchange_open(const struct options *options);
void exchange_send(int fd, const struct side *own);
/* Allocates peer->qpn, which the caller frees. */
void exchange_receive(int fd, struct side *peer);
/* Waits until the peer has also called this function. */
void exchange_barrier(int fd);

#endif
