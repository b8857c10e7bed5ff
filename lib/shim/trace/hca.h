/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* This replaces kernel/trace/hca.h: no tracepoint can be enabled but that of drops. */
#ifndef SHIM_TRACE_HCA_H
#define SHIM_TRACE_HCA_H

#include <linux/types.h>
#include "trace/drop.h"

struct hca_packet;
struct hca_port;

static inline bool trace_hca_packet_out_enabled(void)
{
	return false;
}

static inline void trace_hca_packet_out(const struct hca_port *port, const struct hca_packet *pkt)
{
}

static inline bool trace_hca_packet_in_enabled(void)
{
	return false;
}

static inline void trace_hca_packet_in(const struct hca_port *port, const struct hca_packet *pkt)
{
}

/* The handler that is called for each drop; NULL: none is. */
extern void (*shim_watch_drops)(const struct hca_port *port, const struct hca_packet *pkt,
				enum hca_drop_reason reason);

static inline bool trace_hca_drop_enabled(void)
{
	return shim_watch_drops;
}

static inline void trace_hca_drop(const struct hca_port *port, const struct hca_packet *pkt,
				  enum hca_drop_reason reason)
{
	if (shim_watch_drops)
		shim_watch_drops(port, pkt, reason);
}

static inline void trace_hca_credit_wait(const struct hca_port *port, u8 vl, u16 blocks)
{
}

static inline void trace_hca_credit_back(const struct hca_port *port, u8 vl, u16 blocks)
{
}

#endif
