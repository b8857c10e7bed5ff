/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* MPA's start-up: request and reply frames, what they negotiate, and the first FPDU. */
#ifndef HCA_IWARP_STARTUP_H
#define HCA_IWARP_STARTUP_H

#include "iwarp/iwarp_qp.h"

/* Time that an initiator waits for a reply, and a responder for an RTR message. */
#define HCA_STARTUP_REPLY_SECONDS 10

/**
 * hca_startup_alloc_reads() - allocate memory for as many Read Requests as were agreed
 * @ep: the endpoint
 * @size: set to their number, which is at least 1 for an RTR message
 *
 * Context: any.
 * Return: the memory, or NULL.
 */
struct hca_read *hca_startup_alloc_reads(const struct hca_endpoint *ep, u16 *size);

/**
 * hca_startup_grow_reads() - have memory for as many Read Requests as were agreed
 * @it: the queue pair, with an endpoint, and without a Read Request
 *
 * The peer may issue more Read Requests than this end has asked for.
 *
 * Context: BH disabled; send_lock held.
 * Return: false: there is no memory.
 */
bool hca_startup_grow_reads(struct hca_iwarp_qp *it);

/**
 * hca_startup_turn_down() - send the own frame, a rejection, and end the stream
 * @ep: the endpoint, with the frame
 *
 * Context: BH disabled; ep->lock held, and send_lock of a queue pair.
 */
void hca_startup_turn_down(struct hca_endpoint *ep);

/**
 * hca_startup_end() - take an endpoint back from its queue pair, and wait for the stream's end
 * @ep: the endpoint; it may be without a queue pair
 *
 * The queue pair of a live stream goes to Error, since it has no connection manager that tells of
 * the end.
 *
 * Context: BH disabled; ep->lock held, and send_lock of a queue pair.
 */
void hca_startup_end(struct hca_endpoint *ep);

/**
 * hca_startup_abort() - reset the stream of an endpoint, after hca_startup_end()
 * @ep: the endpoint; it may be without a queue pair
 *
 * Context: BH disabled; ep->lock held, and send_lock of a queue pair.
 */
void hca_startup_abort(struct hca_endpoint *ep);

/**
 * hca_startup_run_alone() - the run function of an endpoint as long as it has no queue pair
 * @r: run of the endpoint
 * @budget: reduced by one
 *
 * Context: BH disabled; takes ep->lock.
 * Return: false.
 */
bool hca_startup_run_alone(struct hca_runnable *r, int *budget);

/**
 * hca_startup_run() - do what start-up needs
 * @ep: the endpoint, in a state before HCA_STARTUP_FULL
 *
 * The queue pair may be without endpoint afterwards.
 *
 * Context: a run function; BH disabled; ep->lock held, and send_lock of a queue pair.
 */
void hca_startup_run(struct hca_endpoint *ep);

/**
 * hca_startup_first() - note that the responder's first FPDU has arrived, which may now send
 * @it: the queue pair; send_lock held
 * @segment: the segment; NULL: the FPDU is not valid
 *
 * Nothing happens if the consumer has chosen another state than RTR meanwhile.
 *
 * Context: run function of the queue pair; BH disabled.
 * Return: whether the segment is an RTR message that must not be delivered.
 */
bool hca_startup_first(struct hca_iwarp_qp *it, const struct hca_rx_segment *segment);

/**
 * hca_startup_rtr_sent() - note that the stream has the RTR message
 * @ep: the endpoint of a queue pair; send_lock held
 *
 * Context: run function of the queue pair; BH disabled.
 */
void hca_startup_rtr_sent(struct hca_endpoint *ep);

#endif
