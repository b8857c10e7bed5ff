/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Credit counts as flow-control packets have them, of 12 bits, and as ports do, of 32: what a
 * port decides by its own is what it would decide by those (B4-447).
 */
#ifndef HCA_LINK_FLOW_H
#define HCA_LINK_FLOW_H

#include <linux/types.h>

#define HCA_FLOW_MODULUS 4096u
/* Half of it: no credit limit is further ahead of what was sent. */
#define HCA_FLOW_MAX_CREDIT 2048u

/**
 * hca_flow_extend() - a count of 12 bits as one of 32
 * @near: a count of 32 bits that it is near
 * @count: modulo 4096
 *
 * Return: the only count from @near - 2047 to @near + 2048 that @count can be.
 */
static inline u32 hca_flow_extend(u32 near, u16 count)
{
	u32 ahead = (count - near) % HCA_FLOW_MODULUS;

	return near + ahead - (ahead > HCA_FLOW_MAX_CREDIT ? HCA_FLOW_MODULUS : 0);
}

#endif
