/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_PROCESSOR_H
#define SHIM_LINUX_PROCESSOR_H

/*
 * There is one thread: what it busy-waits for has to come from the handler of shim_on_relax(),
 * which stands for another CPU. Without a handler it never comes, and the test ends.
 */
void shim_cpu_relax(void);

#define cpu_relax() shim_cpu_relax()

#endif
