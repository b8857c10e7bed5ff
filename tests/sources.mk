# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Unit tests: one program of these and of the portable core (kernel/sources.mk).
UNIT_SOURCES = \
	tests/unit/agent.c \
	tests/unit/atomic.c \
	tests/unit/credit.c \
	tests/unit/datagram.c \
	tests/unit/hcactl.c \
	tests/unit/invalidate.c \
	tests/unit/link.c \
	tests/unit/main.c \
	tests/unit/migrate.c \
	tests/unit/numbers.c \
	tests/unit/pair.c \
	tests/unit/pma.c \
	tests/unit/port_info.c \
	tests/unit/rc.c \
	tests/unit/rc_errors.c \
	tests/unit/rd.c \
	tests/unit/rd_clients.c \
	tests/unit/rd_errors.c \
	tests/unit/rd_resync.c \
	tests/unit/shim.c \
	tests/unit/sma.c \
	tests/unit/smi.c \
	tests/unit/sqd.c \
	tests/unit/trace.c \
	tests/unit/transition.c \
	tests/unit/uc.c \
	tests/unit/wire.c \
	tools/ctl/guid.c \
	tools/ctl/number.c \
	tools/ctl/portname.c \
	tools/ctl/words.c

# The kernel's interfaces in user space: tests/shim/linux/ has the headers.
SHIM_SOURCES = \
	tests/shim/context.c \
	tests/shim/locks.c \
	tests/shim/loop.c \
	tests/shim/memory.c

# Programs for the lab against stock libibverbs: tests/lab/NAME, from tests/lab/NAME.c.
LAB_TESTS = \
	tests/lab/verbs_events \
	tests/lab/verbs_faults \
	tests/lab/verbs_objects \
	tests/lab/verbs_pairs \
	tests/lab/verbs_states \
	tests/lab/verbs_threads

# Programs that the benchmark runs in the lab: tests/bench/NAME, from tests/bench/NAME.c.
BENCHES = \
	tests/bench/machine
