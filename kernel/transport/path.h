/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Conversion of address vectors to LRH and GRH. */
#ifndef HCA_TRANSPORT_PATH_H
#define HCA_TRANSPORT_PATH_H

#include "link/port.h"
#include <rdma/hca-abi.h>

/**
 * hca_path_fill() - set LRH and, if the address vector has one, GRH of a packet
 * @pkt: the packet
 * @port: the port that sends it
 * @av: the address vector
 *
 * Context: any.
 */
void hca_path_fill(struct hca_packet *pkt, const struct hca_port *port, const struct hca_av *av);

/* Return the path bits of a destination LID of the port. */
static inline u8 hca_path_bits(const struct hca_port *port, u16 dlid)
{
	return dlid & ((1u << READ_ONCE(port->info.lmc)) - 1);
}

/**
 * hca_av_valid() - whether the values of an address vector are in range (req V3-160)
 * @av: the address vector
 *
 * Context: any.
 */
bool hca_av_valid(const struct hca_av *av);

#endif
