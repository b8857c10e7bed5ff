// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The check that the process has the libibverbs that the provider was built for.
 *
 * The dynamic linker compares only the number of the private ABI, which rdma-core 62 did not
 * change together with the structures. So the provider probes the layout: verbs_set_ops() copies
 * each operation of a table to a private structure of libibverbs, and most operations also to
 * public members of struct verbs_context.
 */
#include "fit.h"
#include <stdio.h>
#include "layout.h" /* assertions made from the debug information of libibverbs, if available */

/* Number of pointers in the probed structures, far more than any release has. */
#define ROOM 512

/* Offsets of an operation: in the table of operations, and of its public member in a context. */
struct known_op {
	const char *name;
	size_t op, public;
};

#define KNOWN(op, public)                                                                          \
	{                                                                                          \
		#op, offsetof(struct verbs_context_ops, op),                                       \
			offsetof(struct verbs_context, public)                                     \
	}

static const struct known_op known_ops[] = {
	KNOWN(alloc_mw, context.ops.alloc_mw),
	KNOWN(alloc_pd, context.ops._compat_alloc_pd),
	KNOWN(attach_mcast, context.ops._compat_attach_mcast),
	KNOWN(bind_mw, context.ops.bind_mw),
	KNOWN(create_ah, context.ops._compat_create_ah),
	KNOWN(create_cq, context.ops._compat_create_cq),
	KNOWN(create_qp, context.ops._compat_create_qp),
	KNOWN(create_qp_ex, create_qp_ex),
	KNOWN(create_srq, context.ops._compat_create_srq),
	KNOWN(dealloc_mw, context.ops.dealloc_mw),
	KNOWN(dealloc_pd, context.ops._compat_dealloc_pd),
	KNOWN(dereg_mr, context.ops._compat_dereg_mr),
	KNOWN(destroy_ah, context.ops._compat_destroy_ah),
	KNOWN(destroy_cq, context.ops._compat_destroy_cq),
	KNOWN(destroy_qp, context.ops._compat_destroy_qp),
	KNOWN(destroy_srq, context.ops._compat_destroy_srq),
	KNOWN(detach_mcast, context.ops._compat_detach_mcast),
	KNOWN(modify_qp, context.ops._compat_modify_qp),
	KNOWN(modify_srq, context.ops._compat_modify_srq),
	KNOWN(poll_cq, context.ops.poll_cq),
	KNOWN(post_recv, context.ops.post_recv),
	KNOWN(post_send, context.ops.post_send),
	KNOWN(post_srq_recv, context.ops.post_srq_recv),
	KNOWN(query_device_ex, query_device_ex),
	KNOWN(query_qp, context.ops._compat_query_qp),
	KNOWN(query_srq, context.ops._compat_query_srq),
	KNOWN(reg_mr, context.ops._compat_reg_mr),
	KNOWN(req_notify_cq, context.ops.req_notify_cq),
};

/* A table large enough for any libibverbs, so that verbs_set_ops() does not exceed its end. */
union ops {
	struct verbs_context_ops ops;
	const void *slots[ROOM];
};

union context {
	struct verbs_context context;
	void *slots[ROOM];
};

/*
 * Call verbs_set_ops() with a context full of pointers to @own, so that the pointer to the private
 * structure of libibverbs refers to @own at any offset.
 */
static void set_ops(union context *context, const void **own, const union ops *given)
{
	size_t i;

	for (i = 0; i < ROOM; i++)
		context->slots[i] = own;
	verbs_set_ops(&context->context, &given->ops);
}

static size_t count_ops(const void **own)
{
	size_t i, count = 0;

	for (i = 0; i < ROOM; i++)
		count += own[i] != NULL;
	return count;
}

static const char *fit_misplaced(const union context *context, const union ops *given)
{
	const struct known_op *known;

	for (known = known_ops; known < known_ops + sizeof(known_ops) / sizeof(*known); known++)
		if (context->slots[known->public / sizeof(void *)] !=
		    given->slots[known->op / sizeof(void *)])
			return known->name;
	return NULL;
}

bool hca_ibverbs_fits(void)
{
	static const char marks[ROOM]; /* an address for each operation, never called */
	const void *own[ROOM] = {};
	union context context;
	union ops given;
	const char *name;
	size_t i, count;

	for (i = 0; i < ROOM; i++)
		given.slots[i] = &marks[i];
	set_ops(&context, own, &given);
	count = count_ops(own);
	name = fit_misplaced(&context, &given);
	if (count == HCA_IBVERBS_OPS && !name)
		return true;
	fprintf(stderr,
		"libhca: built for a libibverbs 1.%d of %d operations, this one has %zu%s%s: build libhca again, with this one's headers\n",
		HCA_IBVERBS_API, HCA_IBVERBS_OPS, count, name ? " and another place for " : "",
		name ? name : "");
	return false;
}
