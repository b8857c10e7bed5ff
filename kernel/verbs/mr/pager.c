// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The workers that fetch pages on demand. */
#include "verbs/mr/pager.h"
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include "payer.h"

#define WORKERS 4 /* number of workers of each user */

struct worker {
	struct work_struct work;
	struct hca_pager *pager;
	bool runs; /* the worker runs or is queued, and holds a reference to the pager */
};

struct hca_pager {
	refcount_t users; /* references of MRs on demand, and of workers that run */
	kuid_t user;
	atomic_t chunks; /* number of chunks of all MRs of the user */
	/* leaf lock, taken with BH disabled; guards the jobs and whether workers run */
	spinlock_t lock;
	struct list_head jobs;
	struct worker worker[WORKERS];
};

static struct workqueue_struct *pagers_wq;
static DEFINE_MUTEX(pagers_lock); /* guards pagers */
static DEFINE_XARRAY(pagers); /* struct hca_pager, by user ID */

/* --- jobs */

void hca_pager_job_init(struct hca_pager_job *job)
{
	INIT_LIST_HEAD(&job->entry);
	job->asked = false;
	job->runs = false;
}

static void pager_wake_worker(struct hca_pager *pager)
{
	u32 i;

	for (i = 0; i < WORKERS; i++) {
		if (pager->worker[i].runs)
			continue;
		pager->worker[i].runs = true;
		refcount_inc(&pager->users);
		queue_work(pagers_wq, &pager->worker[i].work);
		return;
	}
}

void hca_pager_ask(struct hca_pager *pager, struct hca_pager_job *job)
{
	spin_lock(&pager->lock);
	job->asked = true;
	if (list_empty(&job->entry) && !job->runs) {
		job->get(job);
		list_add_tail(&job->entry, &pager->jobs);
		pager_wake_worker(pager);
	}
	spin_unlock(&pager->lock);
}

void hca_pager_cancel(struct hca_pager *pager, struct hca_pager_job *job)
{
	bool waits;

	spin_lock_bh(&pager->lock);
	job->asked = false;
	waits = !list_empty(&job->entry);
	list_del_init(&job->entry);
	spin_unlock_bh(&pager->lock);
	if (waits)
		job->put(job);
}

/* Returns the next job of a worker. If there is none, return NULL: the worker then ends. */
static struct hca_pager_job *pager_begin_job(struct worker *worker)
{
	struct hca_pager *pager = worker->pager;
	struct hca_pager_job *job;

	spin_lock_bh(&pager->lock);
	job = list_first_entry_or_null(&pager->jobs, struct hca_pager_job, entry);
	if (job) {
		list_del_init(&job->entry);
		job->asked = false;
		job->runs = true;
	} else {
		worker->runs = false;
	}
	spin_unlock_bh(&pager->lock);
	return job;
}

/* Ends a run of a job. If the job was requested again during the run, it is queued again. */
static void pager_end_job(struct hca_pager *pager, struct hca_pager_job *job)
{
	bool again;

	spin_lock_bh(&pager->lock);
	job->runs = false;
	again = job->asked;
	if (again)
		list_add_tail(&job->entry, &pager->jobs);
	spin_unlock_bh(&pager->lock);
	if (!again)
		job->put(job);
}

/*
 * Runs jobs until none is left, with a reference to the module. If the module is unloaded after
 * module_put(), destroy_workqueue() waits for the end of this function.
 */
static void pager_work(struct work_struct *work)
{
	struct worker *worker = container_of(work, struct worker, work);
	struct hca_pager *pager = worker->pager;
	bool module_stays = try_module_get(THIS_MODULE);
	struct hca_pager_job *job;

	while ((job = pager_begin_job(worker))) {
		job->run(job, module_stays);
		pager_end_job(pager, job);
	}
	hca_pager_close(pager);
	if (module_stays)
		module_put(THIS_MODULE);
}

/* --- pagers */

static struct hca_pager *pager_make(kuid_t user)
{
	struct hca_pager *pager = kzalloc(sizeof(*pager), GFP_KERNEL_ACCOUNT);
	u32 i;

	if (!pager)
		return NULL;
	refcount_set(&pager->users, 1);
	pager->user = user;
	spin_lock_init(&pager->lock);
	INIT_LIST_HEAD(&pager->jobs);
	for (i = 0; i < WORKERS; i++) {
		INIT_WORK(&pager->worker[i].work, pager_work);
		pager->worker[i].pager = pager;
	}
	if (xa_err(xa_store(&pagers, __kuid_val(user), pager, GFP_KERNEL_ACCOUNT))) {
		kfree(pager);
		return NULL;
	}
	return pager;
}

struct hca_pager *hca_pager_open(void)
{
	kuid_t user = hca_payer();
	struct hca_pager *pager;

	mutex_lock(&pagers_lock);
	pager = xa_load(&pagers, __kuid_val(user));
	if (pager)
		refcount_inc(&pager->users);
	else
		pager = pager_make(user);
	mutex_unlock(&pagers_lock);
	return pager;
}

atomic_t *hca_pager_chunks(struct hca_pager *pager)
{
	return &pager->chunks;
}

void hca_pager_close(struct hca_pager *pager)
{
	if (!refcount_dec_and_mutex_lock(&pager->users, &pagers_lock))
		return;
	xa_erase(&pagers, __kuid_val(pager->user));
	mutex_unlock(&pagers_lock);
	kfree(pager);
}

int hca_pagers_start(void)
{
	pagers_wq = alloc_workqueue("hca_pagers", WQ_UNBOUND, WQ_MAX_ACTIVE);
	return pagers_wq ? 0 : -ENOMEM;
}

void hca_pagers_stop(void)
{
	destroy_workqueue(pagers_wq);
	xa_destroy(&pagers);
}
