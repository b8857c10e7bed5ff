# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The one list of what hca.ko is made of. Paths are relative to the top of the tree.
# Included by Makefile.am (the core is also compiled in user space against tests/shim/)
# and turned into the Kbuild of each kernel release.

# Portable: compiled unchanged for the kernel and for the tests.
HCA_CORE_SOURCES = \
	kernel/engine/run.c \
	kernel/fabric/dr.c \
	kernel/fabric/forward.c \
	kernel/fabric/gsi.c \
	kernel/fabric/node.c \
	kernel/fabric/smi.c \
	kernel/fabric/switch.c \
	kernel/fabric/target.c \
	kernel/link/arbiter.c \
	kernel/link/capture.c \
	kernel/link/gather.c \
	kernel/link/image.c \
	kernel/link/integrity.c \
	kernel/link/packet.c \
	kernel/link/port.c \
	kernel/link/rate.c \
	kernel/link/recovery.c \
	kernel/link/rx.c \
	kernel/link/state.c \
	kernel/link/timing.c \
	kernel/link/tap.c \
	kernel/link/tx.c \
	kernel/link/vl_queue.c \
	kernel/phy/cable.c \
	kernel/phy/fault.c \
	kernel/phy/frame.c \
	kernel/phy/partner.c \
	kernel/tpt/atomic.c \
	kernel/tpt/copy.c \
	kernel/tpt/key.c \
	kernel/tpt/region.c \
	kernel/transport/ca.c \
	kernel/transport/channel.c \
	kernel/transport/completer.c \
	kernel/transport/cq.c \
	kernel/transport/credit.c \
	kernel/transport/datagram.c \
	kernel/transport/deliver.c \
	kernel/transport/eec.c \
	kernel/transport/execute.c \
	kernel/transport/local.c \
	kernel/transport/migrate.c \
	kernel/transport/modify.c \
	kernel/transport/multicast.c \
	kernel/transport/numbers.c \
	kernel/transport/pace.c \
	kernel/transport/path.c \
	kernel/transport/payload.c \
	kernel/transport/qp.c \
	kernel/transport/qp_state.c \
	kernel/transport/qp_table.c \
	kernel/transport/raw.c \
	kernel/transport/receive.c \
	kernel/transport/recv.c \
	kernel/transport/request.c \
	kernel/transport/requester.c \
	kernel/transport/responder.c \
	kernel/transport/responses.c \
	kernel/transport/retry.c \
	kernel/transport/ring.c \
	kernel/transport/schedule.c \
	kernel/transport/send.c \
	kernel/transport/srq.c \
	kernel/transport/transition.c \
	kernel/transport/unreliable.c \
	kernel/transport/wr.c \
	sma/agent.c \
	sma/class_port_info.c \
	sma/field.c \
	sma/guid_info.c \
	sma/linear_forwarding_table.c \
	sma/m_key.c \
	sma/multicast_forwarding_table.c \
	sma/node_description.c \
	sma/node_info.c \
	sma/pkey_table.c \
	sma/port_counters.c \
	sma/port_info.c \
	sma/sl_to_vl.c \
	sma/switch_info.c \
	sma/vl_arbitration.c \
	kernel/wire/crc.c \
	kernel/wire/flow.c \
	kernel/wire/headers.c \
	kernel/wire/opcode.c

# The border to Linux: knows ib_core, uverbs, generic netlink.
HCA_DRIVER_SOURCES = \
	kernel/control/devices.c \
	kernel/control/family.c \
	kernel/control/faults.c \
	kernel/control/kinds.c \
	kernel/control/links.c \
	kernel/control/refuse.c \
	kernel/control/registry.c \
	kernel/control/show.c \
	kernel/control/tap.c \
	kernel/main.c \
	kernel/trace/hca.c \
	kernel/verbs/ah.c \
	kernel/verbs/attributes.c \
	kernel/verbs/context.c \
	kernel/verbs/cq.c \
	kernel/verbs/device.c \
	kernel/verbs/doorbell.c \
	kernel/verbs/driver_qp.c \
	kernel/verbs/eec.c \
	kernel/verbs/events.c \
	kernel/verbs/fast_mr.c \
	kernel/verbs/mad.c \
	kernel/verbs/mapping.c \
	kernel/verbs/mr.c \
	kernel/verbs/multicast.c \
	kernel/verbs/mw.c \
	kernel/verbs/objects.c \
	kernel/verbs/pd.c \
	kernel/verbs/port.c \
	kernel/verbs/post.c \
	kernel/verbs/qp.c \
	kernel/verbs/rdd.c \
	kernel/verbs/srq.c
