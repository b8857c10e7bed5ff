// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Copying of payloads: into a buffer that a packet owns, into a copy of the packet, or into a
 * buffer that copies of the packet share.
 */
#include "packet/payload.h"
#include <linux/errno.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "packet/batch.h"

int hca_packet_gather(struct hca_packet *pkt)
{
	struct hca_segment segment[HCA_MAX_FRAGMENTS] HCA_UNINITIALIZED;
	u8 *buffer;
	int n;

	if (pkt->payload_kind != HCA_PAYLOAD_BORROWED)
		return 0;
	buffer = kmalloc(hca_batch_octets(pkt), GFP_ATOMIC | __GFP_NOWARN);
	if (!buffer)
		return -ENOMEM;
	n = hca_packet_segments(pkt, segment);
	if (n < 0) {
		kfree(buffer);
		return n;
	}
	hca_copy_out(buffer, segment, hca_batch_octets(pkt));
	hca_segments_put(segment, n);
	pkt->buffer = buffer;
	pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	return 0;
}

void hca_packet_invalidate(struct hca_packet *pkt)
{
	struct hca_segment segment;
	struct hca_fragment *gone = pkt->fragment;
	int i;

	while (hca_fragment_segment(pkt->pool->tpt, gone, 0, gone->length, &segment)) {
		hca_segments_put(&segment, 1);
		if (++gone == pkt->fragment + pkt->num_fragments)
			return;
	}
	for (i = 0; i < pkt->num_fragments; i++) {
		pkt->fragment[i].lkey = gone->lkey;
		pkt->fragment[i].generation = gone->generation;
	}
}

int hca_packet_read_payload(const struct hca_packet *pkt, u8 *to, u32 octets)
{
	struct hca_segment segment[HCA_MAX_FRAGMENTS] HCA_UNINITIALIZED;
	int n;

	if (pkt->payload_kind != HCA_PAYLOAD_BORROWED) {
		memcpy(to, hca_packet_payload(pkt), octets);
		return 0;
	}
	n = hca_packet_segments(pkt, segment);
	if (n < 0)
		return n;
	hca_copy_out(to, segment, octets);
	hca_segments_put(segment, n);
	return 0;
}

struct hca_packet *hca_packet_copy(struct hca_packet *pkt)
{
	struct hca_packet *copy;
	u8 *buffer = NULL;

	if (hca_packet_gather(pkt))
		return NULL;
	if (pkt->payload_kind == HCA_PAYLOAD_GATHERED) {
		buffer = kmemdup(pkt->buffer, hca_batch_octets(pkt), GFP_ATOMIC | __GFP_NOWARN);
		if (!buffer)
			return NULL;
	}
	copy = hca_packet_alloc_like(pkt);
	if (!copy) {
		kfree(buffer);
		return NULL;
	}
	*copy = *pkt;
	copy->reserved_at = NULL;
	if (buffer)
		copy->buffer = buffer;
	else if (pkt->payload_kind == HCA_PAYLOAD_SHARED)
		refcount_inc(&pkt->shared->users);
	return copy;
}

int hca_packet_share(struct hca_packet *pkt)
{
	struct hca_shared *shared;
	int ret;

	if (pkt->payload_kind == HCA_PAYLOAD_SHARED)
		return 0;
	ret = hca_packet_gather(pkt);
	if (ret)
		return ret;
	shared = kmalloc(struct_size(shared, payload, pkt->payload_length),
			 GFP_ATOMIC | __GFP_NOWARN);
	if (!shared)
		return -ENOMEM;
	refcount_set(&shared->users, 1);
	memcpy(shared->payload, hca_packet_payload(pkt), pkt->payload_length);
	hca_packet_drop_payload(pkt);
	pkt->shared = shared;
	pkt->payload_kind = HCA_PAYLOAD_SHARED;
	return 0;
}

/* Let copies of a packet share its reserved buffer space. Return: false if memory is short. */
static bool packet_share_buffer(struct hca_packet *pkt)
{
	if (!pkt->reserved_at || pkt->reserved_copies)
		return true;
	pkt->reserved_copies = kmalloc(sizeof(*pkt->reserved_copies), GFP_ATOMIC | __GFP_NOWARN);
	if (!pkt->reserved_copies)
		return false;
	refcount_set(pkt->reserved_copies, 1);
	return true;
}

struct hca_packet *hca_packet_branch(struct hca_packet *pkt)
{
	struct hca_packet *branch;

	if (!packet_share_buffer(pkt))
		return NULL;
	branch = hca_packet_copy(pkt);
	if (branch && pkt->reserved_at) {
		refcount_inc(pkt->reserved_copies);
		branch->reserved_at = pkt->reserved_at;
	}
	return branch;
}
