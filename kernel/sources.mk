# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The one list of what hca.ko and hca_sdp.ko are made of. Paths are relative to the top of the tree.
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
	kernel/fabric/tca.c \
	kernel/link/arbiter.c \
	kernel/link/attributes.c \
	kernel/link/capture.c \
	kernel/link/counter.c \
	kernel/link/credit.c \
	kernel/link/delay.c \
	kernel/link/discard.c \
	kernel/link/flow_control.c \
	kernel/link/gather.c \
	kernel/link/serialize.c \
	kernel/link/integrity.c \
	kernel/link/link_event.c \
	kernel/link/loopback.c \
	kernel/link/phy.c \
	kernel/link/notice.c \
	kernel/link/packet.c \
	kernel/link/port.c \
	kernel/link/port_init.c \
	kernel/link/rate.c \
	kernel/link/recovery.c \
	kernel/link/remote_link.c \
	kernel/link/rx.c \
	kernel/link/rx_buffer.c \
	kernel/link/state.c \
	kernel/link/timing.c \
	kernel/link/tap.c \
	kernel/link/batch.c \
	kernel/link/tx.c \
	kernel/link/vl_queue.c \
	kernel/phy/cable.c \
	kernel/phy/fault.c \
	kernel/phy/frame.c \
	kernel/phy/ingress.c \
	kernel/phy/peer.c \
	kernel/phy/reassembly.c \
	kernel/phy/replay.c \
	kernel/phy/shape.c \
	kernel/qp/common.c \
	kernel/qp/cq.c \
	kernel/qp/create.c \
	kernel/qp/local.c \
	kernel/qp/moderation.c \
	kernel/qp/qp.c \
	kernel/qp/recv.c \
	kernel/qp/recv_wqe.c \
	kernel/qp/request.c \
	kernel/qp/ring.c \
	kernel/qp/run.c \
	kernel/qp/srq.c \
	kernel/qp/state.c \
	kernel/qp/vendor_err.c \
	kernel/qp/wr.c \
	kernel/tpt/atomic.c \
	kernel/tpt/copy.c \
	kernel/tpt/key.c \
	kernel/tpt/odp.c \
	kernel/tpt/entry.c \
	kernel/tpt/write_back.c \
	kernel/transport/access.c \
	kernel/transport/address.c \
	kernel/transport/atomics.c \
	kernel/transport/ca.c \
	kernel/transport/completer.c \
	kernel/transport/credit.c \
	kernel/transport/datagram.c \
	kernel/transport/deliver.c \
	kernel/transport/eec.c \
	kernel/transport/execute.c \
	kernel/transport/flush.c \
	kernel/transport/group.c \
	kernel/transport/id_table.c \
	kernel/transport/migrate.c \
	kernel/transport/modify.c \
	kernel/transport/multicast.c \
	kernel/transport/operation.c \
	kernel/transport/pace.c \
	kernel/transport/path.c \
	kernel/transport/payload.c \
	kernel/transport/qp_create.c \
	kernel/transport/qp_table.c \
	kernel/transport/raw.c \
	kernel/transport/rd_eec.c \
	kernel/transport/rd_eec_create.c \
	kernel/transport/rd_eec_run.c \
	kernel/transport/receive.c \
	kernel/transport/requester.c \
	kernel/transport/responder.c \
	kernel/transport/responses.c \
	kernel/transport/retry.c \
	kernel/transport/scatter.c \
	kernel/transport/time_wait.c \
	kernel/transport/transition.c \
	kernel/transport/unreliable.c \
	kernel/transport/write_back.c \
	kernel/transport/view.c \
	kernel/transport/xrc.c \
	sma/agent.c \
	sma/communication.c \
	sma/counters.c \
	sma/forwarding.c \
	sma/m_key.c \
	sma/node.c \
	sma/notices.c \
	sma/performance.c \
	sma/port_info.c \
	sma/port_samples.c \
	sma/port_tables.c \
	sma/subnet.c \
	kernel/wire/crc.c \
	kernel/wire/field.c \
	kernel/wire/flow.c \
	kernel/wire/headers.c \
	kernel/wire/opcode.c

# The border to Linux: knows ib_core, uverbs, generic netlink.
HCA_DRIVER_SOURCES = \
	kernel/control/counters.c \
	kernel/control/devices.c \
	kernel/control/dump.c \
	kernel/control/family.c \
	kernel/control/faults.c \
	kernel/control/shapes.c \
	kernel/control/kinds.c \
	kernel/control/links.c \
	kernel/control/networks.c \
	kernel/control/rdma_link.c \
	kernel/control/refuse.c \
	kernel/control/registry.c \
	kernel/control/resources.c \
	kernel/control/show.c \
	kernel/control/tap.c \
	kernel/fabric/trace.c \
	kernel/main.c \
	kernel/phy/ether.c \
	kernel/phy/remote.c \
	kernel/phy/icv.c \
	kernel/phy/udp.c \
	kernel/verbs/ah.c \
	kernel/verbs/attributes.c \
	kernel/verbs/context.c \
	kernel/verbs/cq.c \
	kernel/verbs/device.c \
	kernel/verbs/dm.c \
	kernel/verbs/dmabuf.c \
	kernel/verbs/doorbell.c \
	kernel/verbs/driver_qp.c \
	kernel/verbs/eec.c \
	kernel/verbs/events.c \
	kernel/verbs/fast_mr.c \
	kernel/verbs/mad.c \
	kernel/verbs/mapping.c \
	kernel/verbs/mr.c \
	kernel/verbs/mr_methods.c \
	kernel/verbs/multicast.c \
	kernel/verbs/mw.c \
	kernel/verbs/objects.c \
	kernel/verbs/odp.c \
	kernel/verbs/pd.c \
	kernel/verbs/persistent.c \
	kernel/verbs/port.c \
	kernel/verbs/post.c \
	kernel/verbs/qp.c \
	kernel/verbs/qp_counter.c \
	kernel/verbs/qp_events.c \
	kernel/verbs/rdd.c \
	kernel/verbs/restrack.c \
	kernel/verbs/srq.c \
	kernel/verbs/track.c \
	kernel/verbs/view.c \
	kernel/verbs/xrcd.c \
	kernel/verbs/statistics.c

# hca_sdp.ko: its portable core, and its border to Linux.
HCA_SDP_CORE_SOURCES = \
	kernel/sdp/conn.c \
	kernel/sdp/credits.c \
	kernel/sdp/hello.c \
	kernel/sdp/modes.c \
	kernel/sdp/sink.c \
	kernel/sdp/source.c \
	kernel/sdp/urgent.c \
	kernel/sdp/wire.c

HCA_SDP_LINUX_SOURCES = \
	kernel/sdp/linux/accept.c \
	kernel/sdp/linux/address.c \
	kernel/sdp/linux/buffer.c \
	kernel/sdp/linux/close.c \
	kernel/sdp/linux/cm.c \
	kernel/sdp/linux/connect.c \
	kernel/sdp/linux/device.c \
	kernel/sdp/linux/keepalive.c \
	kernel/sdp/linux/link.c \
	kernel/sdp/linux/list.c \
	kernel/sdp/linux/lock.c \
	kernel/sdp/linux/module.c \
	kernel/sdp/linux/options.c \
	kernel/sdp/linux/pages.c \
	kernel/sdp/linux/poll.c \
	kernel/sdp/linux/port.c \
	kernel/sdp/linux/rdma.c \
	kernel/sdp/linux/receive.c \
	kernel/sdp/linux/route.c \
	kernel/sdp/linux/send.c \
	kernel/sdp/linux/setup.c \
	kernel/sdp/linux/sock.c \
	kernel/sdp/linux/transfer.c \
	kernel/sdp/linux/zcopy.c

HCA_MODULE_SOURCES = $(HCA_CORE_SOURCES) $(HCA_DRIVER_SOURCES) $(HCA_SDP_CORE_SOURCES) \
	$(HCA_SDP_LINUX_SOURCES)
