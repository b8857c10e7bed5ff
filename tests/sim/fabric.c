// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Actions in a simulated fabric: packets are sent, ends stand still, cables and memory fail. */
#include <stdlib.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include "engine/run.h"
#include "fabric.h"
#include "link/rx/rx.h"
#include "phy/cable.h"
#include "phy/fault.h"

#define MS 1000000ull

struct sim_fabric fabric;

/* One packet, or many that fill buffers and queues. */
static void act_send(void)
{
	u32 from = sim_below(fabric.num_ends), count = sim_chance(1, 8) ? 1 + sim_below(100) : 1;
	u16 dlid = sim_chance(1, 2) ? FABRIC_FIRST_MLID + sim_below(FABRIC_GROUPS) :
				      FABRIC_FIRST_LID + sim_below(fabric.num_ends);

	while (count--)
		fabric_send(from, dlid, 4 + sim_below(sim_chance(1, 2) ? 200 : 4093));
}

static void act_wait(void)
{
	shim_advance(sim_below(1 << sim_below(20)));
}

static bool end_stands_still(struct hca_runnable *run, int *budget)
{
	(void)run;
	(void)budget;
	return false;
}

static void end_stall(struct fabric_end *end, bool stalls)
{
	end->stalled = stalls;
	end->port.rx.run.run = stalls ? end_stands_still : hca_rx_run;
	local_bh_disable();
	hca_run_schedule(&end->port.rx.run);
	hca_engine_run();
	local_bh_enable();
}

static void act_stall(void)
{
	struct fabric_end *end = &fabric.end[sim_below(fabric.num_ends)];

	sim_trace(end - fabric.end, "%s", end->stalled ? "goes on" : "stands still");
	end_stall(end, !end->stalled);
}

static struct fabric_cable *any_cable(void)
{
	return &fabric.cable[sim_below(fabric.num_cables)];
}

static void act_cable(void)
{
	struct fabric_cable *cable = any_cable();

	sim_trace(-1, "cable %u is %s", (u32)(cable - fabric.cable),
		  cable->connected ? "pulled" : "connected");
	if (cable->connected) {
		hca_cable_disconnect(cable->port[0]);
		cable->connected = cable->faulty = false;
	} else {
		fabric_connect(cable);
	}
}

static void act_route(void)
{
	sim_trace(-1, "new tables");
	fabric_disturb();
	fabric_route();
}

static void act_fault(void)
{
	struct fabric_cable *cable = any_cable();
	struct hca_fault_spec spec = { .seed = sim_below(1 << 30) };
	u32 kind = sim_below(HCA_NUM_FAULTS);
	struct hca_fault *fault;

	if (!cable->connected)
		return;
	sim_trace(-1, "cable %u has a fault", (u32)(cable - fabric.cable));
	spec.chance[kind] = HCA_FAULT_ALWAYS / (1 + sim_below(50));
	fabric.doubles |= kind == HCA_FAULT_DUPLICATE;
	fabric.damages |= kind == HCA_FAULT_CORRUPT;
	fault = hca_fault_new(&spec);
	if (IS_ERR(fault))
		sim_fail("no fault");
	cable->faulty = true;
	hca_fault_install(cable->port[sim_below(2)], fault);
}

/* A packet, and memory that runs out somewhere on its way. */
static void act_fail_alloc(void)
{
	shim_fail_alloc(1 + sim_below(6));
	act_send();
	shim_fail_alloc(0);
}

static const struct {
	void (*act)(void);
	u32 weight;
	bool fails; /* it is left out while nothing is to fail */
} actions[] = {
	{ act_send, 60, false },
	{ act_wait, 20, false },
	{ act_stall, 6, true },
	{ act_cable, 4, true },
	{ act_route, 2, true },
	{ act_fault, 3, true },
	{ act_fail_alloc, 4, true },
};

static void act(void)
{
	u32 draw = sim_below(99), i;

	for (i = 0; draw >= actions[i].weight; i++)
		draw -= actions[i].weight;
	if (!fabric.calm || !actions[i].fails)
		actions[i].act();
}

/* Nothing fails any more, and all that is under way ends. */
static void settle(void)
{
	u32 i, side;

	for (i = 0; i < fabric.num_ends; i++)
		if (fabric.end[i].stalled)
			end_stall(&fabric.end[i], false);
	for (i = 0; i < fabric.num_cables; i++)
		for (side = 0; side < 2 && fabric.cable[i].faulty; side++)
			hca_fault_install(fabric.cable[i].port[side], NULL);
	for (i = 0; i < 20; i++)
		shim_advance(100 * MS);
}

void sim_fabric_run(void)
{
	s32 i;

	free(fabric.message);
	shim_advance(MS);
	fabric_new();
	fabric_watch(true);
	for (i = 0; i < sim.how.ops; i++)
		act();
	settle();
	fabric_judge();
	sim.hub.packets = fabric.num_messages;
	fabric_free();
	fabric_watch(false);
}
