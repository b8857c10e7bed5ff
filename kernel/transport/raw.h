/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Raw datagrams: packets of other protocols, IPv6 or of an EtherType (B4-411 to B4-418). */
#ifndef HCA_TRANSPORT_RAW_H
#define HCA_TRANSPORT_RAW_H

#include "transport/qp.h"
#include "wire/opcode.h"

static inline bool hca_qp_is_raw(const struct hca_qp *qp)
{
	return qp->eec.transport == HCA_TRANSPORT_RAW;
}

/* A raw queue pair is made, is going. Context: process. */
void hca_raw_add(struct hca_qp *qp);
void hca_raw_del(struct hca_qp *qp);

/**
 * hca_raw_build() - make a request's packet
 * @qp: a raw queue pair; send_lock held
 * @req: the request
 * @pkt: the packet
 *
 * Context: BH disabled. Return: as hca_payload_attach().
 */
int hca_raw_build(struct hca_qp *qp, const struct hca_request *req, struct hca_packet *pkt);

/**
 * hca_raw_receive() - a raw packet has come: a copy for each who takes such packets there
 * @port: where
 * @pkt: the packet; stays the caller's
 *
 * Unicast is for all raw queue pairs of its kind at the port, for there is nothing to choose
 * by (B4-413); multicast for those that are attached (B4-417).
 * Context: the port's run. Return: whether there is any.
 */
bool hca_raw_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
