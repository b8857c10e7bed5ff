/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a manager is told of its own accord: the Notice attribute (IBA 13.4.8.2), and what is noticed of a port. */
#ifndef HCA_LINK_NOTICE_H
#define HCA_LINK_NOTICE_H

#include <linux/build_bug.h>
#include <linux/types.h>
#include "link/packet.h"
#include "link/port.h"

/* Trap numbers (IBA 14.2.5.1, C4-250). */
enum hca_trap {
	HCA_TRAP_LINK_STATE = 128, /* a port of a switch: its link has come or gone */
	HCA_TRAP_LINK_INTEGRITY = 129, /* LocalPhyErrors reached */
	HCA_TRAP_BUFFER_OVERRUN = 130, /* OverrunErrors reached */
	HCA_TRAP_FLOW_UPDATE = 131, /* flow-control packets fail to come */
	HCA_TRAP_LOCAL_CHANGE = 144, /* CapabilityMask, or something else a node says of itself */
	HCA_TRAP_SYSTEM_IMAGE_GUID = 145,
	HCA_TRAP_M_KEY = 256,
	HCA_TRAP_P_KEY = 257,
	HCA_TRAP_Q_KEY = 258,
	HCA_TRAP_SWITCH_P_KEY = 259,
};

#define HCA_NOTICE_DETAILS 54

/* As on the wire. */
struct hca_notice {
	u8 type; /* HCA_NOTICE_GENERIC, and enum hca_notice_type */
	u8 producer[3]; /* enum rdma_node_type */
	__be16 trap; /* enum hca_trap */
	__be16 issuer_lid;
	__be16 toggle_count; /* NoticeToggle: 1, NoticeCount: 15; 0 in traps */
	u8 details[HCA_NOTICE_DETAILS];
};

static_assert(sizeof(struct hca_notice) == 64);

#define HCA_NOTICE_GENERIC 0x80

enum hca_notice_type {
	HCA_NOTICE_FATAL = 0,
	HCA_NOTICE_URGENT = 1,
	HCA_NOTICE_SECURITY = 2,
	HCA_NOTICE_SUBNET_MANAGEMENT = 3,
	HCA_NOTICE_INFORMATIONAL = 4,
	HCA_NOTICE_EMPTY = 0x7f,
};

/* Trap 144: what of a node has changed besides its CapabilityMask. */
enum hca_local_change {
	HCA_NODE_DESCRIPTION_CHANGED = 1 << 0,
	HCA_LINK_WIDTH_ENABLED_CHANGED = 1 << 1,
	HCA_LINK_SPEED_ENABLED_CHANGED = 1 << 2,
};

/**
 * hca_notice_raise() - tell the node's manager, if the port's owner cares (hca_port_ops.notice)
 * @port: of which something was noticed
 * @trap: its number
 * @details: DataDetails
 * @bytes: how long they are; the rest is 0
 *
 * Context: any that takes locks for bottom halves; no lock of a port is held.
 */
void hca_notice_raise(struct hca_port *port, enum hca_trap trap, const void *details, size_t bytes);

/* The following raise one; @port and context are as above. */

/* Traps 128 to 131, whose details are LID and port. */
void hca_notice_port(struct hca_port *port, enum hca_trap trap);

/* Trap 144; @changes: enum hca_local_change, 0: the CapabilityMask. */
void hca_notice_local_change(struct hca_port *port, u16 changes);

/* Trap 145; the GUID is the node's. */
void hca_notice_system_image_guid(struct hca_port *port);

/*
 * A packet had a key that is not the receiver's, who may hold the locks of a queue pair:
 * P_KeyViolations and trap 257, or 259 if it is a switch's external port that did not let it
 * pass; Q_KeyViolations and trap 258 (C4-242, C4-053).
 */
void hca_port_pkey_violation(struct hca_port *port, const struct hca_packet *pkt);
void hca_port_qkey_violation(struct hca_port *port, const struct hca_packet *pkt);

#endif
