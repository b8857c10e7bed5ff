// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The account of a fabric: which packets were sent, have arrived and were dropped. */
#include <stdlib.h>
#include <linux/bottom_half.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "engine/run.h"
#include "fabric.h"
#include "link/state/rate.h"
#include "link/tx/tx.h"
#include "packet/payload.h"
#include "trace/hca.h"
#include "wire/opcode.h"

#define NUMBER_BYTES 4 /* at the beginning of each payload */

static const char *const reasons[] = {
#define TEXT(name, text) text,
	HCA_DROP_REASONS(TEXT)
#undef TEXT
};

/* The payload behind the number follows from it. */
static u8 octet_at(u32 number, u32 i)
{
	return number * 7 + i;
}

static u32 number_of(const struct hca_packet *pkt)
{
	u32 number;

	memcpy(&number, hca_packet_payload(pkt), sizeof(number));
	if (number >= fabric.num_messages)
		sim_fail("a packet has number %u, which was never sent", number);
	return number;
}

static struct fabric_message *message_new(void)
{
	if (fabric.num_messages == fabric.room) {
		fabric.room = fabric.room ? fabric.room * 2 : 1024;
		fabric.message = realloc(fabric.message, fabric.room * sizeof(*fabric.message));
	}
	fabric.message[fabric.num_messages] = (struct fabric_message){};
	return &fabric.message[fabric.num_messages++];
}

static u32 receivers_of(u32 from, u16 dlid)
{
	u32 i, set = 0;

	if (!hca_lid_is_multicast(dlid))
		return BIT(dlid - FABRIC_FIRST_LID);
	for (i = 0; i < fabric.num_ends; i++)
		if (i != from && fabric.end[i].groups & BIT(dlid - FABRIC_FIRST_MLID) &&
		    fabric.part[fabric.end[i].sw] == fabric.part[fabric.end[from].sw])
			set |= BIT(i);
	return set;
}

/* Return: a packet with a number; NULL if there is no memory for it. */
static struct hca_packet *packet_new(struct fabric_end *end, u32 number, u32 length)
{
	struct hca_packet *pkt = hca_packet_alloc(&end->pool);
	u8 *payload;
	u32 i;

	if (!pkt)
		return NULL;
	memset(&pkt->h, 0, sizeof(pkt->h));
	payload = pkt->data;
	if (length > HCA_INLINE_BYTES) {
		payload = kmalloc(length, GFP_ATOMIC);
		if (!payload) {
			hca_packet_free(pkt);
			return NULL;
		}
		pkt->buffer = payload;
		pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	}
	memcpy(payload, &number, sizeof(number));
	for (i = NUMBER_BYTES; i < length; i++)
		payload[i] = octet_at(number, i);
	pkt->payload_length = length;
	return pkt;
}

void fabric_send(u32 from, u16 dlid, u32 length)
{
	struct fabric_end *end = &fabric.end[from];
	u32 number = fabric.num_messages;
	struct fabric_message *message = message_new();
	struct hca_packet *pkt;

	local_bh_disable();
	pkt = packet_new(end, number, length);
	if (!pkt) {
		local_bh_enable();
		return;
	}
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.sl = sim_below(16);
	pkt->h.lrh.slid = FABRIC_FIRST_LID + from;
	pkt->h.lrh.dlid = dlid;
	pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
	pkt->h.bth.pkey = 0xffff;
	hca_packet_finish(pkt);
	message->expected = receivers_of(from, dlid);
	sim_trace(from, "sends #%u of %u octets to %x, sl %u", number, length, dlid,
		  pkt->h.lrh.sl);
	if (!hca_port_send(&end->port, pkt, NULL)) {
		fabric.message[number].expected = 0;
		hca_packet_free(pkt);
	}
	hca_engine_run();
	local_bh_enable();
}

void fabric_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct fabric_end *end = container_of(port, struct fabric_end, port);
	u32 index = end - fabric.end, number = number_of(pkt), i;
	struct fabric_message *message = &fabric.message[number];

	sim_trace(index, "gets #%u", number);
	if (pkt->reserved_at)
		sim_fail("end %u: #%u occupies a buffer of a switch that it has left", index,
			 number);
	for (i = NUMBER_BYTES; i < pkt->payload_length; i++)
		if (hca_packet_payload(pkt)[i] != octet_at(number, i))
			sim_fail("end %u: octet %u of #%u is wrong", index, i, number);
	if (!(message->expected & BIT(index)))
		sim_fail("end %u has got #%u, which is not for it", index, number);
	if (message->got & BIT(index) && !message->uneasy && !fabric.doubles)
		sim_fail("end %u has got #%u twice", index, number);
	message->got |= BIT(index);
	hca_packet_free(pkt);
}

static void fabric_dropped(const struct hca_port *port, const struct hca_packet *pkt,
			   enum hca_drop_reason reason)
{
	u32 number;

	if (pkt->flags & HCA_PACKET_FLOW || fabric.damages)
		return;
	number = number_of(pkt);
	sim_trace(-1, "port %u drops a copy of #%u: %s", port->num, number, reasons[reason]);
	if (fabric.calm && fabric.message[number].expected && reason != HCA_DROP_NO_MEMBER &&
	    reason != HCA_DROP_NO_MEMORY)
		sim_fail("#%u is dropped though nothing fails: %s", number, reasons[reason]);
	fabric.message[number].drops++;
}

void fabric_watch(bool on)
{
	shim_watch_drops = on ? fabric_dropped : NULL;
}

void fabric_disturb(void)
{
	u32 i;

	for (i = 0; i < fabric.num_messages; i++)
		fabric.message[i].uneasy |= fabric.message[i].got != fabric.message[i].expected;
}

static void judge_message(u32 number)
{
	const struct fabric_message *message = &fabric.message[number];
	u32 missing = message->expected & ~message->got;

	if (missing && !message->drops && !message->uneasy && !fabric.damages)
		sim_fail("#%u has not come to the ends %x, and nobody has dropped it", number,
			 missing);
}

/* The receiver's whole buffer of each VL is free, and the sender knows (C4-148). */
static void judge_direction(const struct hca_port *from, const struct hca_port *to)
{
	u32 vl, free;

	for (vl = 0; vl < HCA_DATA_VLS; vl++) {
		free = to->rx_buffer.fccl[vl] - from->tx.fctbs[vl];
		if (free != to->rx_buffer.vl_blocks)
			sim_fail("VL %u of a buffer has %u blocks free of %u, though all is idle",
				 vl, free, to->rx_buffer.vl_blocks);
	}
}

void fabric_judge(void)
{
	u32 i;

	for (i = 0; i < fabric.num_messages; i++)
		judge_message(i);
	for (i = 0; i < fabric.num_cables; i++) {
		const struct fabric_cable *cable = &fabric.cable[i];

		if (!cable->connected)
			continue;
		judge_direction(cable->port[0], cable->port[1]);
		judge_direction(cable->port[1], cable->port[0]);
	}
}
