/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* All suites, by name: file NAME.c defines NAME_suite(). */
#ifndef HCA_TESTS_SUITES_H
#define HCA_TESTS_SUITES_H

#include <check.h>

#define UNIT_SUITES(SUITE) \
	SUITE(atomic) \
	SUITE(checks) \
	SUITE(completions) \
	SUITE(cq) \
	SUITE(cq_traffic) \
	SUITE(crc) \
	SUITE(credit) \
	SUITE(credit_states) \
	SUITE(credits) \
	SUITE(datagram) \
	SUITE(destroy) \
	SUITE(dump) \
	SUITE(dump_ends) \
	SUITE(dump_history) \
	SUITE(dump_hostile) \
	SUITE(dump_json) \
	SUITE(dump_ladder) \
	SUITE(dump_pcapng) \
	SUITE(early) \
	SUITE(engine) \
	SUITE(fault) \
	SUITE(flow) \
	SUITE(forged) \
	SUITE(gap) \
	SUITE(forward) \
	SUITE(hcactl) \
	SUITE(hcactl_drops) \
	SUITE(serialize) \
	SUITE(ingress) \
	SUITE(fast_mr) \
	SUITE(invalidate) \
	SUITE(keys) \
	SUITE(link) \
	SUITE(link_states) \
	SUITE(loops) \
	SUITE(malformed) \
	SUITE(many) \
	SUITE(phy) \
	SUITE(multicast) \
	SUITE(migrate) \
	SUITE(odp) \
	SUITE(options) \
	SUITE(ordering) \
	SUITE(pace) \
	SUITE(notice) \
	SUITE(null_mr) \
	SUITE(id_table) \
	SUITE(peer) \
	SUITE(placement) \
	SUITE(pma) \
	SUITE(port_info) \
	SUITE(protection) \
	SUITE(raw) \
	SUITE(rc) \
	SUITE(rc_errors) \
	SUITE(rd) \
	SUITE(rd_errors) \
	SUITE(rd_resync) \
	SUITE(recovery) \
	SUITE(reregister) \
	SUITE(rings) \
	SUITE(rnr) \
	SUITE(ring) \
	SUITE(scarce) \
	SUITE(sdp_answers) \
	SUITE(sdp_conn) \
	SUITE(sdp_credits) \
	SUITE(sdp_hello) \
	SUITE(sdp_model) \
	SUITE(sdp_pair) \
	SUITE(sdp_pending) \
	SUITE(sdp_rules) \
	SUITE(sdp_urgent) \
	SUITE(sdp_wire) \
	SUITE(shape) \
	SUITE(shim) \
	SUITE(similar) \
	SUITE(sma) \
	SUITE(sma_switch) \
	SUITE(sma_tables) \
	SUITE(smi) \
	SUITE(special) \
	SUITE(srq) \
	SUITE(srq_resize) \
	SUITE(states) \
	SUITE(vendor_err) \
	SUITE(verify) \
	SUITE(view) \
	SUITE(vl) \
	SUITE(vlarb) \
	SUITE(sqd) \
	SUITE(timing) \
	SUITE(tap) \
	SUITE(batch) \
	SUITE(topology_diff) \
	SUITE(topology_load) \
	SUITE(topology_read) \
	SUITE(topology_rules) \
	SUITE(topology_write) \
	SUITE(transition) \
	SUITE(uc) \
	SUITE(window) \
	SUITE(wire) \
	SUITE(xrc)

#define DECLARE_SUITE(name) Suite *name##_suite(void);
UNIT_SUITES(DECLARE_SUITE)
#undef DECLARE_SUITE

#endif
