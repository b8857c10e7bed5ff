/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Why a responder refuses a request. Inside of the core the result of a request packet is an AETH
 * syndrome, HCA_DROP or HCA_SPLIT in the low octet; of a NAK, the reason is in the high octet.
 */
#ifndef HCA_TRANSPORT_NAK_H
#define HCA_TRANSPORT_NAK_H

#include <rdma/hca-abi.h>
#include "transport/eec.h"

/**
 * hca_nak() - return the result of a request packet that is refused
 * @reason: which check has failed; not HCA_NAK_REASON_NONE
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

/* Return the reason of a result; HCA_NAK_REASON_NONE unless it is a NAK's. Context: any. */
static inline enum hca_nak_reason hca_nak_reason_of(u16 result)
{
	return result >> 8;
}

/**
 * hca_nak_key() - refuse an access by an R_Key, which hca_tpt_entry_get() or the like has refused
 * @tpt: the table
 * @key: R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair whose peer accesses memory
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets; 0: the address does not matter
 *
 * Context: BH disabled; the caller holds no reference to an entry.
 * Return: the result, with the check that fails now.
 */
u16 hca_nak_key(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, u32 access, u64 addr,
		u64 length);

/**
 * hca_nak_record() - note that a NAK is sent, for those who ask for the reason
 * @eec: the EE context
 * @pkt: the request packet; for the tracepoint
 * @result: of the packet; nothing is noted unless it is a NAK's
 *
 * Context: BH disabled.
 */
void hca_nak_record(struct hca_eec *eec, const struct hca_packet *pkt, u16 result);

#endif
