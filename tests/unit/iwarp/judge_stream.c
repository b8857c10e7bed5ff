// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The stream of the judged RNIC at awkward moments. */
#include "tests/unit/iwarp/judge_stream.h"
#include <linux/errno.h>
#include <linux/minmax.h>
#include "shim.h"

struct judge_stream judge_stream;

static struct hca_stream_ops stream_ops; /* in front of @stream_usual */
static const struct hca_stream_ops *stream_usual;

static u32 stream_peek(struct hca_stream *s, u32 offset, struct hca_octets *range, int max)
{
	u32 octets;

	if (judge_stream.hides) {
		judge_stream.hides--;
		hca_stream_event(s, HCA_STREAM_READABLE);
		return 0;
	}
	octets = stream_usual->peek(s, offset, range, max);
	s->is_short |= judge_stream.is_short;
	return octets;
}

static u32 stream_room(struct hca_stream *s)
{
	u32 room = judge_stream.is_full ? 0 : stream_usual->room(s);

	return judge_stream.room ? min(room, judge_stream.room) : room;
}

static u32 stream_mss(struct hca_stream *s)
{
	if (judge_stream.revoke_at && !--judge_stream.revoke_at)
		hca_tpt_entry_withdraw(&judge.rnic.ci.tpt, judge.mr[JUDGE_FAST]);
	return stream_usual->mss(s);
}

static int stream_send(struct hca_stream *s, const struct hca_tx_buffer *b, bool more)
{
	if (judge_stream.refuses)
		return -EAGAIN;
	judge_stream.most_sent = max(judge_stream.most_sent, b->used - b->sent);
	return stream_usual->send(s, b, more);
}

void judge_stream_hook(void)
{
	judge_stream = (struct judge_stream){ .room = 0 };
	stream_usual = judge.core->stream.ops;
	stream_ops = *stream_usual;
	stream_ops.peek = stream_peek;
	stream_ops.room = stream_room;
	stream_ops.mss = stream_mss;
	stream_ops.send = stream_send;
	judge.core->stream.ops = &stream_ops;
}

static void stream_event(int events)
{
	hca_stream_event(&judge.core->stream, events);
	hca_engine_raise();
	shim_run_until_idle();
	judge_exchange();
}

void judge_stream_ready(void)
{
	judge_stream.is_full = false;
	judge_stream.refuses = false;
	stream_event(HCA_STREAM_WRITABLE);
}

void judge_stream_hide(void)
{
	judge.core->stream.run = NULL;
}

void judge_stream_show(void)
{
	judge.core->stream.run = judge.ep.user;
	stream_event(0);
}
