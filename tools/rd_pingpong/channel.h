/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One side of a reliable datagram channel: an EE context, and the queue pairs that use it. */
#ifndef RD_PINGPONG_CHANNEL_H
#define RD_PINGPONG_CHANNEL_H

#include <infiniband/hcadv.h>
#include "exchange.h"
#include "options.h"

struct channel {
	const struct options *options;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_comp_channel *events; /* NULL: completions are polled for */
	struct ibv_cq *cq;
	struct hcadv_rdd *rdd;
	struct hcadv_eec *eec;
	uint32_t num_qps;
	struct ibv_qp **qp;
	uint8_t *memory; /* for each queue pair, a message to send and one to receive */
	struct ibv_mr *mr;
	struct side own;
};

/* All of it, up to Init; queue pairs can receive. */
void channel_open(struct channel *channel, const struct options *options, uint32_t num_qps);
/* Join it to the other side's: up to RTS. */
void channel_connect(struct channel *channel, const struct side *peer);
void channel_close(struct channel *channel);

uint8_t *channel_out(const struct channel *channel, uint32_t qp);
uint8_t *channel_in(const struct channel *channel, uint32_t qp);

void channel_receive(struct channel *channel, uint32_t qp);
/* What channel_out() has, to a queue pair of the other side. */
void channel_send(struct channel *channel, uint32_t qp, uint32_t remote_qpn);
/* The next completion, which is a success. Return: which of our queue pairs it is for. */
uint32_t channel_wait(struct channel *channel, struct hcadv_wc *wc);

#endif
