/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_IRQFLAGS_H
#define SHIM_LINUX_IRQFLAGS_H

#include <linux/preempt.h>

#define local_irq_save(flags) \
	do { \
		(flags) = shim_context.irqs_off; \
		shim_context.irqs_off = true; \
	} while (0)
#define local_irq_restore(flags) ((void)(shim_context.irqs_off = (flags)))
#define local_irq_disable() ((void)(shim_context.irqs_off = true))
#define local_irq_enable() ((void)(shim_context.irqs_off = false))

#endif
