/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Idle connections, which free the memory that they no longer need for payload. */
#ifndef HCA_SDP_LINK_IDLE_H
#define HCA_SDP_LINK_IDLE_H

/**
 * sdp_idle_register() - begin to check whether connections are idle
 *
 * Context: any; before a connection exists.
 */
void sdp_idle_register(void);

#endif
