/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The numbers and options that MPA's frames negotiate (RFC 5044, 7.1; RFC 6581). */
#ifndef HCA_IWARP_NEGOTIATE_H
#define HCA_IWARP_NEGOTIATE_H

#include "iwarp/endpoint.h"

/**
 * hca_negotiate_request() - make the request of an initiator
 * @ep: its endpoint, with ird and ord; @own is set, but for the private data
 *
 * Context: any.
 */
void hca_negotiate_request(struct hca_endpoint *ep);

/**
 * hca_negotiate_accept() - make the reply of a responder, and choose its limits
 * @ep: its endpoint, with @peer, ird and ord; @own is set, but for the private data
 *
 * Context: any.
 * Return: 0; -ENOMEM: the peer issues more Read Requests than an RNIC serves; @own is a rejection.
 */
int hca_negotiate_accept(struct hca_endpoint *ep);

/**
 * hca_negotiate_reject() - make the reply of a responder that rejects the connection
 * @ep: its endpoint, with @peer; @own is set, but for the private data
 *
 * Context: any.
 */
void hca_negotiate_reject(struct hca_endpoint *ep);

/**
 * hca_negotiate_frame() - make the octets of a request or a reply, which are to be sent
 * @ep: its endpoint, with @own
 * @data: private data; NULL if there are none
 * @length: their octets
 *
 * Context: any.
 * Return: 0; -EINVAL: there are more private data than the frame can contain.
 */
int hca_negotiate_frame(struct hca_endpoint *ep, const void *data, u16 length);

/**
 * hca_negotiate_reply() - choose the limits of an initiator, and its RTR message
 * @ep: its endpoint, with @own and @peer, a reply that accepts; ird and ord are set
 * @rtr: set to an enum hca_rtr; 0: none
 *
 * Context: any.
 * Return: HCA_IWARP_OK; HCA_ERR_MPA_IRD or HCA_ERR_MPA_RTR: the connection is to be terminated.
 */
enum hca_iwarp_error hca_negotiate_reply(struct hca_endpoint *ep, u8 *rtr);

/**
 * hca_negotiate_rtr() - the RTR messages of which a frame speaks
 * @frame: the frame
 *
 * Context: any.
 * Return: bits of enum hca_rtr; 0 if there is no RTR message.
 */
u8 hca_negotiate_rtr(const struct hca_mpa_frame *frame);

#endif
