/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One end of an SDP connection, whose peer sends what a test wants. */
#ifndef HCA_TESTS_SDP_END_H
#define HCA_TESTS_SDP_END_H

#include "sdp/protocol/conn.h"

#define END_BUFS 8 /* private buffers of either end */
#define END_SIZE 4096 /* octets of ours */
#define END_PEER_SIZE 512 /* octets of the peer's */
#define END_ADVERTS 2

extern struct sdp_conn conn;
extern struct sdp_delivery delivery; /* of the last message received */
extern struct sdp_message message; /* the last that was sent */

void end_begin(void);

/*
 * Receives a message, whose credits are as they should be. Its mseq_ack is the number of messages
 * that it does not acknowledge.
 */
enum sdp_fault end_receive(const struct sdp_message *what, u32 payload);

/* The same for a message of which only the MID matters; 1,000 octets are advertised. */
enum sdp_fault end_receive_mid(enum sdp_mid mid, u32 payload);

enum sdp_fault end_receive_change(enum sdp_mode mode, bool send);

/* The MID of the next message to send, without payload; END_NOTHING if there is none. */
#define END_NOTHING 0xff00
u32 end_next(bool queued);

#endif
