/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Packets in flight. A packet is in flight from its allocation until it is freed: in a queue, a
 * delay line, a switch, or at its receiver. Its index is the number of the epoch in which it was
 * allocated, modulo 2; a copy of a packet and a part of a segment batch have the index of the
 * original. The next epoch begins, on demand, when all packets with the other index have been
 * freed, because the next epoch uses that index. Continuing traffic therefore does not delay a
 * caller that waits for the end of earlier packets.
 *
 * A packet is not counted while it travels over a network.
 */
#ifndef HCA_PACKET_FLIGHT_H
#define HCA_PACKET_FLIGHT_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

/*
 * The numbers of packets that a processor has allocated and freed, by index. A processor may free a
 * packet that another processor has allocated; therefore neither count is ever decremented.
 */
struct hca_flight {
	unsigned long begun[2];
	unsigned long ended[2];
};

DECLARE_PER_CPU(struct hca_flight, hca_flights);

/* The current epoch, which only hca_flight_is_over() changes. */
extern u32 hca_flight_epoch;

/* The index of a new packet. Context: any. */
static inline u8 hca_flight_index(void)
{
	return READ_ONCE(hca_flight_epoch) & 1;
}

/* Count the allocation of a packet. Context: its pool's lock held. */
static inline void hca_flight_add(u8 index)
{
	this_cpu_inc(hca_flights.begun[index]);
}

/* Count the end of a packet. Context: its pool's lock held. */
static inline void hca_flight_del(u8 index)
{
	/*
	 * Pairs with the barrier of flight_is_empty(). The pool's lock was held at the allocations
	 * of the packet and of its copies, which are therefore visible before this end.
	 */
	smp_mb__after_unlock_lock();
	this_cpu_inc(hca_flights.ended[index]);
}

/**
 * hca_flight_add_network() - count a new link over a network
 *
 * Context: process, may sleep.
 */
void hca_flight_add_network(void);

/**
 * hca_flight_del_network() - count the removal of a link over a network
 *
 * No packet may arrive over the link afterwards.
 * Context: process, may sleep.
 */
void hca_flight_del_network(void);

/**
 * hca_flight_is_local() - whether all packets in flight are in this kernel
 * @period: maximum time for which a packet stays in a network, in jiffies
 *
 * Context: process, may sleep.
 * Return: true if, for @period, no port of this kernel has had a link over a network.
 */
bool hca_flight_is_local(unsigned long period);

/**
 * hca_flight_begin() - begin to wait for the packets that are in flight
 *
 * Context: process, may sleep.
 * Return: the epoch, for hca_flight_is_over().
 */
u32 hca_flight_begin(void);

/**
 * hca_flight_is_over() - whether all packets in flight at hca_flight_begin() have ended
 * @epoch: result of hca_flight_begin(), less than 2^31 epochs old
 *
 * The result is true only if all copies of these packets have ended, too. Packets that were
 * allocated after hca_flight_begin() have no influence.
 * Context: process, may sleep.
 */
bool hca_flight_is_over(u32 epoch);

#endif
