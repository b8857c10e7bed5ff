/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Conversion of address vectors to LRHs and GRHs. */
#ifndef HCA_TRANSPORT_PATH_H
#define HCA_TRANSPORT_PATH_H

#include <rdma/hca-abi.h>
#include "link/port/port.h"

/**
 * hca_path_fill() - set the LRH of a packet and, if the address vector has a GRH, its GRH
 * @pkt: the packet
 * @port: the port that will send the packet
 * @av: the address vector
 *
 * Context: any.
 */
void hca_path_fill(struct hca_packet *pkt, const struct hca_port *port, const struct hca_av *av);

/* Return the path bits (the LMC low bits) of a LID of the port. */
static inline u8 hca_path_bits(const struct hca_port *port, u16 dlid)
{
	return dlid & ((1u << READ_ONCE(port->info.lmc)) - 1);
}

/**
 * hca_av_valid() - return whether the values of an address vector are in range (req V3-160)
 * @av: the address vector
 *
 * Context: any.
 */
bool hca_av_valid(const struct hca_av *av);

#endif
