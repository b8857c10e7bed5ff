/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Flow-control modes of the half-connections, and the legal changes between the modes. */
#ifndef HCA_SDP_PROTOCOL_MODES_H
#define HCA_SDP_PROTOCOL_MODES_H

#include "sdp/protocol/wire.h"

struct sdp_modes {
	u8 send; /* mode in which this end sends, an enum sdp_mode */
	u8 recv; /* mode in which the peer sends, an enum sdp_mode */
	bool peer_pipelined; /* the peer prefers that this end sends in Pipelined mode */
	bool pipelined; /* this end prefers that the peer sends in Pipelined mode */
	bool left_pipelined; /* our ModeChange out of Pipelined mode is not acknowledged */
	u32 change_mseq; /* MSeq of the last ModeChange sent */
};

/**
 * sdp_mode_may_change() - whether a ModeChange is legal
 * @by_source: true if the data source of the half-connection sends ModeChange, not the data sink
 * @from: the mode that the half-connection is in
 * @to: the mode that ModeChange names
 *
 * The data source can leave Combined and Pipelined mode, the data sink can leave Buffered mode. A
 * direct change between Buffered and Pipelined mode is illegal (SDP 12, figures 26 and 27).
 *
 * Context: any.
 */
bool sdp_mode_may_change(bool by_source, enum sdp_mode from, enum sdp_mode to);

#endif
