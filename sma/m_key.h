/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The management key: who may manage a port. */
#ifndef HCA_SMA_M_KEY_H
#define HCA_SMA_M_KEY_H

#include <linux/types.h>

struct hca_port;

/**
 * hca_m_key_check() - may this method be carried out on this port?
 * @port: the port
 * @method: enum hca_mad_method
 * @m_key: what the SMP has
 *
 * Counts the violation if not.
 *
 * Context: bottom halves disabled; takes port->lock.
 */
bool hca_m_key_check(struct hca_port *port, u8 method, __be64 m_key);

/**
 * hca_m_key_is_visible() - does a Get that passed the check see the port's key?
 * @port: the port
 * @m_key: what the SMP has
 *
 * Context: port->lock held.
 */
bool hca_m_key_is_visible(const struct hca_port *port, __be64 m_key);

#endif
