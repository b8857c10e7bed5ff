/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The workers that fetch pages on demand. A page may belong to a file system whose server is a
 * process that never answers: the worker that waits for the page returns only when the server
 * answers or goes. Therefore each user has few workers, which are all that the user's pages can
 * block, and no thread waits for a worker.
 */
#ifndef HCA_VERBS_PAGER_H
#define HCA_VERBS_PAGER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

struct hca_pager;

/* Work of a worker for an MR. A job is run by one worker at a time. */
struct hca_pager_job {
	struct list_head entry; /* in hca_pager.jobs, or empty */
	bool asked; /* requested since a worker last began the job */
	bool runs;
	/* @module_stays: false: the module is being removed, and the job must not wait. */
	void (*run)(struct hca_pager_job *job, bool module_stays);
	void (*get)(struct hca_pager_job *job);
	void (*put)(struct hca_pager_job *job);
};

/**
 * hca_pager_open() - get the workers of the current user
 *
 * A process that has entered a user namespace counts as the owner of the namespace.
 *
 * Context: process, may sleep.
 * Return: the pager, or NULL without memory.
 */
struct hca_pager *hca_pager_open(void);

/*
 * Chunks (tpt/odp.h) of all MRs of the user, counted by the holders of a reference. Context: any.
 */
atomic_t *hca_pager_chunks(struct hca_pager *pager);

/* Drops a reference of hca_pager_open(). Context: process, may sleep. */
void hca_pager_close(struct hca_pager *pager);

/* Initializes a job, whose functions are set. Context: any. */
void hca_pager_job_init(struct hca_pager_job *job);

/**
 * hca_pager_ask() - have a job run soon
 * @pager: the pager, which exists at least as long as the job
 * @job: the job; a reference is held until it has run or is canceled
 *
 * Context: BH disabled.
 */
void hca_pager_ask(struct hca_pager *pager, struct hca_pager_job *job);

/**
 * hca_pager_cancel() - cancel a job that no worker has begun
 * @pager: the pager
 * @job: the job, which is not requested any more; if a worker has begun it, it continues
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
 * No worker waits for a page any more, because the module is in use while one does.
 *
 * Context: process, when the module is unloaded and all devices are gone.
 */
void hca_pagers_stop(void);

#endif
