// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Corking: messages that wait for more data. */
#include "sdp/linux/cork.h"
#include <linux/tcp.h>
#include "sdp/linux/fill.h"
#include "sdp/linux/lock.h"
#include "sdp/linux/options.h"
#include "sdp/linux/transfer.h"

#define CORK_DELAY (HZ / 5) /* the limit of TCP */

bool sdp_cork_last_waits(const struct sdp_sock *ssk)
{
	const struct sdp_buf *buf;

	if (ssk->conn.disconn || !list_is_singular(&ssk->tx))
		return false;
	buf = list_first_entry(&ssk->tx, struct sdp_buf, list);
	return !buf->oob && sdp_fill_room(ssk, buf);
}

void sdp_cork_flush(struct sdp_sock *ssk)
{
	if (!ssk->corked)
		return;
	ssk->corked = false;
	sdp_link_push(ssk);
}

void sdp_cork_begin(struct sdp_sock *ssk, bool more, bool advertise)
{
	if (advertise)
		sdp_cork_flush(ssk);
	else
		ssk->corked = more || ssk->cork;
}

void sdp_cork_wait(struct sdp_sock *ssk)
{
	if (ssk->link && sdp_cork_last_waits(ssk) &&
	    queue_delayed_work(sdp_wq, &ssk->cork_work, CORK_DELAY))
		sock_hold(sdp_sock(ssk));
}

void sdp_cork_changed(struct sdp_sock *ssk)
{
	ssk->cork = sdp_options_value(ssk, SOL_TCP, TCP_CORK);
	if (!ssk->cork)
		sdp_cork_flush(ssk);
}

static void cork_timeout(struct work_struct *work)
{
	struct sdp_sock *ssk = container_of(to_delayed_work(work), struct sdp_sock, cork_work);
	struct sock *sk = sdp_sock(ssk);

	if (!sdp_lock_or_delay(sk, &ssk->cork_work, CORK_DELAY))
		return;
	sdp_cork_flush(ssk);
	release_sock(sk);
	sock_put(sk);
}

void sdp_cork_init(struct sdp_sock *ssk)
{
	INIT_DELAYED_WORK(&ssk->cork_work, cork_timeout);
}
