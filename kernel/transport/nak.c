// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The AETH syndrome for each enum hca_nak_reason, and the recording of NAKs. */
#include "transport/nak.h"
#include <linux/kernel.h>
#include "link/tap/tap.h"
#include "tpt/entry.h"
#include "transport/aeth.h"

#define R(name) [HCA_NAK_REASON_##name]

static const u8 nak_syndromes[] = {
	R(OPCODE) = HCA_NAK_INVALID_REQUEST,
	R(ORDER) = HCA_NAK_INVALID_REQUEST,
	R(PACKET_LENGTH) = HCA_NAK_INVALID_REQUEST,
	R(MESSAGE_LENGTH) = HCA_NAK_INVALID_REQUEST,
	R(WRITE_LENGTH) = HCA_NAK_INVALID_REQUEST,
	R(RECV_LENGTH) = HCA_NAK_INVALID_REQUEST,
	R(QP_ACCESS) = HCA_NAK_INVALID_REQUEST,
	R(RD_ATOMIC) = HCA_NAK_INVALID_REQUEST,
	R(ALIGNMENT) = HCA_NAK_INVALID_REQUEST,
	R(ATOMIC_LENGTH) = HCA_NAK_INVALID_REQUEST,
	R(FLUSH) = HCA_NAK_INVALID_REQUEST,
	R(XRC_SRQ) = HCA_NAK_INVALID_REQUEST,
	R(RKEY) = HCA_NAK_REMOTE_ACCESS,
	R(RKEY_INVALID) = HCA_NAK_REMOTE_ACCESS,
	R(RKEY_PD) = HCA_NAK_REMOTE_ACCESS,
	R(RKEY_QP) = HCA_NAK_REMOTE_ACCESS,
	R(RKEY_ACCESS) = HCA_NAK_REMOTE_ACCESS,
	R(RKEY_BOUNDS) = HCA_NAK_REMOTE_ACCESS,
	R(RKEY_CHANGED) = HCA_NAK_REMOTE_ACCESS,
	R(PAGE) = HCA_NAK_REMOTE_ACCESS,
	R(INVALIDATE) = HCA_NAK_REMOTE_ACCESS,
	R(XRC_SRQ_GONE) = HCA_NAK_REMOTE_ACCESS,
	R(RECV_SGE) = HCA_NAK_REMOTE_OPERATION,
	R(RECV_QUEUE) = HCA_NAK_REMOTE_OPERATION,
	R(CQ) = HCA_NAK_REMOTE_OPERATION,
	R(ATOMIC_MEMORY) = HCA_NAK_REMOTE_OPERATION,
	R(RD_QP) = HCA_NAK_INVALID_RD_REQUEST,
};

/*
 * enum hca_drop_reason lists the reasons of NAKs in the order of enum hca_nak_reason. The assertion
 * checks that both enums have the same number of reasons. tests/docs/errors.py compares the names
 * of the reasons.
 */
static_assert(HCA_DROP_NAK_RD_QP - HCA_DROP_NAK_OPCODE ==
	      HCA_NAK_REASON_RD_QP - HCA_NAK_REASON_OPCODE);

u16 hca_nak(enum hca_nak_reason reason)
{
	return reason << 8 | nak_syndromes[reason];
}

u16 hca_nak_key(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, u32 access, u64 addr,
		u64 length)
{
	switch (hca_tpt_entry_refusal(tpt, key, pd, qpn, access, addr, length)) {
	case HCA_VENDOR_ERR_LKEY:
		return hca_nak(HCA_NAK_REASON_RKEY);
	case HCA_VENDOR_ERR_LKEY_INVALID:
		return hca_nak(HCA_NAK_REASON_RKEY_INVALID);
	case HCA_VENDOR_ERR_LKEY_WINDOW:
		return hca_nak(HCA_NAK_REASON_RKEY_QP);
	case HCA_VENDOR_ERR_LKEY_PD:
		return hca_nak(HCA_NAK_REASON_RKEY_PD);
	case HCA_VENDOR_ERR_LKEY_ACCESS:
		return hca_nak(HCA_NAK_REASON_RKEY_ACCESS);
	case HCA_VENDOR_ERR_LKEY_BOUNDS:
		return hca_nak(HCA_NAK_REASON_RKEY_BOUNDS);
	case HCA_VENDOR_ERR_PAGE:
		return hca_nak(HCA_NAK_REASON_PAGE);
	default:
		return hca_nak(HCA_NAK_REASON_RKEY_CHANGED);
	}
}

void hca_nak_record(struct hca_eec *eec, const struct hca_packet *pkt, u16 result)
{
	enum hca_nak_reason reason = hca_nak_reason_of(result);

	if (!reason)
		return;
	WRITE_ONCE(eec->nak_reason, reason);
	hca_trace_drop(eec->port, pkt, HCA_DROP_NAK_OPCODE + reason - HCA_NAK_REASON_OPCODE);
}
