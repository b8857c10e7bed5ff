/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Completion statuses, by name, and what --expect does to have one. */
#ifndef HCAVERIFY_STATUS_H
#define HCAVERIFY_STATUS_H

#include <stdbool.h>
#include <infiniband/verbs.h>

/* What is done so that requests fail. */
enum provocation {
	PROVOKE_NOTHING, /* the link or the peer will see to it */
	PROVOKE_NO_RECEIVE,
	PROVOKE_WRONG_RKEY,
	PROVOKE_SHORT_RECEIVE,
	PROVOKE_WRONG_LKEY,
};

struct status {
	const char *name;
	enum ibv_wc_status status;
	enum provocation provocation;
	unsigned int verbs; /* enum verb_flag: of those that can end so; 0: all */
	bool leaves_data; /* some octets may have been written */
};

extern const struct status statuses[];
extern const unsigned int num_statuses;

/* Its name here, or as libibverbs calls it. */
const char *status_name(enum ibv_wc_status status);

#endif
