// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Time: steps of the streams, and the clock. */
#include "shim.h"
#include "tests/sim/iwarp/iwsim.h"

#define TIME_MOST_STEPS 2000000 /* until all is at rest */

bool iwsim_step(struct iwsim_connection *conn)
{
	bool busy = conn->pair && sim_stream_step(conn->pair);

	shim_run_until_idle();
	if (conn->pair) {
		iwsim_check_reads(&conn->end[0]);
		iwsim_check_reads(&conn->end[1]);
	}
	return busy;
}

void iwsim_settle(void)
{
	u32 steps = 0;
	bool busy;
	int i;

	do {
		busy = false;
		for (i = 0; i < iwsim.conns; i++)
			busy |= iwsim_step(&iwsim.conn[i]);
		if (steps++ == TIME_MOST_STEPS)
			sim_fail("the streams never come to rest");
	} while (busy);
	iwsim_poll_all();
}

void iwsim_wait(u32 milliseconds)
{
	shim_advance(milliseconds * 1000000ull);
	shim_run_until_idle();
}
