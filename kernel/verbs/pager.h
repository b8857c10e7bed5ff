/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The workers that bring pages on demand. A page may belong to a file system whose server is a
 * process, and that may never answer: the worker that waits for it comes back when the server does,
 * or goes. So a user has few workers, which are all that the user's pages can keep, and nobody
 * waits for a worker.
 */
#ifndef HCA_VERBS_PAGER_H
#define HCA_VERBS_PAGER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

struct hca_pager;

/* What a worker is to do for an MR. It is done by one worker at a time. */
struct hca_pager_job {
	struct list_head entry; /* in hca_pager.jobs, or empty */
	bool asked; /* since a worker has last begun with it */
	bool runs;
	/* @module_stays: false: the module is going, and nothing may be waited for. */
	void (*run)(struct hca_pager_job *job, bool module_stays);
	void (*get)(struct hca_pager_job *job);
	void (*put)(struct hca_pager_job *job);
};

/**
 * hca_pager_open() - the workers of the current user
 *
 * Whoever has entered a user namespace counts as its owner.
 *
 * Context: process, may sleep.
 * Return: the pager, or NULL without memory.
 */
struct hca_pager *hca_pager_open(void);

/* Chunks (tpt/odp.h) of all MRs of the user, which whoever has a reference counts. Context: any. */
atomic_t *hca_pager_chunks(struct hca_pager *pager);

/* Drops a reference of hca_pager_open(). Context: process, may sleep. */
void hca_pager_close(struct hca_pager *pager);

/* Initializes a job, whose functions are set. Context: any. */
void hca_pager_job_init(struct hca_pager_job *job);

/**
 * hca_pager_ask() - have a job done soon
 * @pager: the pager, which stays at least as long as the job
 * @job: the job; a reference is held until it has been done or cancelled
 *
 * Context: BH disabled.
 */
void hca_pager_ask(struct hca_pager *pager, struct hca_pager_job *job);

/**
 * hca_pager_cancel() - forget a job that no worker has begun with
 * @pager: the pager
 * @job: the job, which nobody asks for any more. If a worker has begun with it then that goes on.
 *
 * Context: process.
 */
void hca_pager_cancel(struct hca_pager *pager, struct hca_pager_job *job);

/**
 * hca_pagers_start() - make the workqueue of all users' workers
 *
 * Context: process, when the module is loaded.
 * Return: 0 or -ENOMEM.
 */
int hca_pagers_start(void);

/**
 * hca_pagers_stop() - wait for workers to end, and free their workqueue
 *
 * None of them waits for a page any more: while one does, the module is in use.
 *
 * Context: process, when the module is unloaded and no device is left.
 */
void hca_pagers_stop(void);

#endif
