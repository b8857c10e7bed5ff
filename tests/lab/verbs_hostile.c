// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_hostile [DEVICE [DEVICE [SEED]]]
 * A process writes to its rings what no provider writes: impossible indices, and entries with
 * requests that are not allowed. That ends the queue that the ring belongs to, and no other one
 * (R0-471, R0-511). At last indices and entries are random and change while a second thread rings
 * the doorbell. Another process exchanges messages through these ports meanwhile. Runs in the guest
 * with Active ports.
 */
#include "verbs_async.h"
#include "verbs_ring.h"
#include <pthread.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* The device may access only this part of an end's memory. */
#define PART (1u << 20)
#define PART_OCTETS (2u << 20)
#define SOURCE PART
#define TARGET (PART + (1u << 20))
#define MESSAGE 100u /* octets of a message, and of a datagram without its GRH */
#define ROOM (MESSAGE + 40)

/* wr_ids of the first two requests of a connection, by which its rings are found. */
#define SEND_MARK 0x5e4d5e4d00000000ull
#define RECV_MARK 0x7ec57ec500000000ull
#define HOSTILE 0xbad

#define RANDOM_MS 1500
#define RANDOM_ROUNDS 4 /* minimum, however long they take */
/* Minimum number of doorbells in each iteration. */
#define RINGS 100
#define CHANGES 1000

/* A ring of this process. */
struct queue {
	struct hca_ring *ring;
	uint8_t *entry;
	uint32_t entries, stride;
};

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

static void end_restrict(struct end *end)
{
	expect_ok(ibv_dereg_mr(end->mr), "dereg_mr");
	end->mr = ibv_reg_mr(end->pd, end->memory + PART, PART_OCTETS, ALL_RIGHTS);
	if (!expect_made(end->mr, "reg_mr"))
		give_up("a region in the midst of memory");
}

static uint8_t *fill(struct end *end, uint8_t salt)
{
	uint8_t *copy = malloc(REGION);
	uint32_t i;

	if (!copy)
		give_up("memory");
	for (i = 0; i < REGION; i++)
		end->memory[i] = i * 7 + (i >> 9) + salt;
	memcpy(copy, end->memory, REGION);
	return copy;
}

/* Expects that only memory of receives has changed. */
static void expect_unchanged(void)
{
	const uint32_t behind = TARGET + ROOM;

	expect(!memcmp(pair.a.memory, was_a, REGION), "memory of the sender has changed");
	expect(!memcmp(pair.b.memory, was_b, TARGET) &&
		       !memcmp(pair.b.memory + behind, was_b + behind, REGION - behind),
	       "memory of the receiver has changed");
}

/* Whether memory that the device may not access is unchanged. */
static bool surroundings_unchanged(const uint8_t *memory, const uint8_t *was)
{
	const uint32_t behind = PART + PART_OCTETS;

	return !memcmp(memory, was, PART) &&
	       !memcmp(memory + behind, was + behind, REGION - behind);
}

/* --- rings ------------------------------------------------------------------------------------ */

/* Returns the offset of an entry with this wr_id, which is an entry's first field; 0: none. */
static size_t offset_of(const struct mapping *m, size_t from, uint64_t wr_id)
{
	size_t i;

	for (i = from; i + sizeof(wr_id) <= m->size; i += sizeof(wr_id))
		if (!memcmp(m->start + i, &wr_id, sizeof(wr_id)))
			return i;
	return 0;
}

/* Finds the ring whose first two entries have @mark and the following wr_id. */
static bool queue_find(const struct mapping *m, int n, uint64_t mark, struct queue *queue)
{
	size_t first, second;

	for (; n; n--, m++) {
		first = offset_of(m, HCA_RING_ENTRIES, mark);
		second = first ? offset_of(m, first, mark + 1) : 0;
		if (first != HCA_RING_ENTRIES || !second)
			continue;
		queue->ring = (void *)m->start;
		queue->entry = m->start + first;
		queue->stride = second - first;
		for (queue->entries = 1;
		     2 * queue->entries * queue->stride <= m->size - HCA_RING_ENTRIES;
		     queue->entries *= 2)
			;
		return true;
	}
	return expect(false, "no ring with %#llx", (unsigned long long)mark);
}

static void *entry_at(const struct queue *queue, uint32_t index)
{
	return queue->entry + (size_t)(index & (queue->entries - 1)) * queue->stride;
}

static void producer_write(const struct queue *queue, uint32_t producer)
{
	__atomic_store_n(&queue->ring->producer, producer, __ATOMIC_RELEASE);
}

/* --- connections ------------------------------------------------------------------------------ */

static struct setup setup_of(enum ibv_qp_type type)
{
	struct setup setup = default_setup;

	setup.type = type;
	setup.max_wr = 64;
	setup.max_sge = 2;
	setup.timeout = 20; /* 4 s: unanswered requests stay outstanding */
	return setup;
}

static struct ibv_send_wr message_wr(uint64_t wr_id, struct ibv_sge *sge)
{
	struct ibv_send_wr wr = send_wr(wr_id, sge);

	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = pair.b.qp->qp_num;
	wr.wr.ud.remote_qkey = QKEY;
	return wr;
}

static bool send_message(uint64_t wr_id)
{
	struct ibv_sge sge = piece_of(&pair.a, SOURCE, MESSAGE);
	struct ibv_send_wr wr = message_wr(wr_id, &sge);

	return post_wr(&pair.a, &wr);
}

/* Connects, and sends two messages from a to b to find the rings. */
static bool victims_connect(enum ibv_qp_type type, bool shared)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 64, .max_sge = 2 } };
	struct mapping before[MAPPINGS], added[MAPPINGS];
	const struct setup setup = setup_of(type);
	int n = mappings(before), i;
	struct ibv_wc wc;

	pair.b.srq = shared ? ibv_create_srq(pair.b.pd, &init) : NULL;
	if (shared && !expect_made(pair.b.srq, "create_srq"))
		return false;
	drain_async(&pair.a);
	drain_async(&pair.b);
	if (!pair_connect(&pair, &setup))
		return false;
	for (i = 0; i < 2; i++)
		post_recv(&pair.b, RECV_MARK + i, TARGET, ROOM);
	for (i = 0; i < 2; i++)
		send_message(SEND_MARK + i);
	for (i = 0; i < 2; i++)
		if (!completes(pair.a.send_cq, SEND_MARK + i, IBV_WC_SUCCESS, &wc) ||
		    !completes(pair.b.recv_cq, RECV_MARK + i, IBV_WC_SUCCESS, &wc))
			return false;
	n = mappings_added(before, n, added);
	return queue_find(added, n, SEND_MARK, &sq) && queue_find(added, n, RECV_MARK, &rq);
}

static void victims_disconnect(void)
{
	pair_disconnect(&pair);
	if (pair.b.srq)
		expect_ok(ibv_destroy_srq(pair.b.srq), "destroy_srq");
	pair.b.srq = NULL;
}

static void ring_a(void)
{
	expect_ok(ring_one(bell_a, pair.a.qp->qp_num), "ring the sender's doorbell");
}

/* --- impossible indices ----------------------------------------------------------------------- */

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
	struct ibv_sge sge = piece_of(&pair.a, SOURCE, MESSAGE);
	struct ibv_send_wr wr = rdma_wr(wr_id, IBV_WR_RDMA_WRITE, &sge, &pair.b, TARGET);

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
	expect(!drain(pair.a.send_cq), "completions of what nobody has posted");
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
	expect(!drain(pair.b.recv_cq), "completions of what nobody has posted");
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
	expect(!drain(pair.b.recv_cq), "completions of what nobody has posted");
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
			lab_reason[0] ? ", and it is " : "", lab_reason[0] ? leaps[j - 1].name : "");
	}
}

/* --- completion queues ------------------------------------------------------------------------ */

/* Creates a completion queue for a's sends, and finds its ring. */
static struct ibv_cq *cq_make(struct queue *queue)
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
static void cq_destroy(struct ibv_cq *cq, const struct queue *queue)
{
	queue->ring->consumer = queue->ring->producer;
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
}

static void consumer_leaps(const struct queue *queue, int32_t by, const struct ibv_cq *cq)
{
	__atomic_store_n(&queue->ring->consumer, queue->ring->producer + by, __ATOMIC_RELEASE);
	post_recv(&pair.b, 1, TARGET, ROOM);
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
	post_recv(&pair.b, 1, TARGET, ROOM);
	send_message(2);
	completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
	while (__atomic_load_n(&queue->ring->producer, __ATOMIC_ACQUIRE) != filled + 1 &&
	       now_ms() < deadline)
		usleep(50);
	completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
	expect_value(queue->ring->producer, filled + 1, "the producer");
	expect(!drain(pair.a.send_cq), "completions of what nobody has posted");
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

/* --- entries ---------------------------------------------------------------------------------- */

#define ALL_SERVICES (1u << IBV_QPT_RC | 1u << IBV_QPT_UC | 1u << IBV_QPT_UD)

static struct hca_sge *sges(struct hca_send_wqe *wqe)
{
	return (void *)((uint8_t *)wqe + HCA_SEND_WQE_HEADER);
}

static void spoil_opcode(struct hca_send_wqe *wqe)
{
	wqe->opcode = 0x7f;
}

static void spoil_last_opcode(struct hca_send_wqe *wqe)
{
	wqe->opcode = 0xff;
}

static void spoil_num_sge(struct hca_send_wqe *wqe)
{
	wqe->num_sge = 0xff;
}

static void spoil_inline(struct hca_send_wqe *wqe)
{
	wqe->flags |= HCA_WQE_INLINE;
	wqe->inline_length = 257; /* more than the maximum */
}

static void spoil_all_inline(struct hca_send_wqe *wqe)
{
	wqe->flags |= HCA_WQE_INLINE;
	wqe->inline_length = 0xffffffff;
}

static void spoil_key(struct hca_send_wqe *wqe)
{
	sges(wqe)->lkey = 0; /* the reserved L_Key */
}

static void spoil_length(struct hca_send_wqe *wqe)
{
	sges(wqe)->length = 0xffffffff;
}

static void spoil_half_length(struct hca_send_wqe *wqe)
{
	sges(wqe)->length = 1u << 31;
}

static void spoil_address(struct hca_send_wqe *wqe)
{
	sges(wqe)->addr = -(uint64_t)(MESSAGE / 2);
}

static void spoil_end(struct hca_send_wqe *wqe)
{
	sges(wqe)->addr = (uintptr_t)pair.a.memory + PART + PART_OCTETS - MESSAGE + 1;
}

static void spoil_begin(struct hca_send_wqe *wqe)
{
	sges(wqe)->addr = (uintptr_t)pair.a.memory + PART - 1;
}

static void spoil_sl(struct hca_send_wqe *wqe)
{
	wqe->ud.av.sl = 0xff;
}

static void spoil_port(struct hca_send_wqe *wqe)
{
	wqe->ud.av.port_num = 0xff;
}

static void spoil_gid(struct hca_send_wqe *wqe)
{
	wqe->ud.av.has_grh = 1;
	wqe->ud.av.sgid_index = 0xff;
}

static const struct {
	const char *name;
	void (*spoil)(struct hca_send_wqe *wqe);
	enum ibv_wc_status status;
	unsigned int services;
} spoils[] = {
	{ "opcode 127", spoil_opcode, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "opcode 255", spoil_last_opcode, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "255 SGEs", spoil_num_sge, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "257 octets inline", spoil_inline, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "2^32-1 octets inline", spoil_all_inline, IBV_WC_LOC_QP_OP_ERR, ALL_SERVICES },
	{ "L_Key 0", spoil_key, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "a length of 2^32-1", spoil_length, IBV_WC_LOC_LEN_ERR, ALL_SERVICES },
	{ "a length of 2^31", spoil_half_length, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "an address at the end of all", spoil_address, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "an octet behind the region", spoil_end, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "an octet before the region", spoil_begin, IBV_WC_LOC_PROT_ERR, ALL_SERVICES },
	{ "SL 255", spoil_sl, IBV_WC_LOC_QP_OP_ERR, 1u << IBV_QPT_UD },
	{ "port 255", spoil_port, IBV_WC_LOC_QP_OP_ERR, 1u << IBV_QPT_UD },
	{ "GID 255", spoil_gid, IBV_WC_LOC_QP_OP_ERR, 1u << IBV_QPT_UD },
};

/* Posts a copy of the first message's entry after @spoil has changed it. */
static void send_entry(enum ibv_qp_type type, void (*spoil)(struct hca_send_wqe *wqe),
		       enum ibv_wc_status status)
{
	const uint32_t producer = sq.ring->producer;
	struct hca_send_wqe *wqe = entry_at(&sq, producer);
	struct ibv_wc wc;

	memcpy(wqe, entry_at(&sq, 0), sq.stride);
	wqe->wr_id = HOSTILE;
	spoil(wqe);
	post_recv(&pair.b, 1, TARGET, ROOM);
	producer_write(&sq, producer + 1);
	ring_a();
	completes(pair.a.send_cq, HOSTILE, status, &wc);
	await_state(pair.a.qp, type == IBV_QPT_RC ? IBV_QPS_ERR : IBV_QPS_SQE);
	expect(!drain(pair.b.recv_cq), "something has been received");
	expect_state(pair.b.qp, IBV_QPS_RTS);
}

static void send_entries(enum ibv_qp_type type, const char *name)
{
	unsigned int i;

	for (i = 0; i < COUNT(spoils); i++) {
		if (!(spoils[i].services & 1u << type))
			continue;
		if (victims_connect(type, false))
			send_entry(type, spoils[i].spoil, spoils[i].status);
		expect_unchanged();
		victims_disconnect();
		if (lab_reason[0])
			break;
	}
	verdict("%s: send requests with %s", name,
		i < COUNT(spoils) ? spoils[i].name : "what nobody may have: each has its error");
}

static void recv_spoil_key(struct hca_recv_wqe *wqe)
{
	wqe->sge[0].lkey = 0;
}

static void recv_spoil_address(struct hca_recv_wqe *wqe)
{
	wqe->sge[0].addr = -(uint64_t)(ROOM / 2);
}

static void recv_spoil_length(struct hca_recv_wqe *wqe)
{
	wqe->sge[0].addr = (uintptr_t)pair.b.memory + PART + PART_OCTETS - 1;
	wqe->sge[0].length = 0xffffffff;
}

static void (*const recv_spoils[])(struct hca_recv_wqe *wqe) = {
	recv_spoil_key,
	recv_spoil_address,
	recv_spoil_length,
};

static void recv_entry(enum ibv_qp_type type, void (*spoil)(struct hca_recv_wqe *wqe))
{
	const uint32_t producer = rq.ring->producer;
	struct hca_recv_wqe *wqe = entry_at(&rq, producer);
	struct ibv_wc wc;

	memcpy(wqe, entry_at(&rq, 0), rq.stride);
	wqe->wr_id = HOSTILE;
	wqe->num_sge = 0xffffffff; /* cut to the granted number, of which the second SGE is empty */
	wqe->sge[1].length = 0;
	spoil(wqe);
	producer_write(&rq, producer + 1);
	send_message(1);
	completes(pair.b.recv_cq, HOSTILE, IBV_WC_LOC_PROT_ERR, &wc);
	completes(pair.a.send_cq, 1,
		  type == IBV_QPT_RC ? IBV_WC_REM_OP_ERR : IBV_WC_SUCCESS, &wc);
	await_state(pair.b.qp, IBV_QPS_ERR);
}

static void recv_entries(enum ibv_qp_type type, bool shared, const char *name)
{
	unsigned int i;

	for (i = 0; i < COUNT(recv_spoils); i++) {
		if (victims_connect(type, shared))
			recv_entry(type, recv_spoils[i]);
		expect_unchanged();
		victims_disconnect();
	}
	verdict("%s: %sreceive requests into what nobody may have: LOC_PROT_ERR", name,
		shared ? "shared " : "");
}

static void entries(void)
{
	unsigned int i;

	for (i = 0; i < COUNT(services); i++) {
		send_entries(services[i].type, services[i].name);
		recv_entries(services[i].type, false, services[i].name);
		recv_entries(services[i].type, true, services[i].name);
	}
}

/* --- random values, while another thread rings ------------------------------------------------ */

static struct changer {
	const struct queue *queue[3];
	uint64_t state; /* state of the random number generator */
	unsigned long changes;
	bool over;
} changer;

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (*state >> 33) % below;
}

/* Draws an index that may be possible or not, near the last one or far from it. */
static uint32_t draw_index(uint64_t *state, uint32_t was, uint32_t entries)
{
	const uint32_t index[] = { was + 1,	  was - 1,		was + entries + 1,
				   was - entries, was + (1u << 31),	draw(state, UINT32_MAX),
				   was + draw(state, 2 * entries) };

	return index[draw(state, COUNT(index))];
}

static uint32_t draw_word(uint64_t *state)
{
	const uint32_t word[] = { 0, 1, 0xff, 1u << 31, UINT32_MAX, pair.a.mr->lkey, pair.b.mr->rkey,
				  draw(state, UINT32_MAX) };

	return word[draw(state, COUNT(word))];
}

static void change(const struct queue *queue, uint64_t *state)
{
	uint32_t *word = (uint32_t *)queue->entry +
			 draw(state, queue->entries * queue->stride / sizeof(*word));
	struct hca_ring *at = queue->ring;

	switch (draw(state, 8)) {
	case 0:
		producer_write(queue, draw_index(state, at->producer, queue->entries));
		break;
	case 1:
		__atomic_store_n(&at->consumer, draw_index(state, at->consumer, queue->entries),
				 __ATOMIC_RELAXED);
		break;
	case 2:
		__atomic_store_n(&at->need_wakeup, draw(state, 3), __ATOMIC_RELAXED);
		break;
	case 3:
		__atomic_store_n(&at->arm, draw_word(state), __ATOMIC_RELAXED);
		break;
	default:
		__atomic_store_n(word, draw_word(state), __ATOMIC_RELAXED);
	}
}

static void *changer_run(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&changer.over, __ATOMIC_RELAXED)) {
		change(changer.queue[draw(&changer.state, 3)], &changer.state);
		__atomic_fetch_add(&changer.changes, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static bool enough_changes(void)
{
	return __atomic_load_n(&changer.changes, __ATOMIC_RELAXED) >= CHANGES;
}

/* Posts valid requests among the invalid ones; their results do not matter. */
static void traffic(uint64_t *state)
{
	struct ibv_sge from = piece_of(&pair.a, SOURCE, MESSAGE * (1 + draw(state, 10))),
		       to = piece_of(&pair.b, TARGET, 1u << 16), back = piece_of(&pair.b, SOURCE, 4096);
	struct ibv_recv_wr recv = { .wr_id = 1, .sg_list = &to, .num_sge = 1 }, *bad_recv;
	struct ibv_send_wr wr = message_wr(2, &from), *bad;
	struct ibv_wc wc[8];

	if (pair.b.srq)
		ibv_post_srq_recv(pair.b.srq, &recv, &bad_recv);
	else
		ibv_post_recv(pair.b.qp, &recv, &bad_recv);
	ibv_post_send(pair.a.qp, &wr, &bad);
	if (pair.a.qp->qp_type == IBV_QPT_RC) {
		wr = rdma_wr(3, IBV_WR_RDMA_WRITE, &back, &pair.a, TARGET);
		ibv_post_send(pair.b.qp, &wr, &bad);
	}
	ibv_poll_cq(pair.a.send_cq, COUNT(wc), wc);
	ibv_poll_cq(pair.b.send_cq, COUNT(wc), wc);
	ibv_poll_cq(pair.b.recv_cq, COUNT(wc), wc);
}

/* Return: whether a queue pair has ended. */
static bool random_round(uint64_t *state)
{
	struct ibv_cq *whole = pair.a.send_cq, *cq;
	struct queue completions;
	bool ended = false;
	pthread_t thread;
	uint64_t deadline;
	unsigned int i;

	cq = pair.a.send_cq = cq_make(&completions);
	if (victims_connect(services[draw(state, COUNT(services))].type, draw(state, 2))) {
		changer = (struct changer){ { &sq, &rq, &completions }, *state, 0, false };
		if (pthread_create(&thread, NULL, changer_run, NULL))
			give_up("a thread");
		deadline = now_ms() + PATIENCE_MS;
		for (i = 0; i < RINGS || (!enough_changes() && now_ms() < deadline); i++) {
			traffic(state);
			ring_a();
			expect_ok(ring_one(bell_b, pair.b.qp->qp_num), "ring the receiver's doorbell");
		}
		__atomic_store_n(&changer.over, true, __ATOMIC_RELAXED);
		pthread_join(thread, NULL);
		expect(enough_changes(), "%lu changes only", changer.changes);
		ended = state_of(pair.a.qp) != IBV_QPS_RTS || state_of(pair.b.qp) != IBV_QPS_RTS;
	}
	completions.ring->consumer = completions.ring->producer;
	victims_disconnect();
	cq_destroy(cq, &completions);
	pair.a.send_cq = whole;
	return ended;
}

static void at_random(uint64_t seed)
{
	const uint64_t end = now_ms() + RANDOM_MS;
	unsigned int rounds = 0, ended = 0;
	uint64_t state = seed;

	while (!lab_reason[0] && (rounds < RANDOM_ROUNDS || now_ms() < end)) {
		ended += random_round(&state);
		rounds++;
	}
	printf("# seed %llu: %u rounds, of which %u ended a queue pair\n", (unsigned long long)seed,
	       rounds, ended);
	expect(ended > 0, "nothing that was done has ended a queue pair");
	expect(surroundings_unchanged(pair.a.memory, was_a) &&
		       surroundings_unchanged(pair.b.memory, was_b),
	       "memory around the regions has changed");
	verdict("rings that change at random while they are rung end their queue pairs, no more");
}

/* --- an uninvolved process -------------------------------------------------------------------- */

/* Result of the process: number of messages, and the first error. */
struct report {
	unsigned long messages;
	char reason[sizeof(lab_reason)];
};

static bool pass(struct end *from, struct end *to, unsigned long n)
{
	const uint32_t length = 1 + n % 4000;
	struct ibv_wc wc;

	memset(from->memory, n, length);
	memset(to->memory + TARGET, ~n, length + 1);
	return post_recv(to, n, TARGET, 4096) && post_send(from, n, 0, length) &&
	       completes(to->recv_cq, n, IBV_WC_SUCCESS, &wc) &&
	       completes(from->send_cq, n, IBV_WC_SUCCESS, &wc) &&
	       expect_value(wc.status, 0, "the status") &&
	       expect(!memcmp(from->memory, to->memory + TARGET, length) &&
			      to->memory[TARGET + length] == (uint8_t)~n,
		      "message %lu has changed on its way", n);
}

static void bystander(int argc, char **argv, int fd)
{
	const struct setup setup = default_setup;
	struct report report = {};
	struct pollfd told = { .fd = fd, .events = POLLIN };
	char c = 0;

	pair_open(&pair, argc, argv);
	if (pair_connect(&pair, &setup) && write(fd, &c, 1) == 1)
		while (pass(&pair.a, &pair.b, report.messages) &&
		       pass(&pair.b, &pair.a, report.messages) && !poll(&told, 1, 0))
			report.messages++;
	pair_disconnect(&pair);
	memcpy(report.reason, lab_reason, sizeof(report.reason));
	_exit(write(fd, &report, sizeof(report)) == sizeof(report) ? 0 : 1);
}

static pid_t bystander_start(int argc, char **argv, int *fd)
{
	int pipes[2];
	pid_t pid;
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pipes))
		give_up("a socket");
	pid = fork();
	if (!pid) {
		close(pipes[0]);
		bystander(argc, argv, pipes[1]);
	}
	close(pipes[1]);
	*fd = pipes[0];
	if (pid < 0 || read(*fd, &c, 1) != 1)
		give_up("a process that exchanges messages");
	return pid;
}

static void bystander_end(pid_t pid, int fd)
{
	struct report report = {};
	int status = -1;

	expect(write(fd, "", 1) == 1 && read(fd, &report, sizeof(report)) == sizeof(report),
	       "it does not report");
	expect(waitpid(pid, &status, 0) == pid && !status, "it ends otherwise");
	expect(!report.reason[0], "%s", report.reason);
	expect(report.messages > 10, "it has exchanged %lu messages", report.messages);
	printf("# meanwhile another process has exchanged %lu messages\n", 2 * report.messages);
	verdict("another process exchanges messages all the time, none of which is disturbed");
	close(fd);
}

static uint64_t seed_of(int argc, char **argv)
{
	uint32_t seed = 1;

	if (argc > 3)
		return strtoull(argv[3], NULL, 0);
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		give_up("a seed");
	return seed;
}

int main(int argc, char **argv)
{
	struct ibv_ah_attr to_b;
	pid_t pid;
	int fd;

	pid = bystander_start(argc, argv, &fd);
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

	indices(send_index, "send queue cannot be: QP_FATAL (R0-471)");
	indices(recv_index, "receive queue cannot be: QP_FATAL (R0-471)");
	indices(shared_index, "shared receive queue cannot be: SRQ_ERR, QP_FATAL (R0-232, R0-234)");
	completion_indices();
	entries();
	at_random(seed_of(argc, argv));

	bystander_end(pid, fd);
	expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	close(bell_a);
	close(bell_b);
	pair_close(&pair);
	free(was_a);
	free(was_b);
	return lab_status();
}
