/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_CPUHOTPLUG_H
#define SHIM_LINUX_CPUHOTPLUG_H

enum cpuhp_state {
	CPUHP_BP_PREPARE_DYN,
};

/*
 * Only one state exists at a time; shim_cpu_dead() calls its @teardown. Returns the state's number.
 */
int cpuhp_setup_state_nocalls(enum cpuhp_state state, const char *name,
			      int (*startup)(unsigned int cpu), int (*teardown)(unsigned int cpu));
void cpuhp_remove_state_nocalls(int state);

#endif
