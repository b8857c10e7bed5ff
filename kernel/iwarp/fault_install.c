// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The installation of faults at an RNIC's queue pairs, and what they have done. */
#include "iwarp/fault_install.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "iwarp/iwarp_qp.h"

void hca_iwarp_set_fault(struct hca_qp *qp, struct hca_iwarp_fault *fault)
{
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);
	struct hca_rnic *rnic = hca_rnic_of(it);

	spin_lock_bh(&qp->common.send_lock);
	swap(it->fault, fault);
	it->tx.fault = it->fault;
	spin_unlock_bh(&qp->common.send_lock);
	if (fault && fault->is_common) {
		atomic64_add(fault->selected, &rnic->fault_selected);
		atomic64_add(fault->happened, &rnic->fault_happened);
	}
	kfree(fault);
}

static struct hca_iwarp_fault *fault_alloc(const struct hca_iwarp_fault_spec *spec, bool is_common)
{
	struct hca_iwarp_fault *fault = kmalloc(sizeof(*fault), GFP_KERNEL);

	if (!fault)
		return NULL;
	hca_iwarp_fault_init(fault, spec);
	fault->is_common = is_common;
	return fault;
}

static int fault_set_one(struct hca_qp *qp, const struct hca_iwarp_fault_spec *spec,
			 bool is_common)
{
	struct hca_iwarp_fault *fault = NULL;

	if (spec->kind != HCA_IWARP_FAULT_NONE) {
		fault = fault_alloc(spec, is_common);
		if (!fault)
			return -ENOMEM;
	}
	hca_iwarp_set_fault(qp, fault);
	return 0;
}

/* Return: the queue pair at an index, to be released by hca_qp_put(), or NULL. */
static struct hca_qp *fault_get_qp(struct hca_rnic *rnic, u32 index)
{
	struct hca_qp *qp;

	local_bh_disable();
	qp = hca_qp_get_index(&rnic->ci, index);
	local_bh_enable();
	return qp;
}

static int fault_set_all(struct hca_rnic *rnic, const struct hca_iwarp_fault_spec *spec)
{
	struct hca_qp *qp;
	int ret = 0;
	u32 i;

	for (i = 0; !ret && i < READ_ONCE(rnic->ci.qps.next); i++) {
		qp = fault_get_qp(rnic, i);
		if (!qp)
			continue;
		ret = fault_set_one(qp, spec, true);
		hca_qp_put(qp);
	}
	return ret;
}

static void fault_set_spec(struct hca_rnic *rnic, const struct hca_iwarp_fault_spec *spec)
{
	spin_lock_bh(&rnic->lock);
	rnic->fault = *spec;
	rnic->fault_changes++;
	spin_unlock_bh(&rnic->lock);
}

static void fault_clear(struct hca_rnic *rnic)
{
	static const struct hca_iwarp_fault_spec none;

	fault_set_spec(rnic, &none);
	fault_set_all(rnic, &none);
}

int hca_rnic_set_faults(struct hca_rnic *rnic, const struct hca_iwarp_fault_spec *spec)
{
	int ret;

	fault_clear(rnic);
	atomic64_set(&rnic->fault_selected, 0);
	atomic64_set(&rnic->fault_happened, 0);
	if (spec->kind == HCA_IWARP_FAULT_NONE)
		return 0;
	fault_set_spec(rnic, spec);
	ret = fault_set_all(rnic, spec);
	if (ret)
		fault_clear(rnic);
	return ret;
}

/* Read the faults of an RNIC. Return: how often they have changed. */
static u32 fault_get_spec(struct hca_rnic *rnic, struct hca_iwarp_fault_spec *spec)
{
	u32 changes;

	spin_lock_bh(&rnic->lock);
	*spec = rnic->fault;
	changes = rnic->fault_changes;
	spin_unlock_bh(&rnic->lock);
	return changes;
}

/* A change that comes meanwhile may have found the queue pair before its faults are set here. */
int hca_iwarp_inherit_fault(struct hca_iwarp_qp *it)
{
	struct hca_rnic *rnic = hca_rnic_of(it);
	struct hca_iwarp_fault_spec spec, now;
	u32 changes = fault_get_spec(rnic, &now), before;
	int ret;

	if (now.kind == HCA_IWARP_FAULT_NONE)
		return 0;
	do {
		spec = now;
		before = changes;
		ret = fault_set_one(&it->qp, &spec, true);
		changes = fault_get_spec(rnic, &now);
	} while (!ret && changes != before);
	return ret;
}

/* Copy the faults of a queue pair. Return: whether it has any. */
static bool fault_view(struct hca_qp *qp, struct hca_iwarp_fault *fault)
{
	const struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);
	bool any;

	spin_lock_bh(&qp->common.send_lock);
	any = it->fault;
	if (any)
		*fault = *it->fault;
	spin_unlock_bh(&qp->common.send_lock);
	return any;
}

void hca_rnic_view_faults(struct hca_rnic *rnic, struct hca_rnic_fault_view *view)
{
	struct hca_iwarp_fault fault;
	struct hca_qp *qp;
	u32 i;

	*view = (struct hca_rnic_fault_view){
		.selected = atomic64_read(&rnic->fault_selected),
		.happened = atomic64_read(&rnic->fault_happened),
	};
	fault_get_spec(rnic, &view->spec);
	for (i = 0; view->spec.kind && i < READ_ONCE(rnic->ci.qps.next); i++) {
		qp = fault_get_qp(rnic, i);
		if (!qp)
			continue;
		if (fault_view(qp, &fault) && fault.is_common) {
			view->selected += fault.selected;
			view->happened += fault.happened;
		}
		hca_qp_put(qp);
	}
}

bool hca_rnic_next_fault(struct hca_rnic *rnic, u32 *index, struct hca_rnic_fault_view *view)
{
	struct hca_iwarp_fault fault;
	bool found = false;
	struct hca_qp *qp;

	for (; !found && *index < READ_ONCE(rnic->ci.qps.next); ++*index) {
		qp = fault_get_qp(rnic, *index);
		if (!qp)
			continue;
		found = fault_view(qp, &fault) && !fault.is_common;
		if (found)
			*view = (struct hca_rnic_fault_view){
				.spec = fault.spec,
				.qpn = qp->qpn,
				.selected = fault.selected,
				.happened = fault.happened,
			};
		hca_qp_put(qp);
	}
	return found;
}

/* Return whether another queue pair than @qpn may have faults of its own. */
static bool fault_has_room(struct hca_rnic *rnic, u32 qpn)
{
	struct hca_rnic_fault_view view;
	u32 index = 0, others = 0;

	while (hca_rnic_next_fault(rnic, &index, &view))
		others += view.qpn != qpn;
	return others < HCA_RNIC_QP_FAULTS;
}

int hca_rnic_set_qp_faults(struct hca_rnic *rnic, u32 qpn, const struct hca_iwarp_fault_spec *spec)
{
	struct hca_qp *qp;
	int ret = -ENOSPC;

	local_bh_disable();
	qp = hca_qp_get(&rnic->ci, qpn);
	local_bh_enable();
	if (!qp)
		return -ENOENT;
	if (spec->kind == HCA_IWARP_FAULT_NONE || fault_has_room(rnic, qpn))
		ret = fault_set_one(qp, spec, false);
	hca_qp_put(qp);
	return ret;
}
