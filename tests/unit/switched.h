/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A pair with a switch in the middle of its cable, and with listeners at the other ports of the
 * switch.
 */
#ifndef HCA_TESTS_SWITCHED_H
#define HCA_TESTS_SWITCHED_H

#include "fabric/switch.h"
#include "pair.h"

#define SWITCHED_LID 10
#define SWITCHED_GUID 0x7000
#define SWITCHED_LISTENERS 2

/* A listener at port 3 or 4: it receives every packet, and stores the latest. */
struct listener {
	struct hca_node node;
	struct hca_port port;
	struct hca_packet_pool pool;
	struct hca_headers h;
	u8 payload[HCA_INLINE_BYTES];
	unsigned int count;
};

/*
 * End a is at port 1 of the switch, b at port 2; each end's LID leads there. All ports are Active.
 */
struct switched {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_switch *sw;
	struct listener listener[SWITCHED_LISTENERS]; /* at ports 3 and 4, LIDs 3 and 4 */
};

struct switched *switched_new(const struct pair_qp *how);
void switched_free(struct switched *s);

struct hca_port *switched_port(struct switched *s, u8 num);

/*
 * Compose a packet of a listener, to be modified and sent: a UD Send Only of @bytes octets from LID
 * to LID.
 */
struct hca_packet *switched_packet(struct listener *from, u16 slid, u16 dlid, u32 bytes);
void switched_send(struct listener *from, struct hca_packet *pkt);

#endif
