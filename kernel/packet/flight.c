// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The counts of packets in flight, and the epochs, which end on demand (packet/flight.h). */
#include "packet/flight.h"
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>

DEFINE_PER_CPU(struct hca_flight, hca_flights);
u32 hca_flight_epoch __read_mostly;

static DEFINE_MUTEX(flight_mutex); /* guards the variables below, and writes of hca_flight_epoch */
static unsigned int flight_networks; /* number of links over a network */
static bool flight_had_network; /* a link over a network has been removed */
static unsigned long flight_network_end; /* jiffies at the last removal */

void hca_flight_add_network(void)
{
	mutex_lock(&flight_mutex);
	flight_networks++;
	mutex_unlock(&flight_mutex);
}

void hca_flight_del_network(void)
{
	mutex_lock(&flight_mutex);
	flight_networks--;
	flight_had_network = true;
	flight_network_end = jiffies;
	mutex_unlock(&flight_mutex);
}

bool hca_flight_is_local(unsigned long period)
{
	bool local;

	mutex_lock(&flight_mutex);
	local = !flight_networks && (!flight_had_network || jiffies - flight_network_end >= period);
	mutex_unlock(&flight_mutex);
	return local;
}

u32 hca_flight_begin(void)
{
	u32 epoch;

	mutex_lock(&flight_mutex);
	epoch = hca_flight_epoch;
	mutex_unlock(&flight_mutex);
	return epoch;
}

/*
 * Return whether all packets with @index that were allocated before the call, and all their copies,
 * have been freed.
 */
static bool flight_is_empty(u8 index)
{
	unsigned long ended = 0, begun = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		ended += READ_ONCE(per_cpu_ptr(&hca_flights, cpu)->ended[index]);
	/*
	 * If the end of a packet was counted above, its allocation and the allocations of its
	 * copies are counted below.
	 */
	smp_mb();
	for_each_possible_cpu(cpu)
		begun += READ_ONCE(per_cpu_ptr(&hca_flights, cpu)->begun[index]);
	return begun == ended;
}

static bool flight_advance(void)
{
	if (!flight_is_empty(!hca_flight_index()))
		return false;
	WRITE_ONCE(hca_flight_epoch, hca_flight_epoch + 1);
	return true;
}

/*
 * After two epochs, each index has been without packets at least once since hca_flight_begin(). A
 * processor may therefore notice a new epoch late.
 */
bool hca_flight_is_over(u32 epoch)
{
	bool over;

	mutex_lock(&flight_mutex);
	while (hca_flight_epoch - epoch < 2 && flight_advance())
		;
	over = hca_flight_epoch - epoch >= 2;
	mutex_unlock(&flight_mutex);
	return over;
}
