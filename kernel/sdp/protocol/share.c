// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sharing of a name between sockets. */
#include "sdp/protocol/share.h"

/* Return whether SO_REUSEADDR lets another socket have the name of @sharer. */
static bool share_by_addr(const struct sdp_sharer *sharer)
{
	return sharer->reuse_addr && !sharer->listens;
}

void sdp_share_add(struct sdp_share *share, const struct sdp_sharer *sharer)
{
	bool by_addr = share_by_addr(sharer);

	share->total++;
	share->reuse_addr += by_addr;
	if (!sharer->reuse_port)
		return;
	if (!share->reuse_port) {
		share->user = sharer->user;
		share->users_differ = false;
	}
	share->users_differ |= share->user != sharer->user;
	share->reuse_port++;
	share->only_port += !by_addr;
}

void sdp_share_del(struct sdp_share *share, const struct sdp_sharer *sharer)
{
	bool by_addr = share_by_addr(sharer);

	share->total--;
	share->reuse_addr -= by_addr;
	if (!sharer->reuse_port)
		return;
	share->reuse_port--;
	share->only_port -= !by_addr;
}

bool sdp_share_conflicts(const struct sdp_share *share, const struct sdp_sharer *sharer)
{
	bool by_port = sharer->reuse_port && share->reuse_port && !share->users_differ &&
		       share->user == sharer->user;
	u32 shared = 0;

	if (sharer->reuse_addr)
		shared = share->reuse_addr + (by_port ? share->only_port : 0);
	else if (by_port)
		shared = share->reuse_port;
	return share->total > shared;
}
