/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One end of a reliable datagram connection: an EE context, and the queue pairs that use it. */
#ifndef RD_PINGPONG_ENDPOINT_H
#define RD_PINGPONG_ENDPOINT_H

#include <infiniband/hcadv.h>
#include "exchange.h"
#include "options.h"

struct endpoint {
	const struct options *options;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_comp_channel *events; /* NULL: the CQ is polled without sleeping */
	struct ibv_cq *cq;
	struct hcadv_rdd *rdd;
	struct hcadv_eec *eec;
	uint32_t num_qps;
	struct ibv_qp **qp;
	uint8_t *memory; /* for each queue pair: the send buffer, then the receive buffer */
	struct ibv_mr *mr;
	struct side own; /* address of this end, which the peer needs */
};

/*
 * Opens the device, creates all objects and moves the EE context and the queue pairs to Init. One
 * receive is posted to each queue pair.
 */
void endpoint_open(struct endpoint *endpoint, const struct options *options, uint32_t num_qps);
/* Connects the EE context to that of @peer and moves it and the queue pairs to RTS. */
void endpoint_connect(struct endpoint *endpoint, const struct side *peer);
void endpoint_close(struct endpoint *endpoint);

/* Return a buffer of queue pair number @qp, which has options->size octets. */
uint8_t *endpoint_send_buffer(const struct endpoint *endpoint, uint32_t qp);
uint8_t *endpoint_recv_buffer(const struct endpoint *endpoint, uint32_t qp);

void endpoint_post_recv(struct endpoint *endpoint, uint32_t qp);
/* Sends the contents of endpoint_send_buffer() to queue pair @remote_qpn of the peer. */
void endpoint_post_send(struct endpoint *endpoint, uint32_t qp, uint32_t remote_qpn);
/*
 * Waits for the next completion, and exits if its status is an error.
 * Return: the index of the queue pair that it belongs to.
 */
uint32_t endpoint_poll(struct endpoint *endpoint, struct hcadv_wc *wc);

#endif
