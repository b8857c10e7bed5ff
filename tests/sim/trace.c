// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A trace of events for people to read: the last lines of it, or all. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <linux/kernel.h>
#include "sim.h"
#include "transport/aeth.h"
#include "wire/opcode.h"

#define LINES 60
#define COLUMNS 200

static char lines[LINES][COLUMNS];
static unsigned long written;
static bool print_all;

void sim_trace_reset(bool all)
{
	written = 0;
	print_all = all;
}

void sim_trace(int node, const char *fmt, ...)
{
	char *line = lines[written % LINES];
	u64 now = shim_now_ns();
	va_list args;
	int at;

	if (!sim.tracing)
		return;
	at = snprintf(line, COLUMNS, "%9llu.%03llu ", (unsigned long long)now / 1000,
		      (unsigned long long)now % 1000);
	at += node < 0 ? snprintf(line + at, COLUMNS - at, "hub    ") :
			 snprintf(line + at, COLUMNS - at, "node%-2d ", node);
	va_start(args, fmt);
	vsnprintf(line + at, COLUMNS - at, fmt, args);
	va_end(args);
	written++;
	if (print_all)
		puts(line);
}

void sim_trace_print(void)
{
	unsigned long i;

	if (print_all)
		return;
	if (written > LINES)
		printf("... %lu lines before these; --trace prints all\n", written - LINES);
	for (i = written > LINES ? written - LINES : 0; i < written; i++)
		puts(lines[i % LINES]);
}

static const char *syndrome_name(u8 syndrome)
{
	static const char *const naks[] = { "NAK PSN sequence", "NAK invalid request",
					    "NAK remote access", "NAK remote operation" };

	switch (syndrome & HCA_SYNDROME_KIND) {
	case HCA_SYNDROME_ACK:
		return "ACK";
	case HCA_SYNDROME_RNR:
		return "NAK RNR";
	default:
		syndrome &= HCA_SYNDROME_VALUE;
		return syndrome < ARRAY_SIZE(naks) ? naks[syndrome] : "NAK ?";
	}
}

/* Node and port. */
static const char *lid_name(u16 lid, char name[8])
{
	const struct sim_node *node = sim_node_of(lid);

	if (node)
		snprintf(name, 8, "%u.%u", (u8)node->index, (u8)(lid - sim_lid(node, 0)));
	return node ? name : "all";
}

void sim_trace_packet(int node, const char *verb, const struct hca_packet *pkt, const char *what)
{
	const struct hca_headers *h = &pkt->h;
	const struct hca_opcode_info *op = &hca_opcodes[h->bth.opcode];
	char more[80] = "", from[8], to[8];

	if (!sim.tracing)
		return;
	if (op->flags & HCA_HAS_AETH)
		snprintf(more, sizeof(more), " %s msn %u", syndrome_name(h->aeth.syndrome),
			 h->aeth.msn);
	else if (op->flags & HCA_HAS_XRCETH)
		snprintf(more, sizeof(more), " srq %06x", h->xrceth_srqn);
	else if (op->flags & HCA_HAS_RETH)
		snprintf(more, sizeof(more), " va %llx+%u rkey %x", (unsigned long long)h->reth.va,
			 h->reth.length, h->reth.rkey);
	sim_trace(node, "%s %s->%s %s psn %06x qp %06x %u octets%s%s%s%s", verb,
		  lid_name(h->lrh.slid, from), lid_name(h->lrh.dlid, to), op->name ? op->name : "reserved opcode", h->bth.psn, h->bth.destqp,
		  pkt->payload_length, h->bth.flags & HCA_BTH_ACKREQ ? " AckReq" : "",
		  h->bth.flags & HCA_BTH_MIGREQ ? "" : " MigReq 0", more, what);
}

const char *sim_status_name(u8 status)
{
	static const char *const names[] = {
		[IB_WC_SUCCESS] = "success",
		[IB_WC_LOC_LEN_ERR] = "local length error",
		[IB_WC_LOC_QP_OP_ERR] = "local QP operation error",
		[IB_WC_LOC_EEC_OP_ERR] = "local EEC operation error",
		[IB_WC_LOC_PROT_ERR] = "local protection error",
		[IB_WC_WR_FLUSH_ERR] = "flushed",
		[IB_WC_BAD_RESP_ERR] = "bad response error",
		[IB_WC_LOC_ACCESS_ERR] = "local access error",
		[IB_WC_REM_INV_REQ_ERR] = "remote invalid request error",
		[IB_WC_REM_ACCESS_ERR] = "remote access error",
		[IB_WC_REM_OP_ERR] = "remote operation error",
		[IB_WC_RETRY_EXC_ERR] = "retry exceeded",
		[IB_WC_RNR_RETRY_EXC_ERR] = "RNR retry exceeded",
		[IB_WC_LOC_RDD_VIOL_ERR] = "local RDD violation",
		[IB_WC_REM_INV_RD_REQ_ERR] = "remote invalid RD request",
		[IB_WC_REM_ABORT_ERR] = "remote aborted",
		[IB_WC_INV_EECN_ERR] = "invalid EEC number",
		[IB_WC_INV_EEC_STATE_ERR] = "invalid EEC state",
	};

	return status < ARRAY_SIZE(names) && names[status] ? names[status] : "unknown status";
}

const char *sim_state_name(u8 state)
{
	static const char *const names[] = { "Reset", "Init", "RTR", "RTS", "SQD", "SQE", "Error" };

	return state < ARRAY_SIZE(names) ? names[state] : "?";
}
