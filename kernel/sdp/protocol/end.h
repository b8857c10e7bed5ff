/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The end of a connection: each end sends DisConn after all its data, and the end that closes
 * second, or both if DisConns cross, ends the connection. AbortConn withdraws a DisConn.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_END_H
#define HCA_SDP_PROTOCOL_END_H

#include <linux/types.h>

struct sdp_end {
	bool disconn; /* DisConn is to be sent after all data */
	bool more; /* the program has data that is not queued yet */
	bool disconn_sent;
	u32 disconn_mseq; /* MSeq of our DisConn */
	bool ours; /* this end ends the connection: it has closed second, or DisConns crossed */
	bool abort; /* AbortConn is to be sent */
	bool abort_sent;
	bool disconn_received;
	bool abort_received;
};

#endif
