/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Flow-control modes of the half-connections: who may change them, and to what. */
#ifndef HCA_SDP_MODES_H
#define HCA_SDP_MODES_H

#include "sdp/wire.h"

/**
 * sdp_mode_may_change() - whether a ModeChange is legal
 * @by_source: the end that sends data in the half-connection decides, else the end that receives
 * @from: the mode that the half-connection is in
 * @to: the mode that ModeChange names
 *
 * Combined and Pipelined mode are left by the data source, Buffered mode by the data sink. There is
 * no way between Buffered and Pipelined mode (SDP 12, figures 26 and 27).
 *
 * Context: any.
 */
bool sdp_mode_may_change(bool by_source, enum sdp_mode from, enum sdp_mode to);

#endif
