/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* From an address vector to LRH and GRH. */
#ifndef HCA_TRANSPORT_PATH_H
#define HCA_TRANSPORT_PATH_H

#include "link/port.h"
#include <rdma/hca-abi.h>

/**
 * hca_path_fill() - address a packet
 * @pkt: LRH and, if @av says so, GRH are filled in
 * @port: where it leaves
 * @av: the address vector
 *
 * Context: any.
 */
void hca_path_fill(struct hca_packet *pkt, const struct hca_port *port, const struct hca_av *av);

/* Which of the port's LIDs a packet was sent to. */
static inline u8 hca_path_bits(const struct hca_port *port, u16 dlid)
{
	return dlid & ((1u << READ_ONCE(port->info.lmc)) - 1);
}

/* Are an address vector's values ones that there are? (V3-160) */
bool hca_av_valid(const struct hca_av *av);

#endif
