# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Unit tests: one program of these and of the portable core (kernel/sources.mk).
UNIT_SOURCES = \
	tests/unit/main.c

# The kernel's interfaces in user space: tests/shim/linux/ has the headers.
SHIM_SOURCES = \
	tests/shim/context.c \
	tests/shim/locks.c \
	tests/shim/loop.c \
	tests/shim/memory.c

# Programs for the lab against stock libibverbs: tests/lab/NAME, from tests/lab/NAME.c.
LAB_TESTS =
