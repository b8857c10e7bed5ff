// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writes faults of cables to netlink requests, and reads them from replies. */
#include "tools/ctl/noun/fault_netlink.h"
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/fault_opcodes.h"
#include "tools/ctl/noun/fault_value.h"
#include "tools/ctl/noun/shape.h"
#include "tools/lib/message.h"

/*
 * Returns the seed of a direction. If the user has not given one, hcactl draws it and not the
 * kernel, because the direction's faults and shape must have the same seed. The seed is not secret.
 * Therefore getrandom() does not wait for the entropy pool, which can take minutes on an idle
 * machine after boot.
 */
static uint32_t seed_of(const struct fault *fault)
{
	uint32_t seed = 0;

	if (fault->has_seed)
		return fault->seed;
	if (getrandom(&seed, sizeof(seed), GRND_INSECURE) != sizeof(seed))
		die("no random numbers: %s", strerror(errno));
	return seed;
}

static void put_selection(struct request *request, const struct fault *fault)
{
	fault_opcodes_put(request, &fault->opcodes);
	if (fault->has_qpn)
		request_put_number(request, HCA_NL_FAULT_QPN, "qpn", fault->qpn);
	if (fault->has_psn)
		request_put_number(request, HCA_NL_FAULT_PSN, "psn", fault->psn);
	if (fault->has_nth)
		request_put_number(request, HCA_NL_FAULT_NTH, "nth", fault->nth);
	if (fault->has_count)
		request_put_number(request, HCA_NL_FAULT_COUNT, "count", fault->count);
}

void fault_put(struct request *request, const struct fault *fault)
{
	struct nlattr *nest = request_open(request, fault->from_b ? HCA_NL_LINK_FAULT_B :
								    HCA_NL_LINK_FAULT_A);
	uint32_t seed = seed_of(fault);
	int i;

	if (fault_has_any(fault)) {
		for (i = 0; i < NUM_FAULT_KINDS; i++)
			request_put_number(request, fault_kinds[i].chance, fault_kinds[i].name,
					   fault->chance[i]);
		if (fault->slow_rate) {
			request_put_number(request, HCA_NL_FAULT_SLOW_VL, "slow-vl",
					   fault->slow_vl);
			request_put_number(request, HCA_NL_FAULT_SLOW_VL_RATE, "slow-vl",
					   fault->slow_rate);
		}
		put_selection(request, fault);
		request_put_number(request, HCA_NL_FAULT_SEED, "seed", seed);
	}
	request_close(request, nest);
	shape_put(request, fault->from_b ? HCA_NL_LINK_SHAPE_B : HCA_NL_LINK_SHAPE_A,
		  &fault->shape, seed);
}

bool fault_attributes(struct nlattr *nest, struct nlattr **attrs)
{
	static struct nla_policy types[HCA_NL_FAULT_MAX + 1] = {
		[HCA_NL_FAULT_DROP] = { .type = NLA_U32 },
		[HCA_NL_FAULT_CORRUPT] = { .type = NLA_U32 },
		[HCA_NL_FAULT_DUPLICATE] = { .type = NLA_U32 },
		[HCA_NL_FAULT_OPCODE] = { .type = NLA_STRING },
		[HCA_NL_FAULT_PSN] = { .type = NLA_U32 },
		[HCA_NL_FAULT_SEED] = { .type = NLA_U32 },
		[HCA_NL_FAULT_DROPPED] = { .type = NLA_U64 },
		[HCA_NL_FAULT_CORRUPTED] = { .type = NLA_U64 },
		[HCA_NL_FAULT_DUPLICATED] = { .type = NLA_U64 },
		[HCA_NL_FAULT_SLOW_VL] = { .type = NLA_U32 },
		[HCA_NL_FAULT_SLOW_VL_RATE] = { .type = NLA_U32 },
		[HCA_NL_FAULT_QPN] = { .type = NLA_U32 },
		[HCA_NL_FAULT_NTH] = { .type = NLA_U32 },
		[HCA_NL_FAULT_COUNT] = { .type = NLA_U32 },
		[HCA_NL_FAULT_MATCHED] = { .type = NLA_U64 },
		[HCA_NL_FAULT_OPCODES] = { .minlen = OPCODES_OCTETS, .maxlen = OPCODES_OCTETS },
		[HCA_NL_FAULT_CLASSES] = { .type = NLA_U32 },
	};

	return nest && !nla_parse_nested(attrs, HCA_NL_FAULT_MAX, nest, types);
}

/*
 * Sets *number to the number of an attribute, or to 0 if @attr is NULL. Return: whether @attr is
 * not NULL.
 */
static bool read_number(struct nlattr *attr, uint32_t *number)
{
	*number = attr ? nla_get_u32(attr) : 0;
	return attr;
}

static void read_selection(struct nlattr **attr, struct fault *fault)
{
	fault_opcodes_read(attr, &fault->opcodes);
	fault->has_qpn = read_number(attr[HCA_NL_FAULT_QPN], &fault->qpn);
	fault->has_psn = read_number(attr[HCA_NL_FAULT_PSN], &fault->psn);
	fault->has_nth = read_number(attr[HCA_NL_FAULT_NTH], &fault->nth);
	fault->has_count = read_number(attr[HCA_NL_FAULT_COUNT], &fault->count);
}

static void read_faults(struct nlattr *nest, struct fault *fault)
{
	struct nlattr *attr[HCA_NL_FAULT_MAX + 1];
	int i;

	if (!fault_attributes(nest, attr))
		return;
	for (i = 0; i < NUM_FAULT_KINDS; i++)
		if (attr[fault_kinds[i].chance])
			fault->chance[i] = nla_get_u32(attr[fault_kinds[i].chance]);
	if (attr[HCA_NL_FAULT_SLOW_VL] && attr[HCA_NL_FAULT_SLOW_VL_RATE]) {
		fault->slow_vl = nla_get_u32(attr[HCA_NL_FAULT_SLOW_VL]);
		fault->slow_rate = nla_get_u32(attr[HCA_NL_FAULT_SLOW_VL_RATE]);
	}
	read_selection(attr, fault);
	fault->has_seed = fault_has_chance(fault) && attr[HCA_NL_FAULT_SEED];
	if (fault->has_seed)
		fault->seed = nla_get_u32(attr[HCA_NL_FAULT_SEED]);
}

void fault_read(struct nlattr *nest, struct nlattr *shape, struct fault *fault)
{
	uint32_t seed = shape_read(shape, &fault->shape);

	read_faults(nest, fault);
	if (fault->has_seed || !shape_has_chance(&fault->shape))
		return;
	fault->has_seed = true;
	fault->seed = seed;
}
