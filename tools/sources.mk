# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The sources that all tools have in common.
TOOLS_LIB_SOURCES = \
	tools/lib/append.c tools/lib/append.h \
	tools/lib/beside.c tools/lib/beside.h \
	tools/lib/color.c tools/lib/color.h \
	tools/lib/memory.c tools/lib/memory.h \
	tools/lib/message.c tools/lib/message.h \
	tools/lib/number.c tools/lib/number.h \
	tools/lib/options.c tools/lib/options.h \
	tools/lib/probability.c tools/lib/probability.h \
	tools/lib/rng.h \
	tools/lib/similar.c tools/lib/similar.h \
	tools/lib/table.c tools/lib/table.h \
	tools/lib/units.c tools/lib/units.h

# Lists of opcodes. They take names from the module's own table, with the kernel's interfaces of lib/shim/, so that hcactl has
# them as a library: its other files include netlink's headers, which lib/shim/ would hide.
OPCODES_SOURCES = \
	kernel/wire/opcode.c \
	tools/lib/opcodes.c tools/lib/opcodes.h

# The sources of hcactl. They are not in tools/hcactl/, because this is the program's own name in the build tree.
HCACTL_SOURCES = $(HCACTL_PARTS) tools/ctl/kernel/counters.c tools/ctl/kernel/inventory.c tools/ctl/kernel/resource_read.c \
	tools/ctl/kernel/tracefs.c

HCAWEB_SOURCES = $(TOOLS_LIB_SOURCES) \
	tools/web/deadline.c tools/web/deadline.h \
	tools/web/exchange.c tools/web/exchange.h \
	tools/web/guard.c \
	tools/web/http.c \
	tools/web/main.c \
	tools/web/random.c tools/web/random.h \
	tools/web/resource.c tools/web/resource.h \
	tools/web/run.c tools/web/run.h \
	tools/web/server.h

# The sources of hcactl, except those that read JSON values from the kernel or find tracefs.
HCACTL_PARTS = $(TOOLS_LIB_SOURCES) \
	tools/ctl/address.c tools/ctl/address.h \
	tools/ctl/check.c tools/ctl/check.h \
	tools/ctl/noun/clear.c \
	tools/ctl/conf.c tools/ctl/conf.h \
	tools/ctl/kernel/counters.h \
	tools/ctl/noun/device.c tools/ctl/noun/device.h \
	tools/ctl/drop_line.c tools/ctl/drop_line.h \
	tools/ctl/kernel/drop_read.c tools/ctl/kernel/drop_read.h \
	tools/ctl/drop_tally.c tools/ctl/drop_tally.h \
	tools/ctl/kernel/drop_trace.c tools/ctl/kernel/drop_trace.h \
	tools/ctl/noun/drops.c \
	tools/ctl/noun/fault.c tools/ctl/noun/fault.h \
	tools/ctl/noun/fault_netlink.c tools/ctl/noun/fault_netlink.h \
	tools/ctl/noun/fault_opcodes.c tools/ctl/noun/fault_opcodes.h \
	tools/ctl/noun/fault_show.c tools/ctl/noun/fault_show.h \
	tools/ctl/noun/fault_value.c tools/ctl/noun/fault_value.h \
	tools/ctl/grammar.c tools/ctl/grammar.h \
	tools/ctl/guid.c tools/ctl/guid.h \
	tools/ctl/identity.c tools/ctl/identity.h \
	tools/ctl/kernel/inventory.h \
	tools/ctl/index.c tools/ctl/index.h \
	tools/ctl/kind.c tools/ctl/kind.h \
	tools/ctl/noun/link.c tools/ctl/noun/link.h \
	tools/ctl/noun/link_show.c \
	tools/ctl/main.c \
	tools/ctl/noun/network.c tools/ctl/noun/network.h \
	tools/ctl/noun/network_show.c \
	tools/ctl/noun/nouns.h \
	tools/ctl/place.c tools/ctl/place.h \
	tools/ctl/port_table.c tools/ctl/port_table.h \
	tools/ctl/portname.c tools/ctl/portname.h \
	tools/ctl/kernel/present.c tools/ctl/kernel/present.h \
	tools/ctl/print.c tools/ctl/print.h \
	tools/ctl/progress.c tools/ctl/progress.h \
	tools/ctl/kernel/reason.c tools/ctl/kernel/reason.h \
	tools/ctl/replace.c tools/ctl/replace.h \
	tools/ctl/kernel/request.c tools/ctl/kernel/request.h \
	tools/ctl/noun/resource.c tools/ctl/noun/resource.h \
	tools/ctl/noun/resource_fields.c \
	tools/ctl/noun/resource_print.c \
	tools/ctl/noun/restore.c \
	tools/ctl/noun/rnic.c tools/ctl/noun/rnic.h \
	tools/ctl/noun/rnic_fault.c tools/ctl/noun/rnic_fault.h \
	tools/ctl/noun/rnic_setting.c tools/ctl/noun/rnic_setting.h \
	tools/ctl/noun/rnic_noun.c \
	tools/ctl/noun/save.c \
	tools/ctl/select.c tools/ctl/select.h \
	tools/ctl/noun/serve.c \
	tools/ctl/setup.c tools/ctl/setup.h \
	tools/ctl/noun/shape.c tools/ctl/noun/shape.h \
	tools/ctl/noun/show.c \
	tools/ctl/status.h \
	tools/ctl/noun/switch.c \
	tools/ctl/noun/tca.c \
	tools/ctl/tokens.c tools/ctl/tokens.h \
	tools/ctl/noun/topology.c tools/ctl/noun/topology.h \
	tools/ctl/noun/topology_diff.c \
	tools/ctl/noun/topology_format.c \
	tools/ctl/noun/topology_generate.c \
	tools/ctl/noun/topology_live.c \
	tools/ctl/noun/topology_load.c \
	tools/ctl/noun/topology_picture.c \
	tools/ctl/kernel/tracefs.h \
	tools/ctl/usage.c tools/ctl/usage.h

# The sources of hcaverify. They are not in tools/hcaverify/, because this is the program's own name in the build tree.
HCAVERIFY_SOURCES = $(TOOLS_LIB_SOURCES) \
	tools/verify/arena.c tools/verify/arena.h \
	tools/verify/async.c \
	tools/verify/compare.c tools/verify/compare.h \
	tools/verify/complete.c \
	tools/verify/connect.c \
	tools/verify/connect_cm.c \
	tools/verify/deliver.c \
	tools/verify/end.c tools/verify/end.h \
	tools/verify/grh.c \
	tools/verify/iteration.h \
	tools/verify/length.c tools/verify/length.h \
	tools/verify/listen.c \
	tools/verify/main.c \
	tools/verify/matrix.c tools/verify/matrix.h \
	tools/verify/options.c tools/verify/options.h \
	tools/verify/outcome.c tools/verify/outcome.h \
	tools/verify/pattern.c tools/verify/pattern.h \
	tools/verify/plan.c \
	tools/verify/post.c \
	tools/verify/report.c tools/verify/report.h \
	tools/verify/run.c \
	tools/verify/status.c tools/verify/status.h \
	tools/verify/wait.c \
	tools/verify/window.c \
	tools/verify/xrc.c

# The sources of hca_rd_pingpong: reliable datagrams between two programs.
RD_PINGPONG_SOURCES = $(TOOLS_LIB_SOURCES) \
	tools/rd_pingpong/endpoint.c tools/rd_pingpong/endpoint.h \
	tools/rd_pingpong/exchange.c tools/rd_pingpong/exchange.h \
	tools/rd_pingpong/main.c \
	tools/rd_pingpong/options.c tools/rd_pingpong/options.h

# The sources of sdprun, which runs a program by SDP instead of TCP. They are not in tools/sdprun/, because this is the
# program's own name in the build tree.
SDPRUN_SOURCES = $(TOOLS_LIB_SOURCES) $(SDP_RULES_SOURCES) $(SDPRUN_STATIC_SOURCES) \
	tools/sdp/command.c tools/sdp/command.h \
	tools/sdp/environment.h \
	tools/sdp/file.c tools/sdp/file.h \
	tools/sdp/main.c \
	tools/sdp/options.c tools/sdp/options.h \
	tools/sdp/protocol.h \
	tools/sdp/static.h

# The sources that run statically linked programs, if libbpf is available.
if HAVE_LIBBPF
SDPRUN_STATIC_SOURCES = \
	tools/sdp/cgroup.c tools/sdp/cgroup.h \
	tools/sdp/hook.c tools/sdp/hook.h \
	tools/sdp/static.c \
	tools/sdp/supervise.c tools/sdp/supervise.h
else
SDPRUN_STATIC_SOURCES = tools/sdp/static_missing.c
endif

# The sources of the library that sdprun preloads.
SDPRUN_LIBRARY_SOURCES = $(SDP_RULES_SOURCES) \
	tools/lib/number.c tools/lib/number.h \
	tools/sdp/attempt.c tools/sdp/attempt.h \
	tools/sdp/carry.c tools/sdp/carry.h \
	tools/sdp/endpoint.c tools/sdp/endpoint.h \
	tools/sdp/environment.h \
	tools/sdp/mapper.c tools/sdp/mapper.h \
	tools/sdp/notice.c tools/sdp/notice.h \
	tools/sdp/pending.c tools/sdp/pending.h \
	tools/sdp/preload.c \
	tools/sdp/protocol.h \
	tools/sdp/real.h \
	tools/sdpmap/address.c tools/sdpmap/address.h \
	tools/sdpmap/cache.c tools/sdpmap/cache.h \
	tools/sdpmap/client.c tools/sdpmap/client.h \
	tools/sdpmap/clock.h \
	tools/sdpmap/endpoint.h \
	tools/sdpmap/wire.c tools/sdpmap/wire.h

SDP_RULES_SOURCES = \
	tools/sdp/rules.c tools/sdp/rules.h \
	tools/sdp/rules_parse.c

# The sources of sdpstat, which lists sockets of SDP. They are not in tools/sdpstat/, because this is the program's own
# name in the build tree.
SDPSTAT_SOURCES = $(TOOLS_LIB_SOURCES) \
	tools/stat/column.c tools/stat/column.h \
	tools/stat/json.c \
	tools/stat/main.c \
	tools/stat/options.c tools/stat/options.h \
	tools/stat/output.h \
	tools/stat/process.c tools/stat/process.h \
	tools/stat/read.c tools/stat/read.h \
	tools/stat/text.c

# The protocol of SDP's port mapper, which the unit tests use, too.
SDPMAP_CORE_SOURCES = \
	tools/sdpmap/cache.c tools/sdpmap/cache.h \
	tools/sdpmap/client.c tools/sdpmap/client.h \
	tools/sdpmap/endpoint.h \
	tools/sdpmap/listener.c tools/sdpmap/listener.h \
	tools/sdpmap/rate.c tools/sdpmap/rate.h \
	tools/sdpmap/server.c tools/sdpmap/server.h \
	tools/sdpmap/table.c tools/sdpmap/table.h \
	tools/sdpmap/wire.c tools/sdpmap/wire.h

# The daemon and client of SDP's port mapper. They are not in tools/sdpmapd/, because this is the program's own name in
# the build tree.
SDPMAPD_SOURCES = $(TOOLS_LIB_SOURCES) $(SDP_RULES_SOURCES) $(SDPMAP_CORE_SOURCES) \
	tools/sdp/file.c tools/sdp/file.h \
	tools/sdpmap/address.c tools/sdpmap/address.h \
	tools/sdpmap/clock.h \
	tools/sdpmap/daemon.c tools/sdpmap/daemon.h \
	tools/sdpmap/datagram.c tools/sdpmap/datagram.h \
	tools/sdpmap/listen.c tools/sdpmap/listen.h \
	tools/sdpmap/local.c tools/sdpmap/local.h \
	tools/sdpmap/main.c \
	tools/sdpmap/options.c tools/sdpmap/options.h \
	tools/sdpmap/query.c tools/sdpmap/query.h \
	tools/sdpmap/result.c tools/sdpmap/result.h \
	tools/sdpmap/route.c tools/sdpmap/route.h \
	tools/sdpmap/services.c tools/sdpmap/services.h

# The sources of hcadump, which dissects packets by the module's own tables. lib/shim/ has the kernel's interfaces for them.
HCADUMP_SOURCES = $(TOOLS_LIB_SOURCES) $(OPCODES_SOURCES) \
	kernel/iwarp/wire/ddp.c \
	kernel/iwarp/wire/error.c \
	kernel/iwarp/wire/fpdu.c \
	kernel/iwarp/wire/mpa.c \
	kernel/iwarp/wire/rdmap.c \
	kernel/iwarp/wire/terminate.c \
	kernel/wire/crc.c \
	kernel/wire/field.c \
	kernel/wire/flow.c \
	kernel/wire/headers.c \
	tools/dump/ends.c tools/dump/ends.h \
	tools/dump/erf.c tools/dump/erf.h \
	tools/dump/file.c \
	tools/dump/filter.c tools/dump/filter.h \
	tools/dump/filter_values.c tools/dump/filter_values.h \
	tools/dump/fpdu.c tools/dump/fpdu.h \
	tools/dump/fpdu_json.c \
	tools/dump/fpdu_text.c \
	tools/dump/history.c tools/dump/history.h \
	tools/dump/ip.c tools/dump/ip.h \
	tools/dump/json.c \
	tools/dump/json_add.h \
	tools/dump/ladder.c tools/dump/ladder.h \
	tools/dump/ladder_svg.c \
	tools/dump/ladder_text.c \
	tools/dump/line.c tools/dump/line.h \
	tools/dump/mad.c tools/dump/mad.h \
	tools/dump/main.c \
	tools/dump/mark.c tools/dump/mark.h \
	tools/dump/options.c tools/dump/options.h \
	tools/dump/output.c tools/dump/output.h \
	tools/dump/packet.c tools/dump/packet.h \
	tools/dump/pcap_writer.c \
	tools/dump/pcapng.h \
	tools/dump/pcapng_pack.c tools/dump/pcapng_pack.h \
	tools/dump/pcapng_read.c tools/dump/pcapng_read.h \
	tools/dump/pcapng_writer.c \
	tools/dump/place.h \
	tools/dump/record.c tools/dump/record.h \
	tools/dump/route.c tools/dump/route.h \
	tools/dump/source.h \
	tools/dump/syndrome.c tools/dump/syndrome.h \
	tools/dump/tap.c \
	tools/dump/time_style.c tools/dump/time_style.h \
	tools/dump/writer.h \
	tools/dump/xml.c tools/dump/xml.h

# The model of a fabric, with its files and rules, which hcactl and the unit tests use.
TOPOLOGY_SOURCES = \
	tools/topology/assign.c \
	tools/topology/box.c tools/topology/box.h \
	tools/topology/claim.c tools/topology/claim.h \
	tools/topology/diff.c tools/topology/diff.h \
	tools/topology/dot.c tools/topology/dot.h \
	tools/topology/dot_box.c \
	tools/topology/dot_line.c \
	tools/topology/dot_parts.h \
	tools/topology/dot_text.c \
	tools/topology/dragonfly.c \
	tools/topology/expand.c tools/topology/expand.h \
	tools/topology/fat_tree.c \
	tools/topology/generate.h \
	tools/topology/generator.c tools/topology/generator.h \
	tools/topology/label.c tools/topology/label.h \
	tools/topology/level.c tools/topology/level.h \
	tools/topology/line.c tools/topology/line.h \
	tools/topology/load.c tools/topology/load.h \
	tools/topology/match.c tools/topology/match.h \
	tools/topology/names.c tools/topology/names.h \
	tools/topology/picture.c tools/topology/picture.h \
	tools/topology/place.c \
	tools/topology/plan.c \
	tools/topology/random.c \
	tools/topology/rate.c tools/topology/rate.h \
	tools/topology/read.c tools/topology/read.h \
	tools/topology/reader.h \
	tools/topology/record.c \
	tools/topology/report.c tools/topology/report.h \
	tools/topology/scan.c tools/topology/scan.h \
	tools/topology/shape.c \
	tools/topology/state.c tools/topology/state.h \
	tools/topology/topology.c tools/topology/topology.h \
	tools/topology/torus.c \
	tools/topology/unique.c tools/topology/unique.h \
	tools/topology/write.c tools/topology/write.h

# The sources that write a topology, or its summary, as JSON.
TOPOLOGY_JSON_SOURCES = \
	tools/topology/json.c tools/topology/json.h \
	tools/topology/summary.c tools/topology/summary.h
