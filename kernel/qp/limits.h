/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The limits of a device. */
#ifndef HCA_QP_LIMITS_H
#define HCA_QP_LIMITS_H

enum hca_limits {
	HCA_MAX_QP = 16384, /* power of two */
	HCA_MAX_QP_WR = 16384,
	/*
	 * Raw queue pairs. The number is small, because each raw packet is compared with all of
	 * them.
	 */
	HCA_MAX_RAW_QP = 64,
	HCA_MAX_RAW_QP_GROUPS = 64, /* multicast groups of one raw queue pair */
	HCA_MAX_SGE = 32,
	HCA_MAX_INLINE = 256,
	HCA_MAX_SRQ = 65536,
	HCA_MAX_SRQ_WR = 16384,
	HCA_MAX_XRCD = 65536,
	/*
	 * XRC SRQs at a time; there are twice as many SRQ numbers, because freed numbers stay in
	 * time-wait
	 */
	HCA_MAX_XRC_SRQ = 4096,
	/*
	 * XRC target queue pairs. A lower limit applies to each user. It does not apply to each
	 * process, because a target can outlive the process that has created it.
	 */
	HCA_MAX_XRC_TGT = 8192,
	HCA_MAX_CQ = 65536,
	HCA_MAX_CQE = 1 << 20,
	HCA_MAX_MR = 65536,
	HCA_MAX_MW = 65536,
	HCA_MAX_FAST_PAGES = 1024, /* pages of one fast registration */
	HCA_MAX_PD = 65536,
	HCA_MAX_DM = 4096, /* device memories */
	HCA_MAX_DM_BYTES = 1 << 20, /* octets of one device memory */
	HCA_MAX_AH = 1 << 20,
	HCA_MAX_COUNTER = 1024, /* sets of counters to which queue pairs can be bound */
	HCA_MAX_GROUPS = 4096, /* multicast groups */
	HCA_MAX_GROUP_MEMBERS = 256,
	HCA_MAX_USER_MEMBERS = 128, /* members of one group that belong to one user */
	HCA_MAX_MEMBERS = 65536, /* members of all groups together */
	HCA_MAX_RDD = 65536,
	HCA_MAX_RD_ATOMIC = 16,
	/*
	 * RD EE contexts at a time; there are twice as many EE context numbers, because freed
	 * numbers stay in time-wait
	 */
	HCA_MAX_EEC = 4096,
	HCA_MAX_PACKETS = 65536,
	HCA_LOCAL_ACK_DELAY = 15, /* 4.096 us * 2^15 */
};

/*
 * The part of a limit that all users together may use. The remaining sixteenth is reserved for root
 * and the kernel.
 */
#define HCA_FOR_USERS(number) ((number) - (number) / 16)

#endif
