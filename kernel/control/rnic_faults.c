// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The netlink attributes of faults of what an RNIC sends. */
#include "control/rnic_faults.h"
#include <linux/bits.h>
#include <linux/hca_netlink.h>
#include <linux/random.h>
#include <net/genetlink.h>
#include "control/refuse.h"
#include "verbs/rnic/rnic.h"

#define FAULT_OPCODES 16 /* values of the field of an opcode */
#define FAULT_STALL_MAX 3600000 /* ms */

static struct netlink_range_validation rnic_fault_nths = { .min = 1, .max = U32_MAX };

static struct netlink_range_validation rnic_fault_qpns = { .min = 1, .max = U32_MAX };

static const struct nla_policy rnic_fault_policy[HCA_NL_RNIC_FAULT_MAX + 1] = {
	[HCA_NL_RNIC_FAULT_QPN] = NLA_POLICY_FULL_RANGE(NLA_U32, &rnic_fault_qpns),
	[HCA_NL_RNIC_FAULT_KIND] = NLA_POLICY_MAX(NLA_U32, HCA_NL_RNIC_FAULT_KIND_MAX),
	[HCA_NL_RNIC_FAULT_FIELD] = NLA_POLICY_MAX(NLA_U32, HCA_NL_RNIC_FIELD_MAX),
	[HCA_NL_RNIC_FAULT_VALUE] = { .type = NLA_U64 },
	[HCA_NL_RNIC_FAULT_OPCODE] = NLA_POLICY_MAX(NLA_U32, FAULT_OPCODES - 1),
	[HCA_NL_RNIC_FAULT_NTH] = NLA_POLICY_FULL_RANGE(NLA_U32, &rnic_fault_nths),
	[HCA_NL_RNIC_FAULT_ONCE] = { .type = NLA_FLAG },
	[HCA_NL_RNIC_FAULT_SEED] = { .type = NLA_U32 },
};

/* The kinds of faults. Those without a field or a value refuse FIELD or VALUE. */
static const struct rnic_fault_kind {
	u8 kind; /* enum hca_iwarp_fault_kind */
	bool has_field; /* FIELD is required, and VALUE must fit into the field */
	bool is_of_frames; /* start-up frames have the fault, which have no opcode */
	u64 max; /* VALUE is required, and this is the largest one; 0: the kind has no value */
} rnic_fault_kinds[HCA_NL_RNIC_FAULT_KIND_MAX + 1] = {
	[HCA_NL_RNIC_FAULT_KIND_NONE] = { HCA_IWARP_FAULT_NONE },
	[HCA_NL_RNIC_FAULT_KIND_CORRUPT] = { HCA_IWARP_FAULT_CORRUPT },
	[HCA_NL_RNIC_FAULT_KIND_BAD_CRC] = { HCA_IWARP_FAULT_BAD_CRC },
	[HCA_NL_RNIC_FAULT_KIND_FIELD] = { HCA_IWARP_FAULT_FIELD, true, .max = U64_MAX },
	[HCA_NL_RNIC_FAULT_KIND_BAD_MARKER] = { HCA_IWARP_FAULT_BAD_MARKER },
	[HCA_NL_RNIC_FAULT_KIND_CUT] = { HCA_IWARP_FAULT_CUT, .max = U32_MAX },
	[HCA_NL_RNIC_FAULT_KIND_STALL] = { HCA_IWARP_FAULT_STALL, .max = FAULT_STALL_MAX },
	[HCA_NL_RNIC_FAULT_KIND_REFUSE] = {
		HCA_IWARP_FAULT_REFUSE, .is_of_frames = true, .max = HCA_NL_RNIC_REFUSE_MAX,
	},
};

/* The value of a refusal is that of the portable part. */
static_assert((int)HCA_NL_RNIC_REFUSE_KEY == HCA_IWARP_REFUSE_KEY);
static_assert((int)HCA_NL_RNIC_REFUSE_REVISION == HCA_IWARP_REFUSE_REVISION);
static_assert((int)HCA_NL_RNIC_REFUSE_LENGTH == HCA_IWARP_REFUSE_LENGTH);
static_assert(HCA_NL_RNIC_REFUSE_MAX + 1 == (int)HCA_IWARP_REFUSALS);

static const struct {
	u8 field; /* enum hca_iwarp_field */
	u8 bits;
} rnic_fault_fields[HCA_NL_RNIC_FIELD_MAX + 1] = {
	[HCA_NL_RNIC_FIELD_TAGGED] = { HCA_IWARP_FIELD_TAGGED, 1 },
	[HCA_NL_RNIC_FIELD_LAST] = { HCA_IWARP_FIELD_LAST, 1 },
	[HCA_NL_RNIC_FIELD_DV] = { HCA_IWARP_FIELD_DV, 2 },
	[HCA_NL_RNIC_FIELD_RV] = { HCA_IWARP_FIELD_RV, 2 },
	[HCA_NL_RNIC_FIELD_OPCODE] = { HCA_IWARP_FIELD_OPCODE, 4 },
	[HCA_NL_RNIC_FIELD_STAG] = { HCA_IWARP_FIELD_STAG, 32 },
	[HCA_NL_RNIC_FIELD_TO] = { HCA_IWARP_FIELD_TO, 64 },
	[HCA_NL_RNIC_FIELD_QN] = { HCA_IWARP_FIELD_QN, 32 },
	[HCA_NL_RNIC_FIELD_MSN] = { HCA_IWARP_FIELD_MSN, 32 },
	[HCA_NL_RNIC_FIELD_MO] = { HCA_IWARP_FIELD_MO, 32 },
};

/* Check which of the attributes FIELD and VALUE are there. */
static int rnic_fault_check_value(struct sk_buff *skb, struct genl_info *info,
				  struct nlattr **attrs, const struct rnic_fault_kind *kind)
{
	const struct nlattr *field = attrs[HCA_NL_RNIC_FAULT_FIELD];
	const struct nlattr *value = attrs[HCA_NL_RNIC_FAULT_VALUE];

	if (field && !kind->has_field)
		return hca_refuse(skb, info, field, -EINVAL, "only a fault of a field has a field");
	if (value && !kind->max)
		return hca_refuse(skb, info, value, -EINVAL, "a fault of this kind has no value");
	if (kind->has_field && (!field || !value))
		return hca_refuse(skb, info, attrs[HCA_NL_RNIC_FAULT_KIND], -EINVAL,
				  "a fault of a field needs the field and its value");
	if (kind->max && !value)
		return hca_refuse(skb, info, attrs[HCA_NL_RNIC_FAULT_KIND], -EINVAL,
				  "a fault of this kind needs a value, at most %llu", kind->max);
	return 0;
}

/* Read the field that is changed, and the value. */
static int rnic_fault_read_value(struct sk_buff *skb, struct genl_info *info,
				 struct nlattr **attrs, const struct rnic_fault_kind *kind,
				 struct hca_iwarp_fault_spec *spec)
{
	const struct nlattr *field = attrs[HCA_NL_RNIC_FAULT_FIELD];
	const struct nlattr *value = attrs[HCA_NL_RNIC_FAULT_VALUE];
	int err = rnic_fault_check_value(skb, info, attrs, kind);
	u64 max = kind->max;

	if (err || !value)
		return err;
	if (field) {
		spec->field = rnic_fault_fields[nla_get_u32(field)].field;
		max = GENMASK_ULL(rnic_fault_fields[nla_get_u32(field)].bits - 1, 0);
	}
	spec->value = nla_get_u64(value);
	if (spec->value > max)
		return hca_refuse(skb, info, value, -EINVAL, "must be 0 to %llu", max);
	return 0;
}

/* Read the attributes that limit faults to some FPDUs, or frames. */
static int rnic_fault_read_selection(struct sk_buff *skb, struct genl_info *info,
				     struct nlattr **attrs, const struct rnic_fault_kind *kind,
				     struct hca_iwarp_fault_spec *spec)
{
	const struct nlattr *opcode = attrs[HCA_NL_RNIC_FAULT_OPCODE];
	const struct nlattr *nth = attrs[HCA_NL_RNIC_FAULT_NTH];
	const struct nlattr *once = attrs[HCA_NL_RNIC_FAULT_ONCE];
	const struct nlattr *seed = attrs[HCA_NL_RNIC_FAULT_SEED];
	const struct nlattr *any = opcode ?: nth ?: once ?: seed;

	if (spec->kind == HCA_IWARP_FAULT_NONE)
		return any ? hca_refuse(skb, info, any, -EINVAL,
					"there is no fault whose FPDUs could be selected") : 0;
	if (opcode && kind->is_of_frames)
		return hca_refuse(skb, info, opcode, -EINVAL, "a start-up frame has no opcode");
	spec->has_opcode = opcode;
	spec->opcode = opcode ? nla_get_u32(opcode) : 0;
	spec->nth = nth ? nla_get_u32(nth) : 0;
	spec->once = once;
	spec->seed = seed ? nla_get_u32(seed) : get_random_u32();
	return 0;
}

static int rnic_fault_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
			    struct nlattr **attrs, struct hca_iwarp_fault_spec *spec)
{
	const struct nlattr *attr = attrs[HCA_NL_RNIC_FAULT_KIND];
	const struct rnic_fault_kind *kind;

	if (!attr)
		return hca_refuse(skb, info, nest, -EINVAL, "the kind of the fault is missing");
	kind = &rnic_fault_kinds[nla_get_u32(attr)];
	*spec = (struct hca_iwarp_fault_spec){ .kind = kind->kind };
	return rnic_fault_read_value(skb, info, attrs, kind, spec) ?:
	       rnic_fault_read_selection(skb, info, attrs, kind, spec);
}

int hca_rnic_fault_set(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		       struct hca_device *dev)
{
	struct nlattr *attrs[HCA_NL_RNIC_FAULT_MAX + 1];
	struct hca_iwarp_fault_spec spec;
	const struct nlattr *qpn;
	int err = nla_parse_nested(attrs, HCA_NL_RNIC_FAULT_MAX, nest, rnic_fault_policy,
				   info->extack);

	if (!err)
		err = rnic_fault_parse(skb, info, nest, attrs, &spec);
	if (err)
		return err;
	qpn = attrs[HCA_NL_RNIC_FAULT_QPN];
	err = hca_rnic_device_set_faults(dev, qpn ? nla_get_u32(qpn) : 0, &spec);
	if (err == -ENOENT)
		return hca_refuse(skb, info, qpn, err, "the rnic has no queue pair of this number");
	if (err == -ENOSPC)
		return hca_refuse(skb, info, qpn, err,
				  "%u other queue pairs have faults of their own; remove one's first",
				  HCA_RNIC_QP_FAULTS);
	return err;
}

/* Return: the value of netlink for a kind or for a field. */
static u32 rnic_fault_nl_kind(u8 kind)
{
	u32 nl = 0;

	while (nl < HCA_NL_RNIC_FAULT_KIND_MAX && rnic_fault_kinds[nl].kind != kind)
		nl++;
	return nl;
}

static u32 rnic_fault_nl_field(u8 field)
{
	u32 nl = 0;

	while (nl < HCA_NL_RNIC_FIELD_MAX && rnic_fault_fields[nl].field != field)
		nl++;
	return nl;
}

static int rnic_fault_fill_spec(struct sk_buff *skb, const struct hca_iwarp_fault_spec *spec)
{
	u32 kind = rnic_fault_nl_kind(spec->kind);

	if (nla_put_u32(skb, HCA_NL_RNIC_FAULT_KIND, kind) ||
	    (rnic_fault_kinds[kind].has_field &&
	     nla_put_u32(skb, HCA_NL_RNIC_FAULT_FIELD, rnic_fault_nl_field(spec->field))) ||
	    (rnic_fault_kinds[kind].max &&
	     nla_put_u64_64bit(skb, HCA_NL_RNIC_FAULT_VALUE, spec->value,
			       HCA_NL_RNIC_FAULT_PAD)) ||
	    (spec->has_opcode && nla_put_u32(skb, HCA_NL_RNIC_FAULT_OPCODE, spec->opcode)) ||
	    (spec->nth && nla_put_u32(skb, HCA_NL_RNIC_FAULT_NTH, spec->nth)) ||
	    (spec->once && nla_put_flag(skb, HCA_NL_RNIC_FAULT_ONCE)) ||
	    nla_put_u32(skb, HCA_NL_RNIC_FAULT_SEED, spec->seed))
		return -EMSGSIZE;
	return 0;
}

int hca_rnic_fault_fill(struct sk_buff *skb, int type, struct hca_device *dev)
{
	struct hca_rnic_fault_view view;
	struct nlattr *nest;
	u32 index = 0;

	while (hca_rnic_device_next_fault(dev, &index, &view)) {
		nest = nla_nest_start(skb, type);
		if (!nest ||
		    (view.qpn && nla_put_u32(skb, HCA_NL_RNIC_FAULT_QPN, view.qpn)) ||
		    rnic_fault_fill_spec(skb, &view.spec) ||
		    nla_put_u64_64bit(skb, HCA_NL_RNIC_FAULT_MATCHED, view.selected,
				      HCA_NL_RNIC_FAULT_PAD) ||
		    nla_put_u64_64bit(skb, HCA_NL_RNIC_FAULT_HIT, view.happened,
				      HCA_NL_RNIC_FAULT_PAD))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}
