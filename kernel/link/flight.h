/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Packets in flight. A packet is in flight from its allocation until it is freed: in a queue, a
 * delay line, a switch, or at its receiver. It has one of two indices, that of the current epoch; a
 * copy of a packet and a part of a segment batch have the index of the original. The next epoch
 * begins, on demand, if no packet with the other index is left, because it uses that index.
 * Traffic that goes on therefore does not delay the end of the packets before it.
 *
 * A packet that has left by a network is unknown until it arrives by one.
 */
#ifndef HCA_LINK_FLIGHT_H
#define HCA_LINK_FLIGHT_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

/*
 * The numbers of packets that a processor has allocated and freed, by index. Neither decreases,
 * since another processor may free a packet.
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

/* A packet is allocated. Context: its pool's lock held. */
static inline void hca_flight_add(u8 index)
{
	this_cpu_inc(hca_flights.begun[index]);
}

/* A packet is freed. Context: its pool's lock held. */
static inline void hca_flight_del(u8 index)
{
	/*
	 * Pairs with the barrier of flight_is_empty(). Its pool's lock was held where the packet
	 * was allocated, and where its copies were.
	 */
	smp_mb__after_unlock_lock();
	this_cpu_inc(hca_flights.ended[index]);
}

/*
 * A port of this kernel gets a link over a network; loses it, after which nothing arrives by it.
 * Context: process, may sleep.
 */
void hca_flight_add_network(void);
void hca_flight_del_network(void);

/**
 * hca_flight_is_local() - whether all packets in flight are in this kernel
 * @period: jiffies that a packet stays in a network at most
 *
 * Context: process, may sleep.
 * Return: whether for that long no port of this kernel has had a link over a network.
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
 * hca_flight_is_over() - whether no packet is in flight any more that was at hca_flight_begin()
 * @epoch: what hca_flight_begin() returned, less than 2^31 epochs ago
 *
 * Nor is a copy of such a packet. Packets that were allocated since do not matter.
 * Context: process, may sleep.
 */
bool hca_flight_is_over(u32 epoch);

#endif
