/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Format of the subnet management packet (SMP), the MAD of the two subnet management classes. */
#ifndef HCA_WIRE_SMP_H
#define HCA_WIRE_SMP_H

#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include "wire/mad.h"

#define HCA_SMP_DIRECTION 0x8000 /* the D bit of the status, in host byte order */
#define HCA_SMP_DATA_BYTES 64
#define HCA_SMP_PATH 64 /* octets of a path; octet 0 is unused, hops are numbered from 1 */
#define HCA_SMP_MAX_HOPS 63

struct hca_smp {
	u8 base_version;
	u8 mgmt_class;
	u8 class_version;
	u8 method;
	__be16 status; /* directed route: HCA_SMP_DIRECTION (the D bit) marks a returning SMP */
	u8 hop_ptr; /* directed route only */
	u8 hop_cnt; /* directed route only */
	__be64 tid;
	__be16 attr_id;
	__be16 reserved;
	__be32 attr_mod;
	__be64 m_key;
	__be16 dr_slid; /* directed route only */
	__be16 dr_dlid; /* directed route only */
	u8 reserved2[28];
	u8 data[HCA_SMP_DATA_BYTES];
	u8 initial_path[HCA_SMP_PATH]; /* directed route only */
	u8 return_path[HCA_SMP_PATH]; /* directed route only */
};

static_assert(sizeof(struct hca_smp) == HCA_MAD_BYTES);
static_assert(offsetof(struct hca_smp, m_key) == sizeof(struct hca_mad_hdr));
static_assert(offsetof(struct hca_smp, dr_slid) == 32);
static_assert(offsetof(struct hca_smp, data) == 64);
static_assert(offsetof(struct hca_smp, initial_path) == 128);
static_assert(offsetof(struct hca_smp, return_path) == 192);

/**
 * hca_smp_is_directed() - whether an SMP is of the directed-route class
 * @smp: SMP, or any other MAD
 *
 * Context: any.
 * Return: true if the SMP is of the directed-route class.
 */
static inline bool hca_smp_is_directed(const struct hca_smp *smp)
{
	return smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE;
}

/**
 * hca_smp_is_returning() - whether a directed-route SMP returns to its requester
 * @smp: SMP, or any other MAD
 *
 * Context: any.
 * Return: true if the SMP is of the directed-route class and has the D bit.
 */
static inline bool hca_smp_is_returning(const struct hca_smp *smp)
{
	return hca_smp_is_directed(smp) && smp->status & cpu_to_be16(HCA_SMP_DIRECTION);
}

#endif
