/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The binding for devices that are not of InfiniBand: the TCP port space of rdma_cm. */
#ifndef HCA_SDP_LINUX_RDMA_H
#define HCA_SDP_LINUX_RDMA_H

#include "sdp/linux/setup.h"

extern const struct sdp_setup_ops sdp_rdma_ops;

/**
 * sdp_rdma_listen() - listen for connections of devices that are not of InfiniBand
 * @ssk: socket that is about to listen, whose lock is held
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno; -EADDRINUSE: a program has the port by rdma_cm.
 */
int sdp_rdma_listen(struct sdp_sock *ssk);

/**
 * sdp_rdma_unlisten() - listen no longer
 * @id: what sdp_rdma_listen() has left in the socket, or NULL
 *
 * Waits for requests that are being processed.
 *
 * Context: process, without the lock of any socket; may sleep.
 */
void sdp_rdma_unlisten(struct rdma_cm_id *id);

#endif
