/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Flow-control modes of the half-connections, and the legal changes between the modes. */
#ifndef HCA_SDP_MODES_H
#define HCA_SDP_MODES_H

#include "sdp/wire.h"

/**
 * sdp_mode_may_change() - whether a ModeChange is legal
 * @by_source: the end that sends data in the half-connection sent ModeChange, not the data sink
 * @from: the mode that the half-connection is in
 * @to: the mode that ModeChange names
 *
 * The data source changes Combined and Pipelined mode, the data sink changes Buffered mode. A
 * direct change between Buffered and Pipelined mode is illegal (SDP 12, figures 26 and 27).
 *
 * Context: any.
 */
bool sdp_mode_may_change(bool by_source, enum sdp_mode from, enum sdp_mode to);

#endif
