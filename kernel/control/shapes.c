// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Parsing and filling of netlink attributes: the shape of a link (rate limit, delay, signal loss),
 * and the widths and speeds of a port.
 */
#include "control/shapes.h"
#include <linux/hca_netlink.h>
#include <linux/random.h>
#include <net/genetlink.h>
#include "control/refuse.h"
#include "link/state/rate.h"
#include "phy/shape.h"

static struct netlink_range_validation delays = { .max = 10ull * NSEC_PER_SEC };
static struct netlink_range_validation flaps = { .max = 86400ull * NSEC_PER_SEC };

static const struct nla_policy shape_policy[HCA_NL_SHAPE_MAX + 1] = {
	[HCA_NL_SHAPE_RATE] = { .type = NLA_U32 },
	[HCA_NL_SHAPE_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U64, &delays),
	[HCA_NL_SHAPE_JITTER] = NLA_POLICY_FULL_RANGE(NLA_U64, &delays),
	[HCA_NL_SHAPE_REORDER] = { .type = NLA_U32 },
	[HCA_NL_SHAPE_FLAP_EVERY] = NLA_POLICY_FULL_RANGE(NLA_U64, &flaps),
	[HCA_NL_SHAPE_FLAP_FOR] = NLA_POLICY_FULL_RANGE(NLA_U64, &flaps),
	[HCA_NL_SHAPE_SEED] = { .type = NLA_U32 },
};

static struct netlink_range_validation widths = { .min = 1, .max = HCA_WIDTH_ALL };
static struct netlink_range_validation speeds = { .min = 1, .max = HCA_SPEED_ALL };
static struct netlink_range_validation speeds_ext = { .max = HCA_SPEED_EXT_ALL };

static const struct nla_policy rate_policy[HCA_NL_RATE_MAX + 1] = {
	[HCA_NL_RATE_WIDTH] = NLA_POLICY_FULL_RANGE(NLA_U32, &widths),
	[HCA_NL_RATE_SPEED] = NLA_POLICY_FULL_RANGE(NLA_U32, &speeds),
	[HCA_NL_RATE_SPEED_EXT] = NLA_POLICY_FULL_RANGE(NLA_U32, &speeds_ext),
};

static u32 shape_number(const struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

static u64 shape_time(const struct nlattr *attr)
{
	return attr ? nla_get_u64(attr) : 0;
}

int hca_shape_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_shape_spec *spec)
{
	struct nlattr *attrs[HCA_NL_SHAPE_MAX + 1];
	const struct nlattr *seed;
	int err;

	*spec = (struct hca_shape_spec){};
	if (!nla_len(nest))
		return 0;
	err = nla_parse_nested(attrs, HCA_NL_SHAPE_MAX, nest, shape_policy, info->extack);
	if (err)
		return err;
	seed = attrs[HCA_NL_SHAPE_SEED];
	spec->mbps = shape_number(attrs[HCA_NL_SHAPE_RATE]);
	spec->delay.delay = shape_time(attrs[HCA_NL_SHAPE_DELAY]);
	spec->delay.jitter = shape_time(attrs[HCA_NL_SHAPE_JITTER]);
	spec->delay.reorder = shape_number(attrs[HCA_NL_SHAPE_REORDER]);
	spec->delay.seed = seed ? nla_get_u32(seed) : get_random_u32();
	spec->flap_every = shape_time(attrs[HCA_NL_SHAPE_FLAP_EVERY]);
	spec->flap_for = shape_time(attrs[HCA_NL_SHAPE_FLAP_FOR]);
	if (spec->flap_every ? spec->flap_for && spec->flap_for < spec->flap_every :
			       !spec->flap_for)
		return 0;
	return hca_refuse(skb, info, attrs[HCA_NL_SHAPE_FLAP_FOR] ?: nest, -EINVAL,
			  "the signal is gone for some of the time, and not for all of it");
}

int hca_rate_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		   struct hca_link_rate *rate)
{
	struct nlattr *attrs[HCA_NL_RATE_MAX + 1];
	int err;

	err = nla_parse_nested(attrs, HCA_NL_RATE_MAX, nest, rate_policy, info->extack);
	if (err)
		return err;
	*rate = (struct hca_link_rate){ shape_number(attrs[HCA_NL_RATE_WIDTH]),
					shape_number(attrs[HCA_NL_RATE_SPEED]),
					shape_number(attrs[HCA_NL_RATE_SPEED_EXT]) };
	if (!rate->width || !rate->speed)
		return hca_refuse(skb, info, nest, -EINVAL, "a width and a speed are needed");
	return 0;
}

int hca_shape_fill(struct sk_buff *skb, int type, const struct hca_port *port)
{
	struct hca_shape_counts counts;
	const struct hca_shape_spec *spec = hca_shape_get(port, &counts);
	struct nlattr *nest;

	if (!spec)
		return 0;
	nest = nla_nest_start(skb, type);
	if (!nest || nla_put_u32(skb, HCA_NL_SHAPE_RATE, spec->mbps) ||
	    nla_put_u64_64bit(skb, HCA_NL_SHAPE_DELAY, spec->delay.delay, HCA_NL_SHAPE_PAD) ||
	    nla_put_u64_64bit(skb, HCA_NL_SHAPE_JITTER, spec->delay.jitter, HCA_NL_SHAPE_PAD) ||
	    nla_put_u32(skb, HCA_NL_SHAPE_REORDER, spec->delay.reorder) ||
	    nla_put_u32(skb, HCA_NL_SHAPE_SEED, spec->delay.seed) ||
	    nla_put_u64_64bit(skb, HCA_NL_SHAPE_FLAP_EVERY, spec->flap_every, HCA_NL_SHAPE_PAD) ||
	    nla_put_u64_64bit(skb, HCA_NL_SHAPE_FLAP_FOR, spec->flap_for, HCA_NL_SHAPE_PAD) ||
	    nla_put_u64_64bit(skb, HCA_NL_SHAPE_REORDERED, counts.reordered, HCA_NL_SHAPE_PAD) ||
	    nla_put_u64_64bit(skb, HCA_NL_SHAPE_FLAPPED, counts.flapped, HCA_NL_SHAPE_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int hca_rate_fill(struct sk_buff *skb, int type, const struct hca_link_rate *rate)
{
	struct nlattr *nest = nla_nest_start(skb, type);

	if (!nest || nla_put_u32(skb, HCA_NL_RATE_WIDTH, rate->width) ||
	    nla_put_u32(skb, HCA_NL_RATE_SPEED, rate->speed) ||
	    nla_put_u32(skb, HCA_NL_RATE_SPEED_EXT, rate->speed_ext))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
