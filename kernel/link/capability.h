/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* PortInfo:CapabilityMask: the capabilities of a port and of its consumers (req C4-239). */
#ifndef HCA_LINK_CAPABILITY_H
#define HCA_LINK_CAPABILITY_H

/* Capabilities that a port may have; the MAD layer of an adapter adds and removes some. */
enum hca_port_capability {
	HCA_CAP_SM = 1 << 1,
	HCA_CAP_NOTICE = 1 << 2,
	HCA_CAP_TRAP = 1 << 3,
	HCA_CAP_AUTOMATIC_MIGRATION = 1 << 5,
	HCA_CAP_SL_MAP = 1 << 6,
	HCA_CAP_LED_INFO = 1 << 9,
	HCA_CAP_SYSTEM_IMAGE_GUID = 1 << 11,
	HCA_CAP_SWITCH_P_KEY_TRAP = 1 << 12,
	HCA_CAP_EXTENDED_SPEEDS = 1 << 14,
	HCA_CAP_CONNECTION_MANAGEMENT = 1 << 16,
	HCA_CAP_DIRECTED_NOTICE = 1 << 21,
	HCA_CAP_CAPABILITY_NOTICE = 1 << 22,
	HCA_CAP_CLIENT_REREGISTER = 1 << 25,
	HCA_CAP_LOCAL_CHANGES_NOTICE = 1 << 26,
	HCA_CAP_MULTICAST_FDB_TOP = 1 << 30, /* SwitchInfo has MulticastFDBTop */
};

#endif
