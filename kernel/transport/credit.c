// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * End-to-end credits: the number of posted receive requests, encoded in five bits (IBA 9.7.7.2; req
 * B4-356).
 */
#include "transport/credit.h"
#include <linux/kernel.h>
#include "qp/qp.h"
#include "qp/recv_wqe.h"
#include "transport/aeth.h"

#define HCA_CREDIT_CODES 31

static const u16 hca_credit_table[HCA_CREDIT_CODES] = {
	0,   1,   2,   3,   4,   6,    8,    12,   16,   24,   32,   48,    64,	   96,	  128,	192,
	256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768,
};

u32 hca_credits_of(u8 code)
{
	return code < HCA_CREDIT_CODES ? hca_credit_table[code] : 0;
}

/* Return the code of the greatest encodable number that is not above @n. */
static u8 credit_code(u32 n)
{
	u8 code;

	if (n < 4)
		return n;
	/* From 4 on, there is a code for each power of two and for each power of two times 1.5. */
	code = 2 * ilog2(n);
	if (n & 1u << (ilog2(n) - 1))
		code++;
	return min_t(u8, code, HCA_CREDIT_CODES - 1);
}

/*
 * RD EE contexts return no credits (req C4-023). Queue pairs with an SRQ return no credits either,
 * because the receive requests of an SRQ are not reserved for one peer (req B4-354).
 */
u8 hca_credits_offered(const struct hca_eec *eec)
{
	const struct hca_qp *qp;
	u32 n;

	if (eec->is_rd_eec)
		return HCA_ACK_NO_CREDITS;
	qp = eec->qp;
	if (!qp->rq.size)
		return HCA_ACK_NO_CREDITS;
	/* The receive request being filled counts as posted until its message ends (req B4-358). */
	n = hca_recvs_posted(&qp->rq, qp->rq_consumed) + eec->recv->valid;
	return HCA_SYNDROME_ACK | credit_code(n);
}

void hca_credit_stall(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;

	WRITE_ONCE(eec->credit_stalled, true);
	WRITE_ONCE(qp->rq.ring->need_wakeup, 1);
	/* pairs with the poster, which writes the producer index before it reads need_wakeup */
	smp_mb();
	if (hca_recvs_posted(&qp->rq, qp->rq_consumed))
		hca_eec_kick(eec);
}
