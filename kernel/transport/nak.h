/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The result of a request packet, a u16. The low octet is an AETH syndrome, HCA_DROP or HCA_SPLIT.
 * The high octet is the reason (enum hca_nak_reason) for which the responder sends a NAK, and 0 if
 * the result is not a NAK.
 */
#ifndef HCA_TRANSPORT_NAK_H
#define HCA_TRANSPORT_NAK_H

#include <rdma/hca-abi.h>
#include "transport/eec.h"

/**
 * hca_nak() - return the result of a request packet that is refused
 * @reason: the reason for the NAK; not HCA_NAK_REASON_NONE
 *
 * Context: any.
 * Return: a result that contains @reason and the AETH syndrome for @reason.
 */
u16 hca_nak(enum hca_nak_reason reason);

/* Return the AETH syndrome, HCA_DROP or HCA_SPLIT in a result. Context: any. */
static inline u8 hca_syndrome_of(u16 result)
{
	return result;
}

/* Return the reason in a result; HCA_NAK_REASON_NONE if the result is not a NAK. Context: any. */
static inline enum hca_nak_reason hca_nak_reason_of(u16 result)
{
	return result >> 8;
}

/**
 * hca_nak_key() - return the result of a request whose R_Key does not permit an access
 * @tpt: the translation and protection table
 * @key: R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the destination queue pair of the request
 * @access: needed access rights, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets; if 0, @addr does not matter
 *
 * Called after another function, such as hca_tpt_entry_get(), has refused the access.
 *
 * Context: BH disabled; the caller holds no reference to an entry.
 * Return: a result with the reason that the checks give when they are made again. If none of them
 * fails any more, the reason is HCA_NAK_REASON_RKEY_CHANGED.
 */
u16 hca_nak_key(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, u32 access, u64 addr,
		u64 length);

/**
 * hca_nak_record() - record the reason of a NAK that is sent
 * @eec: the EE context
 * @pkt: the request packet, for the tracepoint
 * @result: result of the packet; ignored unless it is a NAK
 *
 * Context: BH disabled.
 */
void hca_nak_record(struct hca_eec *eec, const struct hca_packet *pkt, u16 result);

#endif
