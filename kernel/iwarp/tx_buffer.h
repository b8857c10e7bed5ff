/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory into which octets to be sent are written. A stream that has taken a buffer can hand its
 * pages to TCP. Nobody changes the octets of such a buffer any more, so that a retransmission
 * carries what was sent first.
 */
#ifndef HCA_IWARP_TX_BUFFER_H
#define HCA_IWARP_TX_BUFFER_H

#include <linux/types.h>

#define HCA_TX_BUFFER_MIN 4096 /* octets */
#define HCA_TX_BUFFER_MAX 65536

struct hca_tx_buffer {
	u8 *data; /* whole pages, one compound page of them */
	u32 used; /* octets that were written */
	u32 size; /* octets of @data */
};

/**
 * hca_tx_buffer_alloc() - allocate an empty buffer
 * @wanted: octets that the caller would like to write; more than HCA_TX_BUFFER_MAX are not given
 * @least: octets that the caller must be able to write, at most HCA_TX_BUFFER_MAX
 *
 * Context: any.
 * Return: the buffer, or NULL.
 */
struct hca_tx_buffer *hca_tx_buffer_alloc(u32 wanted, u32 least);

/**
 * hca_tx_buffer_free() - free a buffer
 * @b: the buffer, or NULL; users of its pages that have references to them keep the pages
 *
 * Context: any.
 */
void hca_tx_buffer_free(struct hca_tx_buffer *b);

#endif
