// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* VL arbitration, which chooses the VL that sends next. */
#include "link/tx/arbiter.h"
#include <linux/bitops.h>
#include <linux/kernel.h>
#include "link/port/port.h"

#define HCA_HIGH_LIMIT_BLOCKS 64 /* blocks of 64 octets in one unit of VLHighLimit */
#define HCA_HIGH_LIMIT_NONE 255 /* VLHighLimit for no limit */

void hca_vlarb_set(struct hca_vlarb_table *table, unsigned int index, u8 vl, u8 weight)
{
	unsigned int i;
	u16 vls = 0;

	table->entry[index][0] = vl;
	table->entry[index][1] = weight;
	for (i = 0; i < HCA_VLARB_ENTRIES; i++)
		vls |= table->entry[i][1] ? BIT(table->entry[i][0]) : 0;
	WRITE_ONCE(table->vls, vls);
}

static bool vlarb_entry_is_ready(const u8 entry[2], u16 ready)
{
	return READ_ONCE(entry[1]) && ready >> READ_ONCE(entry[0]) & 1;
}

/* Return: number of rounds until some entry may send; 0: no ready entry has a weight. */
static int vlarb_rounds_needed(const struct hca_vlarb_round *round,
			       const struct hca_vlarb_table *table, u16 ready)
{
	int i, needed = 0;

	for (i = 0; i < HCA_VLARB_ENTRIES; i++) {
		int weight = table->entry[i][1], n;

		if (!vlarb_entry_is_ready(table->entry[i], ready) || !weight)
			continue;
		n = DIV_ROUND_UP(max(1 - round->left[i], 1), weight);
		if (!needed || n < needed)
			needed = n;
	}
	return needed;
}

/*
 * Go through all entries once, and add @times the weight of each ready entry to round->left of
 * that entry. Stop at the first entry that may send now. Return: whether there is such an entry.
 */
static bool vlarb_round_turn(struct hca_vlarb_round *round, const struct hca_vlarb_table *table,
			     u16 ready, int times)
{
	int i;

	for (i = 0; i < HCA_VLARB_ENTRIES; i++) {
		round->entry = (round->entry + 1) % HCA_VLARB_ENTRIES;
		if (!vlarb_entry_is_ready(table->entry[round->entry], ready))
			continue;
		round->left[round->entry] += table->entry[round->entry][1] * times;
		if (round->left[round->entry] > 0)
			return true;
	}
	return false;
}

/*
 * If only the VL of the current entry is ready, add as many weights of this entry at once as it
 * needs before it may send. Return: false if another VL is ready, or the weight is 0.
 */
static bool vlarb_round_alone(struct hca_vlarb_round *round, const struct hca_vlarb_table *table,
			      u16 ready)
{
	const u8 *entry = table->entry[round->entry];
	s16 *left = &round->left[round->entry];
	int weight = READ_ONCE(entry[1]);

	if (!weight || ready != BIT(READ_ONCE(entry[0])))
		return false;
	*left += weight * DIV_ROUND_UP(1 - *left, weight);
	return true;
}

static u8 vlarb_round_choose(struct hca_vlarb_round *round, const struct hca_vlarb_table *table,
			     u16 ready)
{
	s16 *left = &round->left[round->entry];
	int needed;
	u8 vl;

	if (*left > 0 && !vlarb_entry_is_ready(table->entry[round->entry], ready))
		*left = 0;
	if (!(READ_ONCE(table->vls) & ready))
		return HCA_NO_VL;
	if (*left <= 0 && !vlarb_round_alone(round, table, ready)) {
		needed = vlarb_rounds_needed(round, table, ready);
		if (!needed)
			return HCA_NO_VL;
		/*
		 * No entry may send before the last round, so all earlier rounds are done at once.
		 */
		if (needed > 1)
			vlarb_round_turn(round, table, ready, needed - 1);
		if (!vlarb_round_turn(round, table, ready, 1))
			return HCA_NO_VL; /* the table was changed after vlarb_rounds_needed() */
	}
	vl = READ_ONCE(table->entry[round->entry][0]);
	return ready >> vl & 1 ? vl : HCA_NO_VL; /* the table may be changed at any time */
}

static s32 vlarb_high_limit(const struct hca_port *port)
{
	/* VLHighLimit 0 allows one packet of any length (req C4-145). */
	return max(READ_ONCE(port->info.vl_high_limit) * HCA_HIGH_LIMIT_BLOCKS, 1);
}

u8 hca_arbiter_choose(struct hca_port *port, u16 ready)
{
	struct hca_arbiter *arbiter = &port->tx.arbiter;
	bool limited = READ_ONCE(port->info.vl_high_limit) != HCA_HIGH_LIMIT_NONE;
	bool spent = limited && arbiter->high_left <= 0;
	u8 vl;

	arbiter->turn = NULL;
	if (!ready)
		return HCA_NO_VL;
	if (!spent) {
		vl = vlarb_round_choose(&arbiter->high, &port->tables.vlarb_high, ready);
		if (vl != HCA_NO_VL) {
			arbiter->turn = &arbiter->high;
			return vl;
		}
	}
	/* Low priority may send now. High priority may then send VLHighLimit again. */
	arbiter->high_left = vlarb_high_limit(port);
	vl = vlarb_round_choose(&arbiter->low, &port->tables.vlarb_low, ready);
	if (vl != HCA_NO_VL) {
		arbiter->turn = &arbiter->low;
		return vl;
	}
	if (spent) {
		vl = vlarb_round_choose(&arbiter->high, &port->tables.vlarb_high, ready);
		if (vl != HCA_NO_VL) {
			arbiter->turn = &arbiter->high;
			return vl;
		}
	}
	return __ffs(ready);
}

void hca_arbiter_sent(struct hca_port *port, u16 blocks)
{
	struct hca_arbiter *arbiter = &port->tx.arbiter;

	if (!arbiter->turn)
		return;
	arbiter->turn->left[arbiter->turn->entry] -= blocks;
	if (arbiter->turn == &arbiter->high)
		arbiter->high_left -= blocks;
}
