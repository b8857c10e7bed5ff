/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Creation of a device for a network interface by rdma-link(8). */
#ifndef HCA_CONTROL_RDMA_LINK_H
#define HCA_CONTROL_RDMA_LINK_H

/**
 * hca_rdma_link_start() - accept `rdma link add NAME type hca|hca_rnic netdev INTERFACE`
 *
 * Context: process.
 * Return: 0.
 */
int hca_rdma_link_start(void);

/**
 * hca_rdma_link_stop() - stop accepting `rdma link add`
 *
 * Context: process, may sleep.
 */
void hca_rdma_link_stop(void);

#endif
