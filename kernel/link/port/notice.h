/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Notices: the Notice attribute (IBA 13.4.8.2), and functions that raise notices about ports. */
#ifndef HCA_LINK_PORT_NOTICE_H
#define HCA_LINK_PORT_NOTICE_H

#include <linux/build_bug.h>
#include <linux/types.h>
#include "link/port/port.h"
#include "packet/packet.h"

/* Trap numbers (IBA 14.2.5.1, C4-250). */
enum hca_trap {
	HCA_TRAP_LINK_STATE = 128, /* the link of a switch's port has come up or gone Down */
	HCA_TRAP_LINK_INTEGRITY = 129, /* LocalPhyErrors exceeded */
	HCA_TRAP_BUFFER_OVERRUN = 130, /* OverrunErrors exceeded */
	HCA_TRAP_FLOW_UPDATE = 131, /* the flow-control watchdog has expired */
	HCA_TRAP_LOCAL_CHANGE = 144, /* CapabilityMask, NodeDescription or Enabled fields changed */
	HCA_TRAP_SYSTEM_IMAGE_GUID = 145,
	HCA_TRAP_M_KEY = 256,
	HCA_TRAP_P_KEY = 257,
	HCA_TRAP_Q_KEY = 258,
	HCA_TRAP_SWITCH_P_KEY = 259,
};

#define HCA_NOTICE_DETAILS 54

/* The Notice attribute in its wire format. */
struct hca_notice {
	u8 type; /* HCA_NOTICE_GENERIC, and enum hca_notice_type */
	u8 producer[3]; /* ProducerType, 24 bits: enum rdma_node_type */
	__be16 trap; /* enum hca_trap */
	__be16 issuer_lid;
	__be16 toggle_count; /* NoticeToggle (1 bit) and NoticeCount (15 bits); 0 in traps */
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

/* Bits in the details of trap 144: attributes other than the CapabilityMask that have changed. */
enum hca_local_change {
	HCA_NODE_DESCRIPTION_CHANGED = 1 << 0,
	HCA_LINK_WIDTH_ENABLED_CHANGED = 1 << 1,
	HCA_LINK_SPEED_ENABLED_CHANGED = 1 << 2,
};

/**
 * hca_notice_raise() - raise a notice, unless hca_port_ops.notice is NULL
 * @port: the port that the notice is about
 * @trap: trap number
 * @details: DataDetails
 * @bytes: length of @details; the remainder of DataDetails is 0
 *
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_notice_raise(struct hca_port *port, enum hca_trap trap, const void *details, size_t bytes);

/**
 * hca_notice_port() - raise a notice about the link of a port
 * @port: the port that the notice is about
 * @trap: trap 128 to 131
 *
 * The details are the LID of the managed port and, except in trap 128, the number of @port.
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_notice_port(struct hca_port *port, enum hca_trap trap);

/**
 * hca_notice_local_change() - raise trap 144
 * @port: the managed port
 * @changes: bits of enum hca_local_change; 0: the CapabilityMask has changed
 *
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_notice_local_change(struct hca_port *port, u16 changes);

/**
 * hca_notice_system_image_guid() - raise trap 145
 * @port: a managed port of the node whose SystemImageGUID has changed
 * @guid: the new SystemImageGUID
 *
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_notice_system_image_guid(struct hca_port *port, __be64 guid);

/**
 * hca_port_pkey_violation() - count a P_Key violation, and raise a notice
 * @port: the receiver, for which trap 257 is raised; or an external port of a switch that drops the
 *        packet, for which trap 259 is raised
 * @pkt: the packet with the wrong P_Key
 *
 * P_KeyViolations is counted (req C4-242, C4-053).
 * Context: BH disabled; locks of a queue pair may be held, none of a port.
 */
void hca_port_pkey_violation(struct hca_port *port, const struct hca_packet *pkt);

/**
 * hca_port_qkey_violation() - count a Q_Key violation, and raise trap 258
 * @port: the receiver
 * @pkt: the packet with the wrong Q_Key
 *
 * Q_KeyViolations is counted (req C4-242, C4-053).
 * Context: BH disabled; locks of a queue pair may be held, none of a port.
 */
void hca_port_qkey_violation(struct hca_port *port, const struct hca_packet *pkt);

#endif
