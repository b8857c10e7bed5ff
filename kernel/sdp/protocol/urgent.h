/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Out-of-band octets to be sent to the peer. OOB_PEND in a message announces each out-of-band octet
 * once, at most 65,535 octets ahead. The out-of-band octet is the last octet of a Data message with
 * OOB_PRES.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_URGENT_H
#define HCA_SDP_PROTOCOL_URGENT_H

#include <linux/types.h>

#define SDP_URGENT_AHEAD 65535u /* maximum octets from OOB_PEND to the out-of-band octet */
#define SDP_URGENT_MAX 4 /* maximum number of unannounced out-of-band octets */

struct sdp_urgent {
	u32 queued; /* octets of payload that the program has queued, modulo 2^32 */
	u32 sent; /* octets of payload in messages that were sent, modulo 2^32 */
	u32 ends[SDP_URGENT_MAX]; /* ring: value of @queued after each unannounced octet */
	u8 first; /* index in @ends of the first unannounced octet */
	u8 count; /* number of unannounced octets */
};

/**
 * sdp_urgent_queue() - account for payload that is to be sent
 * @urgent: state of the connection
 * @octets: octets of payload
 * @oob: whether the last octet is out of band
 *
 * Context: any.
 * Return: 0; -ENOBUFS: SDP_URGENT_MAX out-of-band octets are not announced yet, and nothing has
 * changed.
 */
int sdp_urgent_queue(struct sdp_urgent *urgent, u32 octets, bool oob);

/**
 * sdp_urgent_is_due() - whether the next message is to announce an out-of-band octet
 * @urgent: state of the connection
 *
 * Context: any.
 */
bool sdp_urgent_is_due(const struct sdp_urgent *urgent);

/**
 * sdp_urgent_passed() - account for octets that the peer has read by RDMA Read
 * @urgent: state of the connection, without queued payload
 * @octets: number of octets
 *
 * Context: any.
 */
static inline void sdp_urgent_passed(struct sdp_urgent *urgent, u32 octets)
{
	urgent->queued += octets;
	urgent->sent += octets;
}

/**
 * sdp_urgent_sent() - account for a message that is sent
 * @urgent: state of the connection
 * @payload: octets of payload in the message, or of the RDMA Write that RdmaWrCompl reports
 *
 * Context: any.
 * Return: SDP_FLAG_OOB_PEND if the message is to have this flag, or 0.
 */
u8 sdp_urgent_sent(struct sdp_urgent *urgent, u32 payload);

#endif
