// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The services and operations that are verified. */
#include "matrix.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct service services[] = {
	{ "rc", IBV_QPT_RC, SERVICE_RELIABLE, "reliable connections" },
	{ "uc", IBV_QPT_UC, 0, "unreliable connections" },
	{ "ud", IBV_QPT_UD, SERVICE_DATAGRAM, "datagrams" },
	{ "xrc", IBV_QPT_XRC_SEND, SERVICE_RELIABLE | SERVICE_SRQ | SERVICE_XRC,
	  "extended reliable connections" },
	{ "srq", IBV_QPT_RC, SERVICE_RELIABLE | SERVICE_SRQ,
	  "reliable connections with a shared receive queue" },
	{ "ud-srq", IBV_QPT_UD, SERVICE_DATAGRAM | SERVICE_SRQ,
	  "datagrams with a shared receive queue" },
	{ "mcast", IBV_QPT_UD, SERVICE_DATAGRAM | SERVICE_MULTICAST | SERVICE_ONLY_NAMED,
	  "datagrams to a multicast group" },
};

const size_t num_services = COUNT(services);

static const struct verb send = { IBV_WR_SEND, IBV_WC_SEND, IBV_WC_RECV,
				  VERB_RECEIVES | VERB_MESSAGE };
static const struct verb send_imm = { IBV_WR_SEND_WITH_IMM, IBV_WC_SEND, IBV_WC_RECV,
				      VERB_RECEIVES | VERB_MESSAGE | VERB_IMM };
static const struct verb send_inv = { IBV_WR_SEND_WITH_INV, IBV_WC_SEND, IBV_WC_RECV,
				      VERB_RECEIVES | VERB_MESSAGE | VERB_INVALIDATES };
static const struct verb write = { .opcode = IBV_WR_RDMA_WRITE,
				   .completion = IBV_WC_RDMA_WRITE,
				   .flags = VERB_WRITES };
static const struct verb write_imm = { IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WC_RDMA_WRITE,
				       IBV_WC_RECV_RDMA_WITH_IMM,
				       VERB_RECEIVES | VERB_WRITES | VERB_IMM };
static const struct verb read = { .opcode = IBV_WR_RDMA_READ,
				  .completion = IBV_WC_RDMA_READ,
				  .flags = VERB_READS };
static const struct verb cas = { .opcode = IBV_WR_ATOMIC_CMP_AND_SWP,
				 .completion = IBV_WC_COMP_SWAP,
				 .flags = VERB_ATOMIC };
static const struct verb add = { .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
				 .completion = IBV_WC_FETCH_ADD,
				 .flags = VERB_ATOMIC };
static const struct verb atomic_write = { .opcode = IBV_WR_ATOMIC_WRITE,
					  .completion = IBV_WC_ATOMIC_WRITE,
					  .flags = VERB_WRITES | VERB_ATOMIC_WRITE };

const struct operation operations[] = {
	{ "send", { &send }, OPERATION_MAY_FAIL, "SEND" },
	{ "send-imm", { &send_imm }, OPERATION_MAY_FAIL, "SEND with immediate data" },
	{ "send-inv", { &write, &send_inv }, OPERATION_RELIABLE | OPERATION_WINDOW,
	  "SEND with invalidate, of a memory window" },
	{ "write", { &write }, OPERATION_RDMA | OPERATION_MAY_FAIL, "RDMA WRITE" },
	{ "write-imm", { &write_imm }, OPERATION_RDMA | OPERATION_MAY_FAIL,
	  "RDMA WRITE with immediate data" },
	{ "read", { &read }, OPERATION_RELIABLE | OPERATION_MAY_FAIL, "RDMA READ" },
	{ "cas", { &cas }, OPERATION_RELIABLE, "atomic compare and swap" },
	{ "add", { &add }, OPERATION_RELIABLE, "atomic fetch and add" },
	{ "atomic-write", { &atomic_write }, OPERATION_RELIABLE, "ATOMIC WRITE" },
	{ "write-read", { &write, &read }, OPERATION_RELIABLE | OPERATION_SAME_PLACE,
	  "RDMA READ of what an RDMA WRITE before it writes" },
	{ "read-fence", { &read, &write }, OPERATION_RELIABLE | OPERATION_FENCE,
	  "RDMA WRITE, with a fence, of what an RDMA READ before it reads" },
	/* "mix" must be the last entry, because it uses the operations of the previous entries. */
	{ "mix", { NULL }, OPERATION_ANY, "any of them, one after another" },
};

const size_t num_operations = COUNT(operations);

bool service_has(const struct service *service, const struct operation *operation)
{
	/*
	 * XRC does not have operations with windows: the responder's queue pair binds a window, and
	 * a target does not have a send queue.
	 */
	if (operation->flags & OPERATION_WINDOW && service->flags & SERVICE_XRC)
		return false;
	if (operation->flags & OPERATION_RELIABLE)
		return service->flags & SERVICE_RELIABLE;
	return !(operation->flags & OPERATION_RDMA) || !(service->flags & SERVICE_DATAGRAM);
}
