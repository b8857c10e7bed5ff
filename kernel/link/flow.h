/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Credit counts have 12 bits in flow-control packets and 32 bits in ports. Both lead to the same
 * decisions (req B4-447).
 */
#ifndef HCA_LINK_FLOW_H
#define HCA_LINK_FLOW_H

#include <linux/types.h>

#define HCA_FLOW_MODULUS 4096u
/* Half of the modulus: the maximum of a credit limit minus what has been sent. */
#define HCA_FLOW_MAX_CREDIT 2048u

/**
 * hca_flow_extend() - extend a count of 12 bits to 32 bits
 * @near: a count of 32 bits near the result
 * @count: the count modulo 4096
 *
 * Context: any.
 * Return: the count from @near - 2047 to @near + 2048 that equals @count modulo 4096.
 */
static inline u32 hca_flow_extend(u32 near, u16 count)
{
	u32 ahead = (count - near) % HCA_FLOW_MODULUS;

	return near + ahead - (ahead > HCA_FLOW_MAX_CREDIT ? HCA_FLOW_MODULUS : 0);
}

/* Return: whether @limit allows @blocks after the @sent ones. Context: any. */
static inline bool hca_flow_allows(u32 limit, u32 sent, u32 blocks)
{
	return (s32)(limit - (sent + blocks)) >= 0;
}

#endif
