# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The sources of hca.ko and hca_sdp.ko. Paths are relative to the top of the tree. Makefile.am includes this file,
# because the core is also compiled in user space against lib/shim/. The Kbuild of each kernel release is made from it.

# The portable core, which is compiled unchanged for the kernel and for the tests.
HCA_CORE_SOURCES = \
	kernel/engine/run.c \
	kernel/fabric/dr.c \
	kernel/fabric/forward.c \
	kernel/fabric/gsi.c \
	kernel/fabric/node.c \
	kernel/fabric/smi.c \
	kernel/fabric/switch.c \
	kernel/fabric/tca.c \
	kernel/link/credit/credit.c \
	kernel/link/credit/flow_control.c \
	kernel/link/credit/flow_receive.c \
	kernel/link/credit/flow_state.c \
	kernel/link/port/attributes.c \
	kernel/link/port/counter.c \
	kernel/link/port/discard.c \
	kernel/link/port/notice.c \
	kernel/link/port/port.c \
	kernel/link/port/port_init.c \
	kernel/link/rx/integrity.c \
	kernel/link/rx/rx.c \
	kernel/link/rx/rx_buffer.c \
	kernel/link/rx/rx_queue.c \
	kernel/link/state/link_event.c \
	kernel/link/state/phy.c \
	kernel/link/state/rate.c \
	kernel/link/state/recovery.c \
	kernel/link/state/remote_link.c \
	kernel/link/state/state.c \
	kernel/link/tap/capture.c \
	kernel/link/tap/tap.c \
	kernel/link/tx/arbiter.c \
	kernel/link/tx/loopback.c \
	kernel/link/tx/timing.c \
	kernel/link/tx/tx.c \
	kernel/link/tx/vl_queue.c \
	kernel/packet/batch.c \
	kernel/packet/flight.c \
	kernel/packet/packet.c \
	kernel/packet/payload.c \
	kernel/packet/serialize.c \
	kernel/phy/cable.c \
	kernel/phy/delay.c \
	kernel/phy/fault.c \
	kernel/phy/frame.c \
	kernel/phy/ingress.c \
	kernel/phy/peer.c \
	kernel/phy/reassembly.c \
	kernel/phy/replay.c \
	kernel/phy/shape.c \
	kernel/qp/ci.c \
	kernel/qp/common.c \
	kernel/qp/cq.c \
	kernel/qp/create.c \
	kernel/qp/id_table.c \
	kernel/qp/local.c \
	kernel/qp/moderation.c \
	kernel/qp/qp.c \
	kernel/qp/recv.c \
	kernel/qp/recv_wqe.c \
	kernel/qp/request.c \
	kernel/qp/ring.c \
	kernel/qp/run.c \
	kernel/qp/segments.c \
	kernel/qp/srq.c \
	kernel/qp/state.c \
	kernel/qp/vendor_err.c \
	kernel/tpt/atomic.c \
	kernel/tpt/copy.c \
	kernel/tpt/entry.c \
	kernel/tpt/key.c \
	kernel/tpt/odp.c \
	kernel/tpt/write_back.c \
	kernel/transport/access.c \
	kernel/transport/address.c \
	kernel/transport/ca.c \
	kernel/transport/completer.c \
	kernel/transport/credit.c \
	kernel/transport/datagram.c \
	kernel/transport/deliver.c \
	kernel/transport/early_retry.c \
	kernel/transport/eec.c \
	kernel/transport/execute.c \
	kernel/transport/flush.c \
	kernel/transport/group.c \
	kernel/transport/migrate.c \
	kernel/transport/modify.c \
	kernel/transport/multicast.c \
	kernel/transport/nak.c \
	kernel/transport/pace.c \
	kernel/transport/path.c \
	kernel/transport/payload.c \
	kernel/transport/qp_create.c \
	kernel/transport/qp_table.c \
	kernel/transport/qp_type.c \
	kernel/transport/raw.c \
	kernel/transport/rd/rd_eec.c \
	kernel/transport/rd/rd_eec_create.c \
	kernel/transport/rd/rd_eec_run.c \
	kernel/transport/receive.c \
	kernel/transport/requester.c \
	kernel/transport/responder.c \
	kernel/transport/responses.c \
	kernel/transport/retry.c \
	kernel/transport/scatter.c \
	kernel/transport/time_wait.c \
	kernel/transport/transition.c \
	kernel/transport/unreliable.c \
	kernel/transport/view.c \
	kernel/transport/watch.c \
	kernel/transport/wr.c \
	kernel/transport/xrc/xrc.c \
	kernel/wire/crc.c \
	kernel/wire/field.c \
	kernel/wire/flow.c \
	kernel/wire/headers.c \
	kernel/wire/opcode.c \
	sma/agent.c \
	sma/agent_port.c \
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
	sma/subnet.c

# iWARP: portable, and compiled for the unit tests alone as long as no device of hca.ko is an RNIC.
HCA_IWARP_SOURCES = \
	kernel/iwarp/tx_buffer.c \
	kernel/iwarp/wire/ddp.c \
	kernel/iwarp/wire/error.c \
	kernel/iwarp/wire/fpdu.c \
	kernel/iwarp/wire/mpa.c \
	kernel/iwarp/wire/rdmap.c \
	kernel/iwarp/wire/terminate.c

# The border to Linux, which knows ib_core, uverbs and generic netlink.
HCA_DRIVER_SOURCES = \
	kernel/control/counters.c \
	kernel/control/devices.c \
	kernel/control/dump.c \
	kernel/control/family.c \
	kernel/control/faults.c \
	kernel/control/kinds.c \
	kernel/control/links.c \
	kernel/control/networks.c \
	kernel/control/port.c \
	kernel/control/rdma_link.c \
	kernel/control/refuse.c \
	kernel/control/registry.c \
	kernel/control/resources.c \
	kernel/control/shapes.c \
	kernel/control/show.c \
	kernel/control/tap.c \
	kernel/fabric/trace.c \
	kernel/main.c \
	kernel/phy/ether.c \
	kernel/phy/icv.c \
	kernel/phy/remote.c \
	kernel/phy/udp.c \
	kernel/verbs/core/context.c \
	kernel/verbs/core/device.c \
	kernel/verbs/core/doorbell.c \
	kernel/verbs/core/limits.c \
	kernel/verbs/core/mapping.c \
	kernel/verbs/core/objects.c \
	kernel/verbs/core/pd.c \
	kernel/verbs/core/qp_events.c \
	kernel/verbs/core/restrack.c \
	kernel/verbs/core/track.c \
	kernel/verbs/core/user.c \
	kernel/verbs/core/view.c \
	kernel/verbs/ib/ah.c \
	kernel/verbs/ib/attributes.c \
	kernel/verbs/ib/ca.c \
	kernel/verbs/ib/ca_qp.c \
	kernel/verbs/ib/driver_qp.c \
	kernel/verbs/ib/eec.c \
	kernel/verbs/ib/events.c \
	kernel/verbs/ib/mad.c \
	kernel/verbs/ib/multicast.c \
	kernel/verbs/ib/port.c \
	kernel/verbs/ib/rdd.c \
	kernel/verbs/ib/statistics.c \
	kernel/verbs/ib/xrcd.c \
	kernel/verbs/mr/dm.c \
	kernel/verbs/mr/dmabuf.c \
	kernel/verbs/mr/fast_mr.c \
	kernel/verbs/mr/mr.c \
	kernel/verbs/mr/mr_alloc.c \
	kernel/verbs/mr/mr_methods.c \
	kernel/verbs/mr/mw.c \
	kernel/verbs/mr/odp.c \
	kernel/verbs/mr/pager.c \
	kernel/verbs/mr/persistent.c \
	kernel/verbs/queue/cq.c \
	kernel/verbs/queue/post.c \
	kernel/verbs/queue/qp.c \
	kernel/verbs/queue/qp_counter.c \
	kernel/verbs/queue/srq.c

# The sources of hca_sdp.ko: its portable core, connections over RDMA devices, and sockets.
HCA_SDP_PROTOCOL_SOURCES = \
	kernel/sdp/protocol/async.c \
	kernel/sdp/protocol/conn.c \
	kernel/sdp/protocol/credits.c \
	kernel/sdp/protocol/hello.c \
	kernel/sdp/protocol/modes.c \
	kernel/sdp/protocol/receive.c \
	kernel/sdp/protocol/resize.c \
	kernel/sdp/protocol/room.c \
	kernel/sdp/protocol/share.c \
	kernel/sdp/protocol/sink.c \
	kernel/sdp/protocol/source.c \
	kernel/sdp/protocol/suspend.c \
	kernel/sdp/protocol/urgent.c \
	kernel/sdp/protocol/wire.c \
	kernel/sdp/protocol/write.c

HCA_SDP_LINK_SOURCES = \
	kernel/sdp/link/address.c \
	kernel/sdp/link/buffer.c \
	kernel/sdp/link/cm.c \
	kernel/sdp/link/create.c \
	kernel/sdp/link/device.c \
	kernel/sdp/link/fill.c \
	kernel/sdp/link/idle.c \
	kernel/sdp/link/link.c \
	kernel/sdp/link/lock.c \
	kernel/sdp/link/memory.c \
	kernel/sdp/link/pages.c \
	kernel/sdp/link/rdma.c \
	kernel/sdp/link/resize.c \
	kernel/sdp/link/resume.c \
	kernel/sdp/link/route.c \
	kernel/sdp/link/setup.c \
	kernel/sdp/link/transfer.c \
	kernel/sdp/link/user.c \
	kernel/sdp/link/watch.c

HCA_SDP_SOCKET_SOURCES = \
	kernel/sdp/socket/accept.c \
	kernel/sdp/socket/close.c \
	kernel/sdp/socket/connect.c \
	kernel/sdp/socket/cork.c \
	kernel/sdp/socket/create.c \
	kernel/sdp/socket/keepalive.c \
	kernel/sdp/socket/link_ops.c \
	kernel/sdp/socket/list.c \
	kernel/sdp/socket/module.c \
	kernel/sdp/socket/options.c \
	kernel/sdp/socket/poll.c \
	kernel/sdp/socket/port.c \
	kernel/sdp/socket/receive.c \
	kernel/sdp/socket/send.c \
	kernel/sdp/socket/state.c \
	kernel/sdp/socket/steps.c \
	kernel/sdp/socket/stream.c \
	kernel/sdp/socket/zcall.c \
	kernel/sdp/socket/zcopy.c \
	kernel/sdp/socket/zread.c \
	kernel/sdp/socket/zsend.c \
	kernel/sdp/socket/zwrite.c

HCA_MODULE_SOURCES = $(HCA_CORE_SOURCES) $(HCA_DRIVER_SOURCES) $(HCA_SDP_PROTOCOL_SOURCES) \
	$(HCA_SDP_LINK_SOURCES) $(HCA_SDP_SOCKET_SOURCES)
