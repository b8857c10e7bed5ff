/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_WAIT_BIT_H
#define SHIM_LINUX_WAIT_BIT_H

#include <linux/bitops.h>
#include <linux/wait.h>

#define wait_var_event(var, cond) \
	do { \
		(void)(var); \
		shim_wait(cond); \
	} while (0)
#define wait_var_event_timeout(var, cond, timeout) \
	({ \
		(void)(var); \
		shim_wait_timeout(cond, timeout); \
	})
#define wake_up_var(var) ((void)(var))

#define wait_on_bit(value, bit, mode) \
	({ \
		shim_wait(!test_bit(bit, value)); \
		0; \
	})
#define wake_up_bit(value, bit) ((void)(value), (void)(bit))

#endif
