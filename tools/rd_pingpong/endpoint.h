/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One end of a reliable datagram connection: an EE context, and the queue pairs that use the EE
 * context.
 */
#ifndef RD_PINGPONG_ENDPOINT_H
#define RD_PINGPONG_ENDPOINT_H

#include <infiniband/hcadv.h>
#include "exchange.h"
#include "options.h"

struct endpoint {
	const struct options *options;
	struct ibv_context *context;
	struct ibv_pd *pd;
	/* completion channel of the CQ; NULL: the CQ is polled without sleeping */
	struct ibv_comp_channel *events;
	struct ibv_cq *cq;
	struct hcadv_rdd *rdd;
	struct hcadv_eec *eec;
	uint32_t num_qps;
	struct ibv_qp **qp;
	/* buffers: for each queue pair, its send buffer and then its receive buffer */
	uint8_t *memory;
	struct ibv_mr *mr;
	struct side own; /* the address of this end, which is sent to the peer */
};

/*
 * Opens the device, creates all objects, and moves the EE context and the queue pairs to the Init
 * state. Posts one receive to each queue pair.
 */
void endpoint_open(struct endpoint *endpoint, const struct options *options, uint32_t num_qps);
/*
 * Connects the EE context to the EE context of @peer. Moves the EE context and the queue pairs to
 * Ready To Send.
 */
void endpoint_connect(struct endpoint *endpoint, const struct side *peer);
void endpoint_close(struct endpoint *endpoint);

/* Functions that return a buffer of queue pair number @qp. Each buffer has options->size octets. */
uint8_t *endpoint_send_buffer(const struct endpoint *endpoint, uint32_t qp);
uint8_t *endpoint_recv_buffer(const struct endpoint *endpoint, uint32_t qp);

void endpoint_post_recv(struct endpoint *endpoint, uint32_t qp);
/*
 * Sends the contents of the send buffer of queue pair number @qp to queue pair @remote_qpn of the
 * peer.
 */
void endpoint_post_send(struct endpoint *endpoint, uint32_t qp, uint32_t remote_qpn);
/*
 * Waits for the next completion. Ends the program if the completion has an error. Return: the index
 * of the completion's queue pair.
 */
uint32_t endpoint_poll(struct endpoint *endpoint, struct hcadv_wc *wc);

#endif
