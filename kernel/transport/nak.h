/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The reasons for which a responder refuses a request. In the core, the low octet of a request
 * packet's result is an AETH syndrome, HCA_DROP or HCA_SPLIT; the high octet is the reason of a
 * NAK.
 */
#ifndef HCA_TRANSPORT_NAK_H
#define HCA_TRANSPORT_NAK_H

#include <rdma/hca-abi.h>
#include "transport/eec.h"

/**
 * hca_nak() - return the result of a request packet that is refused
 * @reason: the check that has failed; not HCA_NAK_REASON_NONE
 *
 * Context: any.
 * Return: the reason, and the syndrome to which it belongs.
 */
u16 hca_nak(enum hca_nak_reason reason);

/* Return the AETH syndrome, HCA_DROP or HCA_SPLIT of a result. Context: any. */
static inline u8 hca_syndrome_of(u16 result)
{
	return result;
}

/* Return the reason of a result; HCA_NAK_REASON_NONE if it is not a NAK. Context: any. */
static inline enum hca_nak_reason hca_nak_reason_of(u16 result)
{
	return result >> 8;
}

/**
 * hca_nak_key() - refuse an access by an R_Key
 * @tpt: the table
 * @key: R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair whose peer accesses memory
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets; 0: the address does not matter
 *
 * A function such as hca_tpt_entry_get() has refused the access before.
 *
 * Context: BH disabled; the caller holds no reference to an entry.
 * Return: the result, with the check that fails now.
 */
u16 hca_nak_key(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, u32 access, u64 addr,
		u64 length);

/**
 * hca_nak_record() - record the reason of a NAK that is sent
 * @eec: the EE context
 * @pkt: the request packet; for the tracepoint
 * @result: result of the packet; ignored unless it is a NAK
 *
 * Context: BH disabled.
 */
void hca_nak_record(struct hca_eec *eec, const struct hca_packet *pkt, u16 result);

#endif
