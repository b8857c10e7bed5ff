// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Path migration: the state of each end changes with the packets that it receives, by its consumer,
 * or because its retries are exhausted; the core's state must agree at any time. The modeled
 * consumers cooperate: they load alternate paths at both ends, and migrate only when both ends are
 * Armed.
 */
#include <linux/kernel.h>
#include "sim.h"
#include "wire/opcode.h"
#include "transport/iba_qp.h"

static const char *state_name(u8 state)
{
	static const char *const names[] = { [IB_MIG_MIGRATED] = "Migrated",
		[IB_MIG_REARM] = "ReArm",
					     [IB_MIG_ARMED] = "Armed" };

	return state < ARRAY_SIZE(names) && names[state] ? names[state] : "?";
}

static u32 number(const struct sim_migration *m)
{
	return m->qp ? m->qp->qpn : m->rd_eec->eecn;
}

static struct hca_qp_attr *attr_of(struct sim_migration *m)
{
	return m->qp ? &m->qp->attr : &m->rd_eec->attr;
}

static void wrong(const struct sim_migration *m, const char *why)
{
	sim_fail("node%d %s %06x (%s by port %d): %s", m->node->index, m->qp ? "qp" : "eec",
		 number(m),
		 state_name(m->state), m->used.port, why);
}

/* Packets in transit may be lost, or be overtaken by those on the other path. */
static void disturb(struct sim_migration *m)
{
	if (m->rd_eec) {
		sim_rd_eec_harm(m->rd_eec);
		return;
	}
	sim_flow_disturb(m->qp->out);
	sim_flow_disturb(m->qp->in);
}

static u32 harm_of(const struct sim_migration *m)
{
	return m->qp ? m->qp->out->harm : m->rd_eec->harm;
}

/* Number of packets queued at the port of the path in use. */
static u32 queued(const struct sim_migration *m)
{
	const struct hca_port *port = &m->node->ports[m->used.port];
	const struct llist_node *node;
	u32 vl, n = 0;

	for (vl = 0; vl < HCA_DATA_VLS; vl++)
		for (node = port->tx.vl_queue[vl].first; node; node = node->next) {
			const struct hca_packet *pkt = llist_entry(node, struct hca_packet, node);

			if (sim_migration_of(pkt) == m->peer)
				n += pkt->packets;
		}
	return n;
}

static void become(struct sim_migration *m, u8 state)
{
	m->late += queued(m);
	m->mixed |= m->late;
	m->state = state;
	m->changed_ns = shim_now_ns();
	m->posthumous = m->eec->common->state == IB_QPS_ERR;
}

static void migrated(struct sim_migration *m)
{
	struct hca_qp_attr *attr = attr_of(m);

	sim_trace(m->node->index, "%s %06x migrates to port %d", m->qp ? "qp" : "eec",
		  number(m),
		  m->other.port);
	m->late += queued(m);
	swap(m->used, m->other);
	swap(attr->iba.timeout, attr->iba.alt_timeout);
	m->loaded = false;
	m->unreported = true;
	become(m, IB_MIG_MIGRATED);
	disturb(m);
	m->harm = harm_of(m);
	if (m->qp)
		sim_flow_retries_anew(m->qp->out);
}

/* Retries are exhausted, which is valid if each attempt was harmed (C4-106). */
static void exhausted(struct sim_migration *m)
{
	bool rough = m->qp ? sim_flow_uneasy(m->qp->out) : m->rd_eec->rough;

	if (m->qp && m->qp->type != IB_QPT_RC && m->qp->type != IB_QPT_XRC_INI)
		wrong(m, "has migrated, but nobody said so");
	if (!rough && harm_of(m) - m->harm <= attr_of(m)->iba.retry_cnt)
		wrong(m, "has migrated, but its attempts cannot have ended");
	migrated(m);
}

static void compare(struct sim_migration *m)
{
	const struct hca_qp_attr *core = &m->eec->attr;

	if (core->iba.path_mig_state != m->state)
		wrong(m, core->iba.path_mig_state == IB_MIG_ARMED ? "should not be Armed" :
			 core->iba.path_mig_state == IB_MIG_REARM ? "should not be in ReArm" :
								  "should not be Migrated");
	if (core->iba.port_num != m->used.port || core->iba.av.dlid != m->used.dlid)
		wrong(m, "uses another path");
}

/* Only exhausted retries change the state without an event in the model. */
static void poll_state(struct sim_migration *m)
{
	if (m->state == IB_MIG_ARMED && m->eec->attr.iba.path_mig_state == IB_MIG_MIGRATED)
		exhausted(m);
	compare(m);
}

static bool came_by(const struct sim_path *path, const struct hca_port *port,
		    const struct hca_packet *pkt)
{
	return port->num == path->port && pkt->h.lrh.slid == path->dlid;
}

/* Find the end that a packet is for; NULL: it has no paths. */
struct sim_migration *sim_migration_of(const struct hca_packet *pkt)
{
	u8 transport = hca_opcode_transport(pkt->h.bth.opcode);
	struct sim_node *node = sim_node_of(pkt->h.lrh.dlid);
	struct sim_rd_eec *c;
	struct sim_qp *qp;

	if (!node || transport == HCA_TRANSPORT_UD)
		return NULL;
	if (transport == HCA_TRANSPORT_RD) {
		c = sim_rd_eec_find(node, pkt->h.rdeth_eecn);
		return c && c->migration.eec ? &c->migration : NULL;
	}
	qp = sim_qp_find(node, pkt->h.bth.destqp);
	return qp && !sim_is_datagram(qp) && qp->migration.eec ? &qp->migration : NULL;
}

/*
 * Apply a packet to the state before the core has processed it (C4-105). False: it is to be
 * dropped.
 */
bool sim_migration_recv(struct sim_migration *m, const struct hca_port *port,
			const struct hca_packet *pkt)
{
	bool migreq = pkt->h.bth.flags & HCA_BTH_MIGREQ;

	if (m->eec->common->state == IB_QPS_RESET || m->eec->common->state == IB_QPS_INIT)
		return false;
	poll_state(m);
	if (m->state == IB_MIG_ARMED && migreq && came_by(&m->other, port, pkt)) {
		migrated(m);
		return true;
	}
	m->refused |= came_by(&m->used, port, pkt) && m->state == IB_MIG_ARMED && migreq;
	if (m->refused || !came_by(&m->used, port, pkt)) {
		disturb(m);
		return false;
	}
	if (!migreq && m->state == IB_MIG_MIGRATED && m->loaded) {
		become(m, IB_MIG_REARM);
	} else if (!migreq && m->state == IB_MIG_REARM) {
		become(m, IB_MIG_ARMED);
	}
	return true;
}

void sim_migration_done(struct sim_migration *m)
{
	compare(m);
}

/*
 * A packet leaves. After a change all packets leave by the new path; packets of the very moment of
 * the change may leave by either. Packets queued at a port at that time leave by the old path.
 */
void sim_migration_leave(struct sim_migration *m, const struct hca_packet *pkt)
{
	const struct hca_lrh *lrh = &pkt->h.lrh;
	bool by_used, fits;

	if (!m->eec) /* a queued packet of a connection that no longer exists */
		return;
	poll_state(m);
	if (shim_now_ns() == m->changed_ns)
		return;
	by_used = lrh->slid == sim_lid(m->node, m->used.port) && lrh->dlid == m->used.dlid;
	fits = !!(pkt->h.bth.flags & HCA_BTH_MIGREQ) == (m->state == IB_MIG_MIGRATED);
	if (by_used && fits)
		return;
	if (!m->late)
		wrong(m, by_used ? "sends a MigReq that does not go with its state" :
				   "sends by another path");
	m->late--;
}

bool sim_migration_is_cut(const struct sim_migration *m, const struct hca_packet *pkt)
{
	return m->cut.port && pkt->h.lrh.slid == sim_lid(m->node, m->cut.port) &&
	       pkt->h.lrh.dlid == m->cut.dlid;
}

/*
 * Retries are exhausted and the end has entered Error: there must have been no alternate path a
 * moment ago.
 */
void sim_migration_gave_up(struct sim_migration *m)
{
	if (m->eec && m->state == IB_MIG_ARMED && !m->posthumous && m->changed_ns < shim_now_ns())
		wrong(m, "has given up, and not tried its other path");
}

void sim_migration_event(struct sim_migration *m, enum hca_qp_event event)
{
	bool *due = event == HCA_QP_PATH_MIG ? &m->unreported : &m->refused;

	if (!m->eec)
		return;
	poll_state(m);
	if (!*due)
		wrong(m, event == HCA_QP_PATH_MIG ? "says that it has migrated, and has not" :
						    "tells of a wrong request to migrate, and got none");
	*due = false;
}

void sim_migration_end(struct sim_migration *m)
{
	if (!m->eec)
		return;
	poll_state(m);
	if (m->unreported || m->refused)
		wrong(m, m->unreported ? "has migrated, and has not reported it" :
					 "has not reported an invalid request to migrate");
}

static void begin(struct sim_migration *m, const struct hca_eec *eec, struct sim_migration *peer)
{
	const struct hca_qp_attr *attr = attr_of(m);

	m->eec = eec;
	m->peer = peer;
	m->used = (struct sim_path){ .port = attr->iba.port_num, .dlid = attr->iba.av.dlid };
	become(m, IB_MIG_MIGRATED);
}

/* A new connection begins: loaded paths are discarded. */
void sim_migration_begin_qps(struct sim_qp *a, struct sim_qp *b)
{
	a->migration = (struct sim_migration){ .node = a->node, .qp = a };
	b->migration = (struct sim_migration){ .node = b->node, .qp = b };
	begin(&a->migration, hca_qp_eec(a->qp), &b->migration);
	begin(&b->migration, hca_qp_eec(b->qp), &a->migration);
}

void sim_migration_begin_rd_eecs(struct sim_rd_eec *a, struct sim_rd_eec *b)
{
	a->migration = (struct sim_migration){ .node = a->node, .rd_eec = a };
	b->migration = (struct sim_migration){ .node = b->node, .rd_eec = b };
	begin(&a->migration, &a->rd_eec->eec, &b->migration);
	begin(&b->migration, &b->rd_eec->eec, &a->migration);
}

static bool joined(const struct sim_path *a, const struct sim_migration *of_a,
		   const struct sim_path *b,
		   const struct sim_migration *of_b)
{
	return a->dlid == sim_lid(of_b->node, b->port) && b->dlid == sim_lid(of_a->node, a->port);
}

bool sim_migration_agrees(const struct sim_migration *m)
{
	return m->eec && m->peer->eec && joined(&m->used, m, &m->peer->used, m->peer);
}

static void modify(struct sim_migration *m, const struct hca_qp_attr *attr, int mask)
{
	int ret = m->qp ? hca_qp_modify(m->qp->qp, attr, mask) :
			  hca_rd_eec_modify(m->rd_eec->rd_eec, attr, mask);

	if (ret)
		wrong(m, "cannot be modified");
	shim_run_until_idle();
	poll_state(m);
}

static bool runs(const struct sim_migration *m)
{
	return m->eec && (m->eec->common->state == IB_QPS_RTS ||
			  m->eec->common->state == IB_QPS_SQD);
}

static void load(struct sim_migration *m, const struct sim_path *path)
{
	struct hca_qp_attr attr = {
		.iba.alt_port_num = path->port,
		.iba.alt_timeout = 12 + sim_below(3),
		.iba.alt_av = { .dlid = path->dlid, .port_num = path->port, .sl = sim_below(8) },
	};

	sim_route(&attr.iba.alt_av, sim_chance(1, 8));
	sim_trace(m->node->index, "%s %06x loads the path by port %d", m->qp ? "qp" : "eec",
		  number(m),
		  path->port);
	m->other = *path;
	m->loaded = true;
	attr_of(m)->iba.alt_timeout = attr.iba.alt_timeout;
	modify(m, &attr, IB_QP_ALT_PATH);
}

/* Load an alternate path that differs from the one in use, at both ends. */
static void load_both(struct sim_migration *m)
{
	u8 ports[2] = { m->used.port, m->peer->used.port };
	u32 which = 1 + sim_below(3);
	struct sim_path here, there;

	here.port = which & 1 ? 3 - ports[0] : ports[0];
	there.port = which & 2 ? 3 - ports[1] : ports[1];
	here.dlid = sim_lid(m->peer->node, there.port);
	there.dlid = sim_lid(m->node, here.port);
	load(m, &here);
	if (runs(m->peer))
		load(m->peer, &there);
}

static void command(struct sim_migration *m, u8 state)
{
	const struct hca_qp_attr attr = { .iba.path_mig_state = state };

	sim_trace(m->node->index, "%s %06x is told: %s", m->qp ? "qp" : "eec", number(m),
		  state_name(state));
	if (state == IB_MIG_REARM)
		become(m, IB_MIG_REARM);
	else
		migrated(m);
	modify(m, &attr, IB_QP_PATH_MIG_STATE);
}

/*
 * A path that was migrated to is no alternate path any more, and none exists before the first is
 * loaded (C4-112).
 */
static void rearm_in_vain(struct sim_migration *m)
{
	const struct hca_qp_attr attr = { .iba.path_mig_state = IB_MIG_REARM };
	int ret = m->qp ? hca_qp_modify(m->qp->qp, &attr, IB_QP_PATH_MIG_STATE) :
			  hca_rd_eec_modify(m->rd_eec->rd_eec, &attr, IB_QP_PATH_MIG_STATE);

	if (!ret)
		wrong(m, "may rearm without an alternate path");
}

static void cut(struct sim_migration *m)
{
	sim_trace(-1, "cuts the path of node%d %06x by port %d", m->node->index, number(m),
		  m->used.port);
	m->cut = m->used;
	m->peer->cut = m->peer->used;
}

/* The next step of cooperating consumers. UC is not cut, because it could not detect that. */
void sim_migration_act(struct sim_migration *m)
{
	struct sim_migration *peer = m->peer;

	if (!runs(m) || !runs(peer))
		return;
	sim_poll();
	poll_state(m);
	poll_state(peer);
	if (!sim_migration_agrees(m))
		return;
	if (!m->loaded)
		rearm_in_vain(m);
	if (!m->loaded && !peer->loaded)
		load_both(m);
	if (!runs(m) || !runs(peer))
		return;
	if (m->state == IB_MIG_MIGRATED && m->loaded) {
		command(m, IB_MIG_REARM);
	} else if (m->state == IB_MIG_ARMED && peer->state == IB_MIG_ARMED) {
		if (sim_chance(1, 3) && !(m->qp && m->qp->type == IB_QPT_UC))
			cut(m);
		else
			command(m, IB_MIG_MIGRATED);
	}
}
