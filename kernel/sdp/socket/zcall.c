// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Calls that transfer data without a copy: the wait for the end of a transfer. */
#include "sdp/socket/zcall.h"
#include <net/sock.h>
#include "sdp/link/pages.h"
#include "sdp/socket/state.h"

#define REQUEST_TIMEOUT (60 * HZ) /* maximum time for a request to complete */

/*
 * The wait is without the socket lock, which completions and the end of the queue pair need. It has
 * a timeout, because a peer can delay requests without bound by RNR NAKs.
 */
void sdp_zcall_wait(struct sdp_sock *ssk, struct sdp_pages *pages)
{
	struct sock *sk = sdp_sock(ssk);
	long left;

	release_sock(sk);
	left = wait_for_completion_killable_timeout(&pages->done, REQUEST_TIMEOUT);
	lock_sock(sk);
	if (left > 0)
		return;
	sdp_sock_abort(ssk, left ? ECONNRESET : ETIMEDOUT);
	release_sock(sk);
	wait_for_completion(&pages->done);
	lock_sock(sk);
}

bool sdp_zcall_end(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *first)
{
	sdp_pages_invalidate(&ssk->ep, pages, first);
	if (READ_ONCE(pages->mr))
		sdp_zcall_wait(ssk, pages);
	sdp_pages_release(&ssk->ep, pages);
	return pages->good;
}
