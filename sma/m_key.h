/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The management key: who may manage a port. */
#ifndef HCA_SMA_M_KEY_H
#define HCA_SMA_M_KEY_H

#include <linux/types.h>

struct hca_port;
struct hca_smp;

/**
 * hca_m_key_check() - may this method be carried out on this port?
 * @port: the port
 * @method: enum hca_mad_method
 * @m_key: what the SMP has
 *
 * Counts the violation if not, and begins the key's lease; the right key ends that.
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

/**
 * hca_m_key_notice() - tell the manager of an SMP without the key (trap 256)
 * @port: where it was managed
 * @slid: who sent it
 * @smp: the SMP
 *
 * Context: see hca_notice_raise().
 */
void hca_m_key_notice(struct hca_port *port, u16 slid, const struct hca_smp *smp);

#endif
