/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * rdma-link(8): creation of a device for a network interface. Context of both functions: process.
 */
#ifndef HCA_CONTROL_RDMA_LINK_H
#define HCA_CONTROL_RDMA_LINK_H

int hca_rdma_link_start(void);
void hca_rdma_link_stop(void);

#endif
