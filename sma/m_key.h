/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The management key (M_Key), which authorizes an SMP to manage a port. */
#ifndef HCA_SMA_M_KEY_H
#define HCA_SMA_M_KEY_H

#include <linux/types.h>

struct hca_port;
struct hca_smp;

/**
 * hca_m_key_check() - check the M_Key of an SMP
 * @port: managed port
 * @method: method of the SMP, IB_MGMT_METHOD_*
 * @m_key: M_Key of the SMP
 *
 * If the method may not be executed, a violation is counted, and the lease of the port's M_Key
 * begins. The right M_Key ends the lease.
 *
 * Context: bottom halves disabled; acquires port->lock.
 * Return: whether the method may be executed.
 */
bool hca_m_key_check(struct hca_port *port, u8 method, __be64 m_key);

/**
 * hca_m_key_is_visible() - whether a Get that passed hca_m_key_check() returns the port's M_Key
 * @port: managed port
 * @m_key: M_Key of the SMP
 *
 * Context: port->lock held.
 * Return: true if the response contains the M_Key, false if it contains 0 instead.
 */
bool hca_m_key_is_visible(const struct hca_port *port, __be64 m_key);

/**
 * hca_m_key_notice() - raise the notice of an M_Key violation (trap 256)
 * @port: port that received the SMP
 * @slid: source LID of the SMP; 0 if the node itself sent the SMP
 * @smp: SMP with a wrong M_Key
 *
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_m_key_notice(struct hca_port *port, u16 slid, const struct hca_smp *smp);

#endif
