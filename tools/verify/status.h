/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of completion statuses, and how --expect provokes each. */
#ifndef HCAVERIFY_STATUS_H
#define HCAVERIFY_STATUS_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

/* Ways to make requests fail. */
enum provocation {
	PROVOKE_NOTHING, /* requests are not changed; the link or the peer causes the failure */
	PROVOKE_NO_RECEIVE,
	PROVOKE_WRONG_RKEY,
	PROVOKE_SHORT_RECEIVE,
	PROVOKE_WRONG_LKEY,
};

struct status {
	const char *name;
	enum ibv_wc_status status;
	enum provocation provocation;
	/* flags (enum verb_flag) of the verbs that can end with the status; 0: all verbs */
	unsigned int verbs;
	bool leaves_data; /* some data may have been written before the request fails */
	/*
	 * Other statuses, by IWARP_STATUS(), with which an iWARP device may report the failure: a
	 * Terminate message does not say which request has failed, nor is it known what was
	 * refused if the connection has been reset.
	 */
	uint32_t iwarp;
};

#define IWARP_STATUS(status) (1u << (status))

extern const struct status statuses[];
extern const unsigned int num_statuses;

/*
 * Returns the name that --expect uses for @status. If --expect does not support @status, returns
 * the description that libibverbs has for @status.
 */
const char *status_name(enum ibv_wc_status status);

#endif
