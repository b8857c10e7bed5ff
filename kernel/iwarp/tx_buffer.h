/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory into which octets to be sent are written, one behind another. A stream that has taken some
 * of them can hand their pages to TCP. Nobody changes octets that were taken, so that a
 * retransmission carries what was sent first. What is left of a page is used by later buffers.
 */
#ifndef HCA_IWARP_TX_BUFFER_H
#define HCA_IWARP_TX_BUFFER_H

#include <linux/types.h>

#define HCA_TX_BUFFER_MIN 4096 /* octets */
#define HCA_TX_BUFFER_MAX 65536

struct hca_tx_buffer {
	u8 *data; /* whole pages, one compound page of them; NULL: none */
	u32 sent; /* octets at the beginning that a stream has taken, or another one before */
	u32 used; /* octets that were written, with those */
	u32 size; /* octets of @data */
};

/**
 * hca_tx_buffer_alloc() - get memory for a buffer
 * @b: a buffer without memory
 * @wanted: octets that the caller would like to write; more than HCA_TX_BUFFER_MAX are not given
 * @least: octets that the caller must be able to write, at most HCA_TX_BUFFER_MAX
 *
 * Octets may be in it that were taken: others are written from @used on.
 *
 * Context: BH disabled.
 * Return: whether there is memory.
 */
bool hca_tx_buffer_alloc(struct hca_tx_buffer *b, u32 wanted, u32 least);

/**
 * hca_tx_buffer_free() - free the memory of a buffer
 * @b: the buffer, perhaps without memory; octets that are not taken are lost. Users of its pages
 *     that have references keep the pages
 *
 * Context: BH disabled.
 */
void hca_tx_buffer_free(struct hca_tx_buffer *b);

/**
 * hca_tx_buffer_stop() - free the memory that is kept for later buffers; none is in use
 *
 * Context: process.
 */
void hca_tx_buffer_stop(void);

#endif
