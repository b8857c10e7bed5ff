# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Unit tests: one program of these and of the portable core (kernel/sources.mk).
UNIT_SOURCES = \
	tests/unit/agent.c \
	tests/unit/agent_switch.c \
	tests/unit/atomic.c \
	tests/unit/captured.c \
	tests/unit/chain.c \
	tests/unit/checks.c \
	tests/unit/completions.c \
	tests/unit/cq.c \
	tests/unit/cq_traffic.c \
	tests/unit/crc.c \
	tests/unit/credit.c \
	tests/unit/credit_states.c \
	tests/unit/credits.c \
	tests/unit/datagram.c \
	tests/unit/destroy.c \
	tests/unit/dump.c \
	tests/unit/dump_ends.c \
	tests/unit/dump_history.c \
	tests/unit/dump_hostile.c \
	tests/unit/dump_json.c \
	tests/unit/dump_ladder.c \
	tests/unit/dump_pcapng.c \
	tests/unit/early.c \
	tests/unit/engine.c \
	tests/unit/fault.c \
	tests/unit/flow.c \
	tests/unit/forged.c \
	tests/unit/gap.c \
	tests/unit/forward.c \
	tests/unit/hcactl.c \
	tests/unit/hcactl_drops.c \
	tests/unit/serialize.c \
	tests/unit/ingress.c \
	tests/unit/fast_mr.c \
	tests/unit/invalidate.c \
	tests/unit/keys.c \
	tests/unit/null_mr.c \
	tests/unit/link.c \
	tests/unit/link_states.c \
	tests/unit/loops.c \
	tests/unit/main.c \
	tests/unit/malformed.c \
	tests/unit/many.c \
	tests/unit/phy.c \
	tests/unit/persistent.c \
	tests/unit/placement.c \
	tests/unit/multicast.c \
	tests/unit/migrate.c \
	tests/unit/operations.c \
	tests/unit/odp.c \
	tests/unit/options.c \
	tests/unit/ordering.c \
	tests/unit/pace.c \
	tests/unit/notice.c \
	tests/unit/id_table.c \
	tests/unit/pair.c \
	tests/unit/peer.c \
	tests/unit/pma.c \
	tests/unit/port_info.c \
	tests/unit/protection.c \
	tests/unit/raw.c \
	tests/unit/rc.c \
	tests/unit/rc_errors.c \
	tests/unit/rd.c \
	tests/unit/rd_clients.c \
	tests/unit/rd_errors.c \
	tests/unit/rd_resync.c \
	tests/unit/recovery.c \
	tests/unit/reregister.c \
	tests/unit/rings.c \
	tests/unit/rnr.c \
	tests/unit/ring.c \
	tests/unit/scarce.c \
	tests/unit/sdp_answers.c \
	tests/unit/sdp_conn.c \
	tests/unit/sdp_credits.c \
	tests/unit/sdp_end.c \
	tests/unit/sdp_hello.c \
	tests/unit/sdp_model.c \
	tests/unit/sdp_pair.c \
	tests/unit/sdp_pending.c \
	tests/unit/sdp_rules.c \
	tests/unit/sdp_urgent.c \
	tests/unit/sdp_wire.c \
	tests/unit/sdp_zcopy.c \
	tests/unit/shape.c \
	tests/unit/shim.c \
	tests/unit/similar.c \
	tests/unit/sma.c \
	tests/unit/sma_switch.c \
	tests/unit/sma_tables.c \
	tests/unit/smi.c \
	tests/unit/srq.c \
	tests/unit/srq_resize.c \
	tests/unit/states.c \
	tests/unit/switched.c \
	tests/unit/verify.c \
	tests/unit/view.c \
	tests/unit/vl.c \
	tests/unit/vlarb.c \
	tests/unit/special.c \
	tests/unit/sqd.c \
	tests/unit/tap.c \
	tests/unit/batch.c \
	tests/unit/topology.c \
	tests/unit/topology_diff.c \
	tests/unit/topology_load.c \
	tests/unit/topology_read.c \
	tests/unit/topology_rules.c \
	tests/unit/topology_write.c \
	tests/unit/trace.c \
	tests/unit/timing.c \
	tests/unit/transition.c \
	tests/unit/uc.c \
	tests/unit/vendor_err.c \
	tests/unit/vendor_err_keys.c \
	tests/unit/window.c \
	tests/unit/wire.c \
	tests/unit/xrc.c \
	tools/ctl/drop_line.c \
	tools/ctl/drop_read.c \
	tools/ctl/guid.c \
	tools/ctl/index.c \
	tools/ctl/portname.c \
	tools/lib/probability.c \
	tools/lib/units.c \
	tools/ctl/tokens.c \
	tools/dump/ends.c \
	tools/dump/erf.c \
	tools/dump/filter.c \
	tools/dump/filter_values.c \
	tools/dump/history.c \
	tools/dump/json.c \
	tools/dump/ladder.c \
	tools/dump/ladder_svg.c \
	tools/dump/ladder_text.c \
	tools/dump/line.c \
	tools/dump/mad.c \
	tools/dump/mark.c \
	tools/dump/packet.c \
	tools/dump/pcapng_pack.c \
	tools/dump/pcapng_read.c \
	tools/dump/record.c \
	tools/dump/route.c \
	tools/dump/syndrome.c \
	tools/dump/time_style.c \
	tools/dump/xml.c \
	tools/lib/memory.c \
	tools/lib/message.c \
	tools/lib/number.c \
	tools/lib/options.c \
	tools/lib/similar.c \
	tools/sdp/pending.c \
	tools/sdp/rules.c \
	tools/sdp/rules_parse.c \
	tools/verify/compare.c \
	tools/verify/length.c \
	tools/verify/pattern.c

# The simulator: one program of these, of the portable core and of the shim.
SIM_SOURCES = \
	tests/sim/rd_eec.c \
	tests/sim/check.c \
	tests/sim/connect.c \
	tests/sim/credit.c \
	tests/sim/datagram.c \
	tests/sim/effects.c \
	tests/sim/error.c \
	tests/sim/fill.c \
	tests/sim/group.c \
	tests/sim/judge.c \
	tests/sim/main.c \
	tests/sim/memory.c \
	tests/sim/migrate.c \
	tests/sim/model.c \
	tests/sim/ops.c \
	tests/sim/options.c \
	tests/sim/post.c \
	tests/sim/program.c \
	tests/sim/qp.c \
	tests/sim/random.c \
	tests/sim/reliable.c \
	tests/sim/spoil.c \
	tests/sim/sqd.c \
	tests/sim/srq.c \
	tests/sim/trace.c \
	tests/sim/transit.c \
	tests/sim/victim.c \
	tests/sim/wire.c \
	tests/sim/world.c \
	tests/sim/xrc.c \
	tools/lib/message.c \
	tools/lib/number.c \
	tools/lib/options.c \
	tools/lib/probability.c \
	tools/lib/similar.c \
	tools/lib/units.c

# The kernel's interfaces in user space: tests/shim/linux/ has the headers.
SHIM_SOURCES = \
	tests/shim/context.c \
	tests/shim/locks.c \
	tests/shim/loop.c \
	tests/shim/memory.c \
	tests/shim/watch.c

# What consumers of verbs do, for the unit tests and the simulator.
CONSUMER_SOURCES = \
	tests/consumer/memory.c \
	tests/consumer/qp.c

# Programs for the lab against stock libibverbs: tests/lab/NAME, from tests/lab/NAME.c.
LAB_TESTS = \
	tests/lab/direct_events \
	tests/lab/direct_limits \
	tests/lab/direct_mr \
	tests/lab/direct_objects \
	tests/lab/direct_raw \
	tests/lab/direct_shared \
	tests/lab/mad_rewrite \
	tests/lab/mad_send \
	tests/lab/mad_subscribe \
	tests/lab/rds_exchange \
	tests/lab/sdp_bulk \
	tests/lab/sdp_calls \
	tests/lab/sdp_hostile \
	tests/lab/sdp_v6only \
	tests/lab/verbs_atomics \
	tests/lab/verbs_sqd \
	tests/lab/verbs_borders \
	tests/lab/verbs_cq \
	tests/lab/verbs_entries \
	tests/lab/verbs_events \
	tests/lab/verbs_failslab \
	tests/lab/verbs_faults \
	tests/lab/verbs_hostile \
	tests/lab/verbs_indices \
	tests/lab/verbs_isolation \
	tests/lab/verbs_large \
	tests/lab/verbs_migrate \
	tests/lab/verbs_dm \
	tests/lab/verbs_dmabuf \
	tests/lab/verbs_limits \
	tests/lab/verbs_mr \
	tests/lab/verbs_multicast \
	tests/lab/verbs_objects \
	tests/lab/verbs_odp \
	tests/lab/verbs_pairs \
	tests/lab/verbs_persistent \
	tests/lab/verbs_placement \
	tests/lab/verbs_rereg \
	tests/lab/verbs_rings \
	tests/lab/verbs_slots \
	tests/lab/verbs_sqe \
	tests/lab/verbs_srq \
	tests/lab/verbs_srq_resize \
	tests/lab/verbs_states \
	tests/lab/verbs_statistic \
	tests/lab/verbs_threads \
	tests/lab/verbs_violations \
	tests/lab/verbs_waits \
	tests/lab/verbs_windows \
	tests/lab/verbs_wr \
	tests/lab/verbs_xrc \
	tests/lab/verbs_xrc_shared

# hcaverify with a libibverbs that does wrong, for the lab.
SABOTAGE_SOURCES = $(HCAVERIFY_SOURCES) tests/lab/verify_sabotage.c

# Programs that the benchmark runs in the lab: tests/bench/NAME, from tests/bench/NAME.c.
BENCHES = \
	tests/bench/flush \
	tests/bench/machine \
	tests/bench/stream
