// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Compares the driver's table of transitions with that of the RDMA core: for RC, UC, UD and
 * special queue pairs hca_transition_ok() accepts exactly what ib_modify_qp_is_ok() accepts. All
 * tests run when the module is loaded; each result is a line "hca_transitions: ok - NAME" of the
 * kernel's log.
 */
#include <linux/module.h>
#include <linux/prandom.h>
#include <rdma/ib_verbs.h>
/* hca.ko does not export the function, so its source is included. */
#include "kernel/transport/transition.c"

#define ATTRIBUTES 21 /* bits of IB_QP_ATTR_STANDARD_BITS */
#define CHANCES 20000

/* The required attributes of transitions of each type; masks close to them are tested. */
static const u32 bases[] = {
	0,
	PKEY | QKEY,
	PKEY | PORT | QKEY,
	PKEY | PORT | ACCESS,
	PEER,
	PEER | RESPONDER,
	IB_QP_SQ_PSN,
	REQUESTER,
};

static const struct type {
	const char *name;
	enum ib_qp_type ib;
	enum hca_kind kind;
} types[] = {
	{ "SMI", IB_QPT_SMI, HCA_KIND_SPECIAL },
	{ "GSI", IB_QPT_GSI, HCA_KIND_SPECIAL },
	{ "RC", IB_QPT_RC, HCA_KIND_RC },
	{ "UC", IB_QPT_UC, HCA_KIND_UC },
	{ "UD", IB_QPT_UD, HCA_KIND_UD },
};

static u32 tried, accepted, differing;

static void verdict(bool ok, const char *what, const char *type)
{
	pr_info("hca_transitions: %sok - %s: %s\n", ok ? "" : "not ", type, what);
}

static void try(const struct type *type, u8 from, u8 to, u32 mask)
{
	bool theirs = ib_modify_qp_is_ok(from, to, type->ib, mask);
	bool ours = hca_transition_ok(from, to, type->kind, mask);

	tried++;
	accepted += theirs;
	if (ours == theirs)
		return;
	if (!differing++)
		pr_info("hca_transitions: %s, %u to %u, mask %#x: the kernel's says %u, ours %u\n",
			type->name, from, to, mask, theirs, ours);
}

/* Tests all masks that differ from @base in at most two attributes. */
static void try_near(const struct type *type, u8 from, u8 to, u32 base)
{
	int i, j;

	try(type, from, to, base);
	for (i = 0; i < ATTRIBUTES; i++) {
		try(type, from, to, base ^ BIT(i));
		for (j = 0; j < i; j++)
			try(type, from, to, base ^ BIT(i) ^ BIT(j));
	}
}

/* Tests random masks, among them masks of few attributes. */
static void try_chances(const struct type *type, u8 from, u8 to, struct rnd_state *chance)
{
	u32 mask;
	int i;

	for (i = 0; i < CHANCES; i++) {
		mask = prandom_u32_state(chance) & (BIT(ATTRIBUTES) - 1);
		if (i & 1)
			mask &= prandom_u32_state(chance);
		try(type, from, to, mask);
	}
}

/* An RC queue pair is never in SQE; the RDMA core's table allows leaving that state anyway. */
static bool has_no_way(const struct type *type, u8 from, u8 to)
{
	return type->kind == HCA_KIND_RC && from == IB_QPS_SQE && to == IB_QPS_RTS;
}

static void compare(const struct type *type)
{
	struct rnd_state chance;
	unsigned int i;
	u8 from, to;

	prandom_seed_state(&chance, 4);
	tried = accepted = differing = 0;
	for (from = 0; from < HCA_NUM_QPS; from++) {
		for (to = 0; to < HCA_NUM_QPS; to++) {
			if (has_no_way(type, from, to))
				continue;
			for (i = 0; i < ARRAY_SIZE(bases); i++)
				try_near(type, from, to, bases[i]);
			try_chances(type, from, to, &chance);
			cond_resched();
		}
	}
	pr_info("hca_transitions: %s: of %u, %u are accepted\n", type->name, tried, accepted);
	verdict(!differing && accepted > ATTRIBUTES,
		"transitions and their attributes are those of ib_modify_qp_is_ok()", type->name);
}

static int __init transitions_init(void)
{
	const u32 none = IB_QP_STATE;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		compare(&types[i]);
	verdict(!hca_transition_ok(IB_QPS_SQE, IB_QPS_RTS, HCA_KIND_RC, none) &&
			hca_transition_ok(IB_QPS_SQE, IB_QPS_RTS, HCA_KIND_UC, none),
		"it does not leave SQE, as it is never there", "RC");
	return 0;
}

static void __exit transitions_exit(void)
{
}

module_init(transitions_init);
module_exit(transitions_exit);
MODULE_DESCRIPTION("What transitions hca allows, compared with the RDMA core, for the lab");
MODULE_LICENSE("Dual BSD/GPL");
