/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_SMP_H
#define SHIM_LINUX_SMP_H

#include <linux/kernel.h>
#include <linux/preempt.h>

/* There is one CPU. */
#define NR_CPUS 1
#define nr_cpu_ids 1u
#define num_online_cpus() 1u
#define num_possible_cpus() 1u
#define raw_smp_processor_id() 0
#define smp_processor_id() \
	({ \
		WARN_ON(preemptible()); \
		0; \
	})
#define get_cpu() \
	({ \
		preempt_disable(); \
		0; \
	})
#define put_cpu() preempt_enable()
#define cpu_to_node(cpu) 0
#define numa_node_id() 0

#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < NR_CPUS; (cpu)++)
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)
#define cpu_online(cpu) ((cpu) == 0)

typedef struct {
	void (*func)(void *info);
	void *info;
} call_single_data_t;

#define INIT_CSD(csd, f, i) (*(csd) = (call_single_data_t){ .func = (f), .info = (i) })
/* No CPU has another one to call. */
#define smp_call_function_single_async(cpu, csd) ((void)(cpu), (csd)->func((csd)->info))
#define on_each_cpu(f, info, wait) ((void)(wait), (f)(info))

#endif
