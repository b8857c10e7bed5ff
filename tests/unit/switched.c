// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include "engine/run.h"
#include "link/port/port_init.h"
#include "link/state/state.h"
#include "packet/payload.h"
#include "phy/cable.h"
#include "sma/agent.h"
#include "switched.h"
#include "wire/opcode.h"

static void listener_receives(struct hca_port *port, struct hca_packet *pkt)
{
	struct listener *l = container_of(port, struct listener, port);

	l->count++;
	l->h = pkt->h;
	if (pkt->payload_length <= sizeof(l->payload))
		memcpy(l->payload, hca_packet_payload(pkt), pkt->payload_length);
	hca_packet_free(pkt);
}

static const struct hca_port_ops listener_ops = {
	.receive = listener_receives,
	.receive_smp = listener_receives,
};

static void activate(struct hca_port *port)
{
	ck_assert_int_eq(hca_port_set_state(port, IB_PORT_ARMED), 0);
	ck_assert_int_eq(hca_port_set_state(port, IB_PORT_ACTIVE), 0);
}

static void connect_port(struct switched *s, u8 num, struct hca_port *port)
{
	ck_assert_int_eq(hca_cable_connect(switched_port(s, num), port), 0);
	activate(switched_port(s, num));
	activate(port);
	s->sw->lft[port->info.lid] = num;
}

static void listener_new(struct listener *l, u16 lid)
{
	hca_packet_pool_init(&l->pool, NULL, 4096);
	hca_node_init(&l->node, RDMA_NODE_IB_CA, cpu_to_be64(0x8000 + lid), "listener", &l->pool,
		      &hca_agent);
	ck_assert_int_eq(hca_node_init_port(&l->port, &l->node, 1, &listener_ops, 0), 0);
	l->port.info.lid = lid;
}

static void listener_free(struct listener *l)
{
	hca_cable_disconnect(&l->port);
	hca_port_destroy(&l->port);
}

struct hca_port *switched_port(struct switched *s, u8 num)
{
	return hca_node_port(&s->sw->node, num);
}

struct switched *switched_new(const struct pair_qp *how)
{
	struct switched *s = calloc(1, sizeof(*s));
	unsigned int i;

	s->pair = pair_new(how);
	s->a = &s->pair->end[0];
	s->b = &s->pair->end[1];
	hca_cable_disconnect(&s->a->ports[1]);
	s->sw = hca_switch_new(2 + SWITCHED_LISTENERS, cpu_to_be64(SWITCHED_GUID), "switch", false,
			       &hca_agent);
	ck_assert(!IS_ERR(s->sw));
	switched_port(s, 0)->info.lid = SWITCHED_LID;
	s->sw->info.linear_fdb_top = 100;
	connect_port(s, 1, &s->a->ports[1]);
	connect_port(s, 2, &s->b->ports[1]);
	for (i = 0; i < SWITCHED_LISTENERS; i++) {
		listener_new(&s->listener[i], 3 + i);
		connect_port(s, 3 + i, &s->listener[i].port);
	}
	return s;
}

void switched_free(struct switched *s)
{
	unsigned int i;

	hca_cable_disconnect(&s->a->ports[1]);
	hca_cable_disconnect(&s->b->ports[1]);
	for (i = 0; i < SWITCHED_LISTENERS; i++)
		listener_free(&s->listener[i]);
	pair_settle();
	hca_switch_free(s->sw);
	for (i = 0; i < SWITCHED_LISTENERS; i++) {
		ck_assert_uint_eq(s->listener[i].pool.in_use, 0);
		hca_packet_pool_destroy(&s->listener[i].pool);
	}
	pair_free(s->pair);
	free(s);
}

struct hca_packet *switched_packet(struct listener *from, u16 slid, u16 dlid, u32 bytes)
{
	struct hca_packet *pkt;

	local_bh_disable();
	pkt = hca_packet_alloc(&from->pool);
	local_bh_enable();
	ck_assert_ptr_nonnull(pkt);
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.slid = slid;
	pkt->h.lrh.dlid = dlid;
	pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
	pkt->h.bth.pkey = 0xffff;
	memset(pkt->data, 0x5a, sizeof(pkt->data));
	pkt->payload_length = bytes;
	return pkt;
}

void switched_send(struct listener *from, struct hca_packet *pkt)
{
	local_bh_disable();
	hca_packet_finish(pkt);
	ck_assert(hca_port_send(&from->port, pkt, NULL));
	hca_engine_run();
	local_bh_enable();
	pair_settle();
}
