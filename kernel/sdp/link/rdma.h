/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Setup of connections over RoCE and iWARP devices, by the TCP port space of rdma_cm. */
#ifndef HCA_SDP_LINK_RDMA_H
#define HCA_SDP_LINK_RDMA_H

#include "sdp/link/binding.h"

extern const struct sdp_setup_ops sdp_rdma_ops;

/**
 * sdp_rdma_listen() - listen for connections over RoCE and iWARP devices
 * @ep: bound socket that begins to listen, whose lock is held
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno; -EADDRINUSE: another user of rdma_cm has the port.
 */
int sdp_rdma_listen(struct sdp_ep *ep);

/**
 * sdp_rdma_unlisten() - destroy an identifier that listens
 * @id: identifier that sdp_rdma_listen() has stored in the socket, or NULL
 *
 * The call waits until the requests under way are processed.
 *
 * Context: process, without the lock of any socket; may sleep.
 */
void sdp_rdma_unlisten(struct rdma_cm_id *id);

#endif
