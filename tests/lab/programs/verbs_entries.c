// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_entries [DEVICE [DEVICE]]
 * A process writes requests that are not allowed to its rings. Each completes in error, and no
 * other queue notices (R0-471, R0-511). Another process exchanges messages through these ports
 * meanwhile. Runs in the guest with Active ports.
 */
#include "verbs_victims.h"

#define HOSTILE 0xbad /* wr_id of the request that is not allowed */
#define ALL_SERVICES (1u << IBV_QPT_RC | 1u << IBV_QPT_UC | 1u << IBV_QPT_UD)

static struct hca_sge *sges(struct hca_send_wqe *wqe)
{
	return (void *)((uint8_t *)wqe + HCA_SEND_WQE_HEADER);
}

static void spoil_opcode(struct hca_send_wqe *wqe)
{
	wqe->opcode = 0x7f;
}

static void spoil_last_opcode(struct hca_send_wqe *wqe)
{
	wqe->opcode = 0xff;
}

static void spoil_num_sge(struct hca_send_wqe *wqe)
{
	wqe->num_sge = 0xff;
}

static void spoil_inline(struct hca_send_wqe *wqe)
{
	wqe->flags |= HCA_WQE_INLINE;
	wqe->inline_length = 257; /* more than the maximum */
}

static void spoil_all_inline(struct hca_send_wqe *wqe)
{
	wqe->flags |= HCA_WQE_INLINE;
	wqe->inline_length = 0xffffffff;
}

static void spoil_key(struct hca_send_wqe *wqe)
{
	sges(wqe)->lkey = 0; /* the reserved L_Key */
}

static void spoil_length(struct hca_send_wqe *wqe)
{
	sges(wqe)->length = 0xffffffff;
}

static void spoil_half_length(struct hca_send_wqe *wqe)
{
	sges(wqe)->length = 1u << 31;
}

static void spoil_address(struct hca_send_wqe *wqe)
{
	sges(wqe)->addr = -(uint64_t)(MESSAGE / 2);
}

static void spoil_end(struct hca_send_wqe *wqe)
{
	sges(wqe)->addr = (uintptr_t)pair.a.memory + PART + PART_OCTETS - MESSAGE + 1;
}

static void spoil_begin(struct hca_send_wqe *wqe)
{
	sges(wqe)->addr = (uintptr_t)pair.a.memory + PART - 1;
}

static void spoil_sl(struct hca_send_wqe *wqe)
{
	wqe->ud.av.sl = 0xff;
}

static void spoil_port(struct hca_send_wqe *wqe)
{
	wqe->ud.av.port_num = 0xff;
}

static void spoil_gid(struct hca_send_wqe *wqe)
{
	wqe->ud.av.has_grh = 1;
	wqe->ud.av.sgid_index = 0xff;
}

static const struct {
	const char *name;
	void (*spoil)(struct hca_send_wqe *wqe);
	enum ibv_wc_status status;
	unsigned int services;
} spoils[] = {
	{ "opcode 127", spoil_opcode, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "opcode 255", spoil_last_opcode, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "255 SGEs", spoil_num_sge, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "257 octets inline", spoil_inline, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "2^32-1 octets inline", spoil_all_inline, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "L_Key 0", spoil_key, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "a length of 2^32-1", spoil_length, IBV_WC_LOC_LEN_ERR, ALL_SERVICES },
	{ "a length of 2^31", spoil_half_length, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "an address at the end of all", spoil_address, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "an octet behind the MR", spoil_end, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "an octet before the MR", spoil_begin, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "SL 255", spoil_sl, IBV_WC_LOC_QP_OP_ERR, 1u << IBV_QPT_UD },
	{ "port 255", spoil_port, IBV_WC_LOC_QP_OP_ERR, 1u << IBV_QPT_UD },
	{ "GID 255", spoil_gid, IBV_WC_LOC_QP_OP_ERR, 1u << IBV_QPT_UD },
};

/* Posts a copy of the first message's entry after @spoil has changed it. */
static void send_entry(enum ibv_qp_type type, void (*spoil)(struct hca_send_wqe *wqe),
		       enum ibv_wc_status status)
{
	const uint32_t producer = sq.ring->producer;
	struct hca_send_wqe *wqe = entry_at(&sq, producer);
	struct ibv_wc wc;

	memcpy(wqe, entry_at(&sq, 0), sq.stride);
	wqe->wr_id = HOSTILE;
	spoil(wqe);
	post_recv(&pair.b, 1, DEST, ROOM);
	producer_write(&sq, producer + 1);
	ring_a();
	completes(pair.a.send_cq, HOSTILE, status, &wc);
	await_state(pair.a.qp, type == IBV_QPT_RC ? IBV_QPS_ERR : IBV_QPS_SQE);
	expect(!poll_all(pair.b.recv_cq), "something has been received");
	expect_state(pair.b.qp, IBV_QPS_RTS);
}

static void send_entries(enum ibv_qp_type type, const char *name)
{
	unsigned int i;

	for (i = 0; i < COUNT(spoils); i++) {
		if (!(spoils[i].services & 1u << type))
			continue;
		if (victims_connect(type, false))
			send_entry(type, spoils[i].spoil, spoils[i].status);
		expect_unchanged();
		victims_disconnect();
		if (lab_reason[0])
			break;
	}
	verdict("%s: send requests with %s", name,
		i < COUNT(spoils) ? spoils[i].name : "what nobody may have: each has its error");
}

static void recv_spoil_key(struct hca_recv_wqe *wqe)
{
	wqe->sge[0].lkey = 0;
}

static void recv_spoil_address(struct hca_recv_wqe *wqe)
{
	wqe->sge[0].addr = -(uint64_t)(ROOM / 2);
}

static void recv_spoil_length(struct hca_recv_wqe *wqe)
{
	wqe->sge[0].addr = (uintptr_t)pair.b.memory + PART + PART_OCTETS - 1;
	wqe->sge[0].length = 0xffffffff;
}

static void (*const recv_spoils[])(struct hca_recv_wqe *wqe) = {
	recv_spoil_key,
	recv_spoil_address,
	recv_spoil_length,
};

static void recv_entry(enum ibv_qp_type type, void (*spoil)(struct hca_recv_wqe *wqe))
{
	const uint32_t producer = rq.ring->producer;
	struct hca_recv_wqe *wqe = entry_at(&rq, producer);
	struct ibv_wc wc;

	memcpy(wqe, entry_at(&rq, 0), rq.stride);
	wqe->wr_id = HOSTILE;
	wqe->num_sge = 0xffffffff; /* cut to the granted number, of which the second SGE is empty */
	wqe->sge[1].length = 0;
	spoil(wqe);
	producer_write(&rq, producer + 1);
	send_message(1);
	completes(pair.b.recv_cq, HOSTILE, IBV_WC_LOC_PROT_ERR, &wc);
	completes(pair.a.send_cq, 1,
		  type == IBV_QPT_RC ? IBV_WC_REM_OP_ERR : IBV_WC_SUCCESS, &wc);
	await_state(pair.b.qp, IBV_QPS_ERR);
}

static void recv_entries(enum ibv_qp_type type, bool shared, const char *name)
{
	unsigned int i;

	for (i = 0; i < COUNT(recv_spoils); i++) {
		if (victims_connect(type, shared))
			recv_entry(type, recv_spoils[i]);
		expect_unchanged();
		victims_disconnect();
	}
	verdict("%s: %sreceive requests into what nobody may have: LOC_PROT_ERR", name,
		shared ? "shared " : "");
}

static void entries(void)
{
	unsigned int i;

	for (i = 0; i < COUNT(services); i++) {
		send_entries(services[i].type, services[i].name);
		recv_entries(services[i].type, false, services[i].name);
		recv_entries(services[i].type, true, services[i].name);
	}
}

int main(int argc, char **argv)
{
	victims_begin(argc, argv);
	entries();
	return victims_end();
}
