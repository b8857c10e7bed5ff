// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queue pairs of a process that writes to its rings what no provider writes: connections between
 * two ends, their rings as this process maps them, and memory that the device may access in part.
 * See verbs_pair.h.
 */
#ifndef VERBS_VICTIMS_H
#define VERBS_VICTIMS_H

#include "verbs_async.h"
#include "verbs_bystander.h"
#include "verbs_ring.h"

/* The device may access only this part of an end's memory. */
#define PART (1u << 20)
#define PART_OCTETS (2u << 20)
#define SOURCE PART
#define DEST (PART + (1u << 20))
#define MESSAGE 100u /* octets of a message, and of a datagram without its GRH */
#define ROOM (MESSAGE + 40)

/* wr_ids of the first two requests of a connection, by which its rings are found. */
#define SEND_MARK 0x5e4d5e4d00000000ull
#define RECV_MARK 0x7ec57ec500000000ull

static const struct {
	enum ibv_qp_type type;
	const char *name;
} services[] = { { IBV_QPT_RC, "RC" }, { IBV_QPT_UC, "UC" }, { IBV_QPT_UD, "UD" } };

static struct pair pair;
static int bell_a, bell_b;
static struct ibv_ah *ah; /* from a to b */
static struct queue sq, rq; /* a's send queue; b's receive queue, its own or the shared one */
/* expected contents of the ends' memory, except where messages are received */
static uint8_t *was_a, *was_b;

/* --- memory ----------------------------------------------------------------------------------- */

static inline void end_restrict(struct end *end)
{
	expect_ok(ibv_dereg_mr(end->mr), "dereg_mr");
	end->mr = ibv_reg_mr(end->pd, end->memory + PART, PART_OCTETS, ALL_RIGHTS);
	if (!expect_made(end->mr, "reg_mr"))
		give_up("an MR in the midst of memory");
}

static inline uint8_t *fill(struct end *end, uint8_t salt)
{
	uint8_t *copy = malloc(MR_LENGTH);
	uint32_t i;

	if (!copy)
		give_up("memory");
	for (i = 0; i < MR_LENGTH; i++)
		end->memory[i] = i * 7 + (i >> 9) + salt;
	memcpy(copy, end->memory, MR_LENGTH);
	return copy;
}

/* Expects that only memory of receives has changed. */
static inline void expect_unchanged(void)
{
	const uint32_t behind = DEST + ROOM;

	expect(!memcmp(pair.a.memory, was_a, MR_LENGTH), "memory of the sender has changed");
	expect(!memcmp(pair.b.memory, was_b, DEST) &&
		       !memcmp(pair.b.memory + behind, was_b + behind, MR_LENGTH - behind),
	       "memory of the receiver has changed");
}

/* Whether memory that the device may not access is unchanged. */
static inline bool surroundings_unchanged(const uint8_t *memory, const uint8_t *was)
{
	const uint32_t behind = PART + PART_OCTETS;

	return !memcmp(memory, was, PART) &&
	       !memcmp(memory + behind, was + behind, MR_LENGTH - behind);
}

/* --- connections ------------------------------------------------------------------------------ */

static inline struct setup setup_of(enum ibv_qp_type type)
{
	struct setup setup = default_setup;

	setup.type = type;
	setup.max_wr = 64;
	setup.max_sge = 2;
	setup.timeout = 0; /* none: unanswered requests stay outstanding, and are not sent again */
	return setup;
}

static inline struct ibv_send_wr message_wr(uint64_t wr_id, struct ibv_sge *sge)
{
	struct ibv_send_wr wr = send_wr(wr_id, sge);

	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = pair.b.qp->qp_num;
	wr.wr.ud.remote_qkey = QKEY;
	return wr;
}

static inline bool send_message(uint64_t wr_id)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, MESSAGE);
	struct ibv_send_wr wr = message_wr(wr_id, &sge);

	return post_wr(&pair.a, &wr);
}

/* Connects, and sends two messages from a to b to find the rings. */
static inline bool victims_connect(enum ibv_qp_type type, bool shared)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 64, .max_sge = 2 } };
	struct mapping before[MAPPINGS], added[MAPPINGS];
	const struct setup setup = setup_of(type);
	int n = mappings(before), i;
	struct ibv_wc wc;

	pair.b.srq = shared ? ibv_create_srq(pair.b.pd, &init) : NULL;
	if (shared && !expect_made(pair.b.srq, "create_srq"))
		return false;
	poll_async(&pair.a);
	poll_async(&pair.b);
	if (!pair_connect(&pair, &setup))
		return false;
	for (i = 0; i < 2; i++)
		post_recv(&pair.b, RECV_MARK + i, DEST, ROOM);
	for (i = 0; i < 2; i++)
		send_message(SEND_MARK + i);
	for (i = 0; i < 2; i++)
		if (!completes(pair.a.send_cq, SEND_MARK + i, IBV_WC_SUCCESS, &wc) ||
		    !completes(pair.b.recv_cq, RECV_MARK + i, IBV_WC_SUCCESS, &wc))
			return false;
	n = mappings_added(before, n, added);
	return queue_find(added, n, SEND_MARK, &sq) && queue_find(added, n, RECV_MARK, &rq);
}

static inline void victims_disconnect(void)
{
	pair_disconnect(&pair);
	if (pair.b.srq)
		expect_ok(ibv_destroy_srq(pair.b.srq), "destroy_srq");
	pair.b.srq = NULL;
}

static inline void ring_a(void)
{
	expect_ok(ring_one(bell_a, pair.a.qp->qp_num), "ring the sender's doorbell");
}

/* --- completion queues ------------------------------------------------------------------------ */

/* Creates a completion queue for a's sends, and finds its ring. */
static inline struct ibv_cq *cq_make(struct queue *queue)
{
	struct mapping before[MAPPINGS], added[MAPPINGS];
	int n = mappings(before);
	struct ibv_cq *cq = ibv_create_cq(pair.a.context, 64, NULL, NULL, 0);

	if (!expect_made(cq, "create_cq") || mappings_added(before, n, added) != 1)
		give_up("a completion queue");
	queue->ring = (void *)added[0].start;
	queue->entry = added[0].start + HCA_RING_ENTRIES;
	queue->entries = cq->cqe;
	queue->stride = sizeof(struct hca_cqe);
	return cq;
}

/* Empties the ring first, so that the provider finds nothing in it. */
static inline void cq_destroy(struct ibv_cq *cq, const struct queue *queue)
{
	queue->ring->consumer = queue->ring->producer;
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
}

/* --- beginning and end ------------------------------------------------------------------------ */

static struct bystander bystander;

/* Opens the ends that the arguments name. Until victims_end() another process uses them as well. */
static inline void victims_begin(int argc, char **argv)
{
	struct ibv_ah_attr to_b;

	bystander_start(&bystander, argc, argv);
	pair_open(&pair, argc, argv);
	end_restrict(&pair.a);
	end_restrict(&pair.b);
	was_a = fill(&pair.a, 0);
	was_b = fill(&pair.b, 1);
	bell_a = open_doorbell(pair.a.context);
	bell_b = open_doorbell(pair.b.context);
	to_b = path_to(&pair.b, false);
	ah = ibv_create_ah(pair.a.pd, &to_b);
	if (bell_a < 0 || bell_b < 0 || !ah)
		give_up("doorbells and an address handle");
}

/* Return: the exit status of the program. */
static inline int victims_end(void)
{
	bystander_end(&bystander);
	expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	close(bell_a);
	close(bell_b);
	pair_close(&pair);
	free(was_a);
	free(was_b);
	return lab_status();
}

#endif
