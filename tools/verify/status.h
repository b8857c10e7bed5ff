/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of completion statuses, and how --expect provokes each. */
#ifndef HCAVERIFY_STATUS_H
#define HCAVERIFY_STATUS_H

#include <stdbool.h>
#include <infiniband/verbs.h>

/* Ways to make requests fail. */
enum provocation {
	PROVOKE_NOTHING, /* requests are not changed: link or peer cause the failure */
	PROVOKE_NO_RECEIVE,
	PROVOKE_WRONG_RKEY,
	PROVOKE_SHORT_RECEIVE,
	PROVOKE_WRONG_LKEY,
};

struct status {
	const char *name;
	enum ibv_wc_status status;
	enum provocation provocation;
	unsigned int verbs; /* enum verb_flag: verbs that can end with the status; 0: all */
	bool leaves_data; /* some data may have been written */
};

extern const struct status statuses[];
extern const unsigned int num_statuses;

/* Returns the name of a status in --expect; libibverbs' description if there is none. */
const char *status_name(enum ibv_wc_status status);

#endif
