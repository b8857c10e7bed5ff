/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the two tell each other by TCP before the first message. */
#ifndef RD_PINGPONG_EXCHANGE_H
#define RD_PINGPONG_EXCHANGE_H

#include "options.h"

struct side {
	uint16_t lid;
	union ibv_gid gid;
	uint32_t eecn;
	uint32_t psn;
	uint32_t num_qps;
	uint32_t *qpn;
};

/* The connection: as a client, to the server; else the first one that comes. */
int exchange_open(const struct options *options);
void exchange_tell(int fd, const struct side *own);
/* ->qpn is allocated. */
void exchange_hear(int fd, struct side *peer);
/* Wait until the other has come as far. */
void exchange_meet(int fd);

#endif
