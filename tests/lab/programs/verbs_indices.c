// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_indices [DEVICE [DEVICE]]
 * A process writes impossible indices to its rings. That ends the queue that the ring belongs to,
 * and no other one (R0-471, R0-511). Another process exchanges messages through these ports
 * meanwhile. Runs in the guest with Active ports.
 */
#include "verbs_victims.h"

/* --- producers of requests -------------------------------------------------------------------- */

static const struct leap {
	const char *name;
	bool behind_freed; /* relative to freed entries; otherwise to posted ones */
	int32_t rings, entries; /* distance in multiples of the ring, plus entries */
} leaps[] = {
	{ "one too far", true, 1, 1 },
	{ "set back by one", false, 0, -1 },
	{ "set back by a whole ring", false, -1, 0 },
	{ "2^31 away", false, 0, INT32_MIN },
};

static void producer_leap(const struct queue *queue, const struct leap *leap)
{
	const uint32_t from = leap->behind_freed ? queue->ring->consumer : queue->ring->producer;

	producer_write(queue, from + leap->rings * queue->entries + leap->entries);
}

/* Expects no further events of queues; port events may occur at any time. */
static void expect_no_more_events(struct end *end)
{
	const uint64_t errors = 1u << IBV_EVENT_CQ_ERR | 1u << IBV_EVENT_QP_FATAL |
				1u << IBV_EVENT_QP_REQ_ERR | 1u << IBV_EVENT_QP_ACCESS_ERR |
				1u << IBV_EVENT_SRQ_ERR;
	struct ibv_async_event event;

	while (readable(end->context->async_fd, 0) && !ibv_get_async_event(end->context, &event)) {
		expect(!(errors & 1ull << event.event_type), "an event too many at %s: %s",
		       ibv_get_device_name(end->context->device),
		       ibv_event_type_str(event.event_type));
		ibv_ack_async_event(&event);
	}
}

/* Expects a queue pair to end with one event, and the other end to have none. */
static void expect_fatal(struct end *end, struct end *other)
{
	expect_async(end, IBV_EVENT_QP_FATAL, end->qp);
	await_state(end->qp, IBV_QPS_ERR);
	expect_no_more_events(end);
	expect_no_more_events(other);
}

/* Posts an RDMA Write, which needs no receive of the peer. */
static bool write_message(uint64_t wr_id)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, MESSAGE);
	struct ibv_send_wr wr = rdma_wr(wr_id, IBV_WR_RDMA_WRITE, &sge, &pair.b, DEST);

	return post_wr(&pair.a, &wr);
}

/* Requests that are outstanding and unanswered are flushed, and nothing else happens. */
static void send_index(enum ibv_qp_type type, const struct leap *leap)
{
	enum { UNDER_WAY = 3 };
	struct ibv_wc wc;
	int i;

	if (!victims_connect(type, false))
		return;
	if (type == IBV_QPT_RC) {
		expect_ok(to_error(pair.b.qp), "the receiver to ERR");
		for (i = 0; i < UNDER_WAY; i++)
			write_message(i);
	}
	producer_leap(&sq, leap);
	ring_a();
	expect_fatal(&pair.a, &pair.b);
	for (i = 0; type == IBV_QPT_RC && i < UNDER_WAY; i++)
		completes(pair.a.send_cq, i, IBV_WC_WR_FLUSH_ERR, &wc);
	expect(!poll_all(pair.a.send_cq), "completions of what nobody has posted");
	/*
	 * Without outstanding requests an index may be possible, and the entries it covers are
	 * flushed.
	 */
	ring_a();
	expect_no_more_events(&pair.a);
}

/* The requester of RC gets an error; those of other services get none. */
static void recv_index(enum ibv_qp_type type, const struct leap *leap)
{
	struct ibv_wc wc;

	if (!victims_connect(type, false))
		return;
	producer_leap(&rq, leap);
	send_message(1);
	completes(pair.a.send_cq, 1,
		  type == IBV_QPT_RC ? IBV_WC_REM_OP_ERR : IBV_WC_SUCCESS, &wc);
	expect_fatal(&pair.b, &pair.a);
	expect(!poll_all(pair.b.recv_cq), "completions of what nobody has posted");
}

static void shared_index(enum ibv_qp_type type, const struct leap *leap)
{
	struct ibv_wc wc;

	if (!victims_connect(type, true))
		return;
	producer_leap(&rq, leap);
	send_message(1);
	completes(pair.a.send_cq, 1,
		  type == IBV_QPT_RC ? IBV_WC_REM_OP_ERR : IBV_WC_SUCCESS, &wc);
	expect_async(&pair.b, IBV_EVENT_SRQ_ERR, pair.b.srq);
	expect_async(&pair.b, IBV_EVENT_QP_FATAL, pair.b.qp);
	await_state(pair.b.qp, IBV_QPS_ERR);
	producer_write(&rq, 2); /* restores the index, too late */
	expect_no_more_events(&pair.a);
	expect(!poll_all(pair.b.recv_cq), "completions of what nobody has posted");
}

/* Runs an attack with each index. @what names the queue and the requirements. */
static void indices(void (*attack)(enum ibv_qp_type, const struct leap *), const char *what)
{
	unsigned int i, j;

	for (i = 0; i < COUNT(services); i++) {
		for (j = 0; j < COUNT(leaps) && !lab_reason[0]; j++) {
			attack(services[i].type, &leaps[j]);
			expect_unchanged();
			victims_disconnect();
		}
		verdict("%s: the producer of a %s%s%s", services[i].name, what,
			lab_reason[0] ? ", and it is " : "",
			lab_reason[0] ? leaps[j - 1].name : "");
	}
}

/* --- completion queues ------------------------------------------------------------------------ */

static void consumer_leaps(const struct queue *queue, int32_t by, const struct ibv_cq *cq)
{
	__atomic_store_n(&queue->ring->consumer, queue->ring->producer + by, __ATOMIC_RELEASE);
	post_recv(&pair.b, 1, DEST, ROOM);
	send_message(1);
	expect_async(&pair.a, IBV_EVENT_CQ_ERR, cq);
	await_state(pair.a.qp, IBV_QPS_ERR);
	expect_state(pair.b.qp, IBV_QPS_RTS);
	expect_no_more_events(&pair.b);
}

/* The engine uses its own producer index, and writes it with the next completion. */
static void producer_overwritten(const struct queue *queue)
{
	const uint32_t filled = queue->ring->producer;
	const uint64_t deadline = now_ms() + PATIENCE_MS;
	struct ibv_wc wc;

	producer_write(queue, filled + 0x12345678);
	post_recv(&pair.b, 1, DEST, ROOM);
	send_message(2);
	completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
	while (__atomic_load_n(&queue->ring->producer, __ATOMIC_ACQUIRE) != filled + 1 &&
	       now_ms() < deadline)
		usleep(50);
	completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
	expect_value(queue->ring->producer, filled + 1, "the producer");
	expect(!poll_all(pair.a.send_cq), "completions of what nobody has posted");
}

static void completion_index(enum ibv_qp_type type, int32_t by)
{
	struct ibv_cq *whole = pair.a.send_cq, *cq;
	struct queue queue;

	cq = pair.a.send_cq = cq_make(&queue);
	if (victims_connect(type, false)) {
		producer_overwritten(&queue);
		consumer_leaps(&queue, by, cq);
	}
	queue.ring->consumer = queue.ring->producer;
	victims_disconnect();
	cq_destroy(cq, &queue);
	pair.a.send_cq = whole;
}

static void completion_indices(void)
{
	static const int32_t by[] = { 1, -64, INT32_MIN };
	unsigned int i, j;

	for (i = 0; i < COUNT(services); i++) {
		for (j = 0; j < COUNT(by); j++)
			completion_index(services[i].type, by[j]);
		expect_unchanged();
		verdict("%s: the consumer of a completion queue cannot be: CQ_ERR (V3-284)",
			services[i].name);
	}
}

int main(int argc, char **argv)
{
	victims_begin(argc, argv);
	indices(send_index, "send queue cannot be: QP_FATAL (R0-471)");
	indices(recv_index, "receive queue cannot be: QP_FATAL (R0-471)");
	indices(shared_index, "shared receive queue cannot be: SRQ_ERR, QP_FATAL (R0-232, R0-234)");
	completion_indices();
	return victims_end();
}
