// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parsing and filling of netlink attributes of injected faults. */
#include "control/faults.h"
#include <linux/err.h>
#include <linux/hca_netlink.h>
#include <linux/random.h>
#include <linux/string.h>
#include <net/genetlink.h>
#include "control/refuse.h"
#include "link/credit/flow_control.h"
#include "phy/fault.h"
#include "wire/headers.h"

static_assert(HCA_NL_OPCODES_OCTETS == HCA_FAULT_OPCODES_BYTES);
static_assert((int)HCA_NL_CLASS_DATA == HCA_FAULT_CLASS_DATA &&
	      (int)HCA_NL_CLASS_SMP == HCA_FAULT_CLASS_SMP &&
	      (int)HCA_NL_CLASS_FLOW == HCA_FAULT_CLASS_FLOW);

static struct netlink_range_validation psns = { .max = HCA_PSN_MASK };

static struct netlink_range_validation qpns = { .max = HCA_QPN_MASK };

static struct netlink_range_validation numbers = { .min = 1, .max = U32_MAX };

static struct netlink_range_validation rates = { .min = 1, .max = U32_MAX };

static const struct nla_policy policy[HCA_NL_FAULT_MAX + 1] = {
	[HCA_NL_FAULT_DROP] = { .type = NLA_U32 },
	[HCA_NL_FAULT_CORRUPT] = { .type = NLA_U32 },
	[HCA_NL_FAULT_DUPLICATE] = { .type = NLA_U32 },
	[HCA_NL_FAULT_OPCODE] = {
		.type = NLA_REJECT,
		.reject_message = "packets are selected by a bitmap; "
				  "this hcactl is older than the module",
	},
	[HCA_NL_FAULT_PSN] = NLA_POLICY_FULL_RANGE(NLA_U32, &psns),
	[HCA_NL_FAULT_SEED] = { .type = NLA_U32 },
	[HCA_NL_FAULT_SLOW_VL] = NLA_POLICY_MAX(NLA_U32, HCA_DATA_VLS - 1),
	[HCA_NL_FAULT_SLOW_VL_RATE] = NLA_POLICY_FULL_RANGE(NLA_U32, &rates),
	[HCA_NL_FAULT_QPN] = NLA_POLICY_FULL_RANGE(NLA_U32, &qpns),
	[HCA_NL_FAULT_NTH] = NLA_POLICY_FULL_RANGE(NLA_U32, &numbers),
	[HCA_NL_FAULT_COUNT] = NLA_POLICY_FULL_RANGE(NLA_U32, &numbers),
	[HCA_NL_FAULT_OPCODES] = NLA_POLICY_EXACT_LEN(HCA_NL_OPCODES_OCTETS),
	[HCA_NL_FAULT_CLASSES] = NLA_POLICY_RANGE(NLA_U32, 1, HCA_NL_CLASS_ALL),
};

/*
 * Attributes of each kind of fault. @chance: the probability of the fault. @count: the number of
 * packets to which it has happened.
 */
static const struct {
	int chance, count;
} attributes[HCA_NUM_FAULTS] = {
	[HCA_FAULT_DROP] = { HCA_NL_FAULT_DROP, HCA_NL_FAULT_DROPPED },
	[HCA_FAULT_CORRUPT] = { HCA_NL_FAULT_CORRUPT, HCA_NL_FAULT_CORRUPTED },
	[HCA_FAULT_DUPLICATE] = { HCA_NL_FAULT_DUPLICATE, HCA_NL_FAULT_DUPLICATED },
};

/* Read the probability of each kind of fault. Return: whether any of them is not 0. */
static bool fault_read_chances(struct nlattr **attrs, struct hca_fault_spec *spec)
{
	bool any = false;
	int kind;

	for (kind = 0; kind < HCA_NUM_FAULTS; kind++) {
		const struct nlattr *attr = attrs[attributes[kind].chance];

		spec->chance[kind] = attr ? nla_get_u32(attr) : 0;
		any |= spec->chance[kind];
	}
	return any;
}

static u32 fault_number(const struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

/* Read the attributes that limit faults to some packets. */
static int fault_read_selection(struct sk_buff *skb, struct genl_info *info, struct nlattr **attrs,
				struct hca_fault_spec *spec)
{
	const struct nlattr *opcodes = attrs[HCA_NL_FAULT_OPCODES];
	const struct nlattr *qpn = attrs[HCA_NL_FAULT_QPN], *psn = attrs[HCA_NL_FAULT_PSN];
	const struct nlattr *of_bth = opcodes ?: qpn ?: psn;

	spec->classes = fault_number(attrs[HCA_NL_FAULT_CLASSES]);
	if (of_bth && spec->classes == HCA_NL_CLASS_FLOW)
		return hca_refuse(skb, info, of_bth, -EINVAL,
				  "flow-control packets have no opcode, QPN or PSN");
	spec->has_opcodes = opcodes;
	if (opcodes)
		nla_memcpy(spec->opcodes, opcodes, sizeof(spec->opcodes));
	if (opcodes && !memchr_inv(spec->opcodes, 0, sizeof(spec->opcodes)))
		return hca_refuse(skb, info, opcodes, -EINVAL,
				  "no packet can be selected: the bitmap of opcodes has no bit");
	spec->has_qpn = qpn;
	spec->qpn = fault_number(qpn);
	spec->has_psn = psn;
	spec->psn = fault_number(psn);
	spec->nth = fault_number(attrs[HCA_NL_FAULT_NTH]);
	spec->count = fault_number(attrs[HCA_NL_FAULT_COUNT]);
	return 0;
}

int hca_fault_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_fault **fault)
{
	struct nlattr *attrs[HCA_NL_FAULT_MAX + 1];
	const struct nlattr *seed, *slow_vl, *slow_vl_rate;
	struct hca_fault_spec spec = {};
	int err;

	*fault = NULL;
	if (!nla_len(nest))
		return 0;
	err = nla_parse_nested(attrs, HCA_NL_FAULT_MAX, nest, policy, info->extack);
	if (err)
		return err;
	seed = attrs[HCA_NL_FAULT_SEED];
	slow_vl = attrs[HCA_NL_FAULT_SLOW_VL];
	slow_vl_rate = attrs[HCA_NL_FAULT_SLOW_VL_RATE];

	if (!slow_vl_rate != !slow_vl)
		return hca_refuse(skb, info, nest, -EINVAL, "a slow VL takes a VL and a rate");
	if (!fault_read_chances(attrs, &spec) && !slow_vl_rate)
		return hca_refuse(skb, info, nest, -EINVAL,
				  "nothing can happen: drop, corrupt and duplicate are 0");
	err = fault_read_selection(skb, info, attrs, &spec);
	if (err)
		return err;
	spec.slow_vl = fault_number(slow_vl);
	spec.slow_vl_rate = fault_number(slow_vl_rate);
	spec.seed = seed ? nla_get_u32(seed) : get_random_u32();

	*fault = hca_fault_new(&spec);
	if (!IS_ERR(*fault))
		return 0;
	err = PTR_ERR(*fault);
	*fault = NULL;
	return err;
}

static int fault_fill_kinds(struct sk_buff *skb, const struct hca_fault_spec *spec,
			    const struct hca_fault_counts *counts)
{
	int kind, err = 0;

	for (kind = 0; !err && kind < HCA_NUM_FAULTS; kind++)
		err = nla_put_u32(skb, attributes[kind].chance, spec->chance[kind]) ?:
		      nla_put_u64_64bit(skb, attributes[kind].count, counts->v[kind],
					HCA_NL_FAULT_PAD);
	return err;
}

static int fault_fill_selection(struct sk_buff *skb, const struct hca_fault_spec *spec)
{
	if (nla_put_u32(skb, HCA_NL_FAULT_CLASSES, spec->classes) ||
	    (spec->has_opcodes && nla_put(skb, HCA_NL_FAULT_OPCODES, sizeof(spec->opcodes),
					  spec->opcodes)) ||
	    (spec->has_qpn && nla_put_u32(skb, HCA_NL_FAULT_QPN, spec->qpn)) ||
	    (spec->has_psn && nla_put_u32(skb, HCA_NL_FAULT_PSN, spec->psn)) ||
	    (spec->nth && nla_put_u32(skb, HCA_NL_FAULT_NTH, spec->nth)) ||
	    (spec->count && nla_put_u32(skb, HCA_NL_FAULT_COUNT, spec->count)))
		return -EMSGSIZE;
	return 0;
}

int hca_fault_fill(struct sk_buff *skb, int type, const struct hca_port *port)
{
	struct hca_fault_counts counts;
	const struct hca_fault_spec *spec = hca_fault_get(port, &counts);
	struct nlattr *nest;

	if (!spec)
		return 0;
	nest = nla_nest_start(skb, type);
	if (!nest || fault_fill_kinds(skb, spec, &counts) || fault_fill_selection(skb, spec) ||
	    nla_put_u64_64bit(skb, HCA_NL_FAULT_MATCHED, counts.matched, HCA_NL_FAULT_PAD) ||
	    (spec->slow_vl_rate && (nla_put_u32(skb, HCA_NL_FAULT_SLOW_VL, spec->slow_vl) ||
			     nla_put_u32(skb, HCA_NL_FAULT_SLOW_VL_RATE, spec->slow_vl_rate))) ||
	    nla_put_u32(skb, HCA_NL_FAULT_SEED, spec->seed))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
