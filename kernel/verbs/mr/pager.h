/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The workers that fetch pages on demand. A page may belong to a file system whose server is a
 * process that never answers. A worker that waits for such a page returns only when the server
 * answers or exits. Therefore each user has a few workers of its own, so that the pages of a user
 * do not block the workers of other users. No thread waits for a worker.
 */
#ifndef HCA_VERBS_MR_PAGER_H
#define HCA_VERBS_MR_PAGER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

struct hca_pager;

/* Work that a worker does for an MR. Only one worker at a time runs a job. */
struct hca_pager_job {
	struct list_head entry; /* entry in hca_pager.jobs; empty: the job is not queued */
	bool asked; /* the job was requested, and no worker has begun it after that */
	bool runs; /* a worker runs the job */
	/*
	 * Does the work. If @module_stays is false, the module is being removed, and the function
	 * must not wait.
	 */
	void (*run)(struct hca_pager_job *job, bool module_stays);
	void (*get)(struct hca_pager_job *job);
	void (*put)(struct hca_pager_job *job);
};

/**
 * hca_pager_open() - get the workers of the current user
 *
 * A process that has entered a user namespace counts as the user that owns the namespace.
 *
 * Context: process, may sleep.
 * Return: the pager, or NULL if there is no memory.
 */
struct hca_pager *hca_pager_open(void);

/*
 * Returns the number of chunks (tpt/odp.h) in all MRs of the user. Each holder of a reference to
 * the pager adds and subtracts its own chunks. Context: any.
 */
atomic_t *hca_pager_chunks(struct hca_pager *pager);

/* Drops a reference that hca_pager_open() returned. Context: process, may sleep. */
void hca_pager_close(struct hca_pager *pager);

/* Initializes a job. The caller has set the functions of the job. Context: any. */
void hca_pager_job_init(struct hca_pager_job *job);

/**
 * hca_pager_ask() - request that a job runs soon
 * @pager: the pager, which exists at least as long as the job
 * @job: the job; the pager holds a reference until the job has run or is canceled
 *
 * Context: BH disabled.
 */
void hca_pager_ask(struct hca_pager *pager, struct hca_pager_job *job);

/**
 * hca_pager_cancel() - cancel a job that no worker has begun
 * @pager: the pager
 * @job: the job, which nobody requests any more; if a worker has begun the job, it finishes the job
 *
 * Context: process.
 */
void hca_pager_cancel(struct hca_pager *pager, struct hca_pager_job *job);

/**
 * hca_pagers_start() - create the workqueue of all users' workers
 *
 * Context: process, when the module is loaded.
 * Return: 0 or -ENOMEM.
 */
int hca_pagers_start(void);

/**
 * hca_pagers_stop() - wait for workers to end, and free their workqueue
 *
 * No worker waits for a page any more, because such a worker holds a reference to the module.
 *
 * Context: process, when the module is unloaded and all devices are gone.
 */
void hca_pagers_stop(void);

#endif
