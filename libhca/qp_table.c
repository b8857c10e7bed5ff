// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The queue pairs of a context by number, for polling. The table has two levels: the first is part
 * of the context, a chunk of the second is allocated when the first number in it is used.
 *
 * No lock protects the table. A thread that looks up the queue pair of a completion holds the lock
 * of the completion queue. A queue pair that is destroyed is removed from the table before
 * the locks of its completion queues are acquired to purge them.
 */
#include <errno.h>
#include <stdlib.h>
#include "libhca.h"

_Static_assert(HCA_QP_CHUNKS * HCA_QP_CHUNK == 1u << HCA_QPN_INDEX_BITS, "all numbers");

static uint32_t index_of(uint32_t qpn)
{
	return qpn & ((1u << HCA_QPN_INDEX_BITS) - 1);
}

/*
 * Allocate a chunk, unless another thread has allocated it. Return: the chunk, or NULL if memory is
 * exhausted.
 */
static struct hca_qp **make_chunk(struct hca_qp ***place)
{
	struct hca_qp **chunk = __atomic_load_n(place, __ATOMIC_ACQUIRE), **made;

	if (chunk)
		return chunk;
	made = calloc(HCA_QP_CHUNK, sizeof(struct hca_qp *));
	if (!made)
		return NULL;
	if (__atomic_compare_exchange_n(place, &chunk, made, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return made;
	free(made);
	return chunk;
}

int hca_qp_table_add(struct hca_context *context, struct hca_qp *qp)
{
	uint32_t index = index_of(qp->verbs.qp.qp_num);
	struct hca_qp **chunk = make_chunk(&context->qps[index / HCA_QP_CHUNK]);

	if (!chunk)
		return ENOMEM;
	__atomic_store_n(&chunk[index % HCA_QP_CHUNK], qp, __ATOMIC_RELEASE);
	return 0;
}

/* If the kernel has allocated the number again, the entry belongs to another queue pair. */
void hca_qp_table_remove(struct hca_context *context, struct hca_qp *qp)
{
	uint32_t index = index_of(qp->verbs.qp.qp_num);
	struct hca_qp **chunk = context->qps[index / HCA_QP_CHUNK], *expected = qp;

	__atomic_compare_exchange_n(&chunk[index % HCA_QP_CHUNK], &expected, NULL, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

struct hca_qp *hca_qp_table_find(struct hca_context *context, uint32_t qpn)
{
	uint32_t index = index_of(qpn);
	struct hca_qp **chunk = __atomic_load_n(&context->qps[index / HCA_QP_CHUNK],
						__ATOMIC_ACQUIRE);
	struct hca_qp *qp;

	if (!chunk)
		return NULL;
	qp = __atomic_load_n(&chunk[index % HCA_QP_CHUNK], __ATOMIC_ACQUIRE);
	return qp && qp->verbs.qp.qp_num == qpn ? qp : NULL;
}

void hca_qp_table_free(struct hca_context *context)
{
	unsigned int i;

	for (i = 0; i < HCA_QP_CHUNKS; i++)
		free(context->qps[i]);
}
