// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_cq [DEVICE [DEVICE]] Completion queues that are resized while they are in use, those
 * of ibv_create_cq_ex(), and those whose events wait. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"
#include <poll.h>
#include <pthread.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_user_verbs.h>

#define SOURCE 0u
#define DEST (2u << 20)

static struct pair pair;

/* Posts a signaled RDMA Write of 16 octets from a to b. */
static int write_once(uint64_t wr_id)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 16);
	struct ibv_send_wr wr = rdma_wr(wr_id, IBV_WR_RDMA_WRITE, &sge, &pair.b, DEST), *bad;

	return ibv_post_send(pair.a.qp, &wr, &bad);
}

static bool write_many(uint64_t first, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!expect_ok(write_once(first + i), "post_send"))
			return false;
	return true;
}

/*
 * V3-334: whatever the size, what was not polled is polled, in order; and the size is what it is
 * said to be.
 */
static void resize_keeps(void)
{
	static const int sizes[] = { 64, 4096, 40, 32768, 33, 200 };
	struct ibv_cq *other = pair.a.send_cq;
	struct ibv_cq *cq = ibv_create_cq(pair.a.context, 33, NULL, NULL, 0);
	struct ibv_wc wc[200];
	unsigned int i, j, n;

	pair.a.send_cq = cq;
	if (expect_made(cq, "create_cq") && pair_connect(&pair, &default_setup)) {
		for (i = 0; i < COUNT(sizes); i++) {
			if (!write_many(i * 1000, 33))
				break;
			sleep_ms(SILENCE_MS);
			expect_ok(ibv_resize_cq(cq, sizes[i]), "resize_cq");
			expect(cq->cqe >= sizes[i], "%d entries, not %d", cq->cqe, sizes[i]);
			n = sizes[i] < (int)COUNT(wc) ? sizes[i] : (int)COUNT(wc);
			write_many(i * 1000 + 33, n - 33);
			sleep_ms(SILENCE_MS);
			expect_value(collect(cq, wc, n, PATIENCE_MS), n, "completions");
			for (j = 0; j < n; j++)
				expect_wc(&wc[j], i * 1000 + j, IBV_WC_SUCCESS);
		}
		expect_state(pair.a.qp, IBV_QPS_RTS);
	}
	pair_disconnect(&pair);
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	pair.a.send_cq = other;
	verdict("resize_cq to more and to less: all completions are there, in order (R0-077, V3-230)");
}

static void resize_too_small(void)
{
	struct ibv_cq *cq = pair.a.send_cq;
	struct ibv_wc wc[40];
	unsigned int j;
	int before;

	expect_ok(ibv_resize_cq(cq, 64), "resize_cq");
	before = cq->cqe;
	if (pair_connect(&pair, &default_setup) && write_many(0, COUNT(wc))) {
		sleep_ms(SILENCE_MS);
		expect_error(ibv_resize_cq(cq, 32), EINVAL, "32 entries for 40 completions");
		expect_error(ibv_resize_cq(cq, 0), EINVAL, "no entries");
		expect_error(ibv_resize_cq(cq, -1), EINVAL, "-1 entries");
		expect_error(ibv_resize_cq(cq, 2 << 20), EINVAL, "2^21 entries");
		expect_value(cq->cqe, before, "entries");
		expect_value(collect(cq, wc, COUNT(wc), PATIENCE_MS), COUNT(wc), "completions");
		for (j = 0; j < COUNT(wc); j++)
			expect_wc(&wc[j], j, IBV_WC_SUCCESS);
	}
	pair_disconnect(&pair);
	expect_ok(ibv_resize_cq(cq, CQ_ENTRIES), "resize_cq");
	verdict("resize_cq to fewer entries than completions, or than 1: refused, nothing changes (R0-079)");
}

/* One thread posts, another polls, arms and waits for events; this one resizes. */

enum { RESIZES = 1000, AHEAD = 24 };

static struct {
	uint64_t posted, polled;
	unsigned int wrong, waits;
	bool over; /* the last resize is done */
	uint64_t total; /* requests, when it is known how many; 0 before */
} load;

static uint64_t load_get(uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

/* Wait until the other thread has posted @least requests, however busy the machine is. */
static void load_wait(uint64_t least)
{
	unsigned int ms;

	for (ms = 0; ms < PATIENCE_MS && load_get(&load.posted) < least; ms++)
		sleep_ms(1);
}

static void load_post(void)
{
	if (write_once(load.posted))
		__atomic_fetch_add(&load.wrong, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&load.posted, load.posted + 1, __ATOMIC_RELEASE);
}

static void *load_poster(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&load.over, __ATOMIC_RELAXED)) {
		if (load.posted - load_get(&load.polled) < AHEAD)
			load_post();
		if (load.posted % 4 == 0)
			usleep(100);
	}
	while (load.posted - load_get(&load.polled) >= AHEAD)
		usleep(100);
	__atomic_store_n(&load.total, load.posted + 1, __ATOMIC_RELEASE);
	load_post();
	return NULL;
}

static bool load_poll(struct ibv_cq *cq)
{
	struct ibv_wc wc[4];
	int n = ibv_poll_cq(cq, COUNT(wc), wc), i;

	for (i = 0; i < n; i++)
		if (wc[i].status || wc[i].wr_id != load.polled + i)
			__atomic_fetch_add(&load.wrong, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&load.polled, load.polled + n, __ATOMIC_RELEASE);
	return n;
}

static bool load_ends(void)
{
	return load.polled == load_get(&load.total) && load.polled;
}

/* An event that is missed is waited for until the test's time is over. */
static void *load_poller(void *arg)
{
	struct ibv_cq *cq = arg, *event_cq;
	void *context;

	while (!load_ends()) {
		if (load_poll(cq))
			continue;
		if (ibv_req_notify_cq(cq, 0))
			__atomic_fetch_add(&load.wrong, 1, __ATOMIC_RELAXED);
		if (load_poll(cq) || load_ends())
			continue;
		if (ibv_get_cq_event(cq->channel, &event_cq, &context))
			__atomic_fetch_add(&load.wrong, 1, __ATOMIC_RELAXED);
		else
			ibv_ack_cq_events(event_cq, 1);
		load.waits++;
	}
	return NULL;
}

static void resize_under_load(void)
{
	struct ibv_cq *cq = ibv_create_cq(pair.a.context, 64, NULL, pair.a.channel, 0);
	struct ibv_cq *other = pair.a.send_cq;
	pthread_t poster, poller;
	unsigned int i;

	pair.a.send_cq = cq;
	if (expect_made(cq, "create_cq") && pair_connect(&pair, &default_setup)) {
		if (pthread_create(&poster, NULL, load_poster, NULL) ||
		    pthread_create(&poller, NULL, load_poller, cq))
			give_up("threads");
		for (i = 0; i < RESIZES; i++) {
			load_wait(i / 8);
			expect_ok(ibv_resize_cq(cq, i % 2 ? 32 : 32 << i % 8), "resize_cq");
		}
		__atomic_store_n(&load.over, true, __ATOMIC_RELAXED);
		pthread_join(poster, NULL);
		pthread_join(poller, NULL);
		expect(load.posted > RESIZES / 10, "only %llu requests meanwhile",
		       (unsigned long long)load.posted);
		expect_value(load.wrong, 0, "completions that are wrong, or in another order");
		expect(load.waits > 0, "no event was waited for");
	}
	pair_disconnect(&pair);
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	pair.a.send_cq = other;
	verdict("1,000 resizes while others post, arm and poll: each completes once (R0-077, R0-078)");
}

/* Steps of Resize CQ that no provider would ask for (req R0-077). */

struct ring_place {
	uint64_t offset, size;
	uint32_t entries;
};

/* One step, by the file of uverbs. Return: 0 or an errno. */
static int step(struct ibv_cq *cq, int cqe, uint32_t which, uint32_t reserved, unsigned int octets,
		struct ring_place *place)
{
	struct {
		struct ib_uverbs_resize_cq_resp core;
		struct hca_create_cq_resp ring;
	} resp = {};
	struct {
		struct ib_uverbs_cmd_hdr header;
		struct ib_uverbs_resize_cq core;
		struct hca_resize_cq_req hca;
		uint64_t more;
	} cmd = {
		.header.command = IB_USER_VERBS_CMD_RESIZE_CQ,
		.core = { .response = (uintptr_t)&resp, .cq_handle = cq->handle, .cqe = cqe },
		.hca = { .step = which, .reserved = reserved },
		.more = octets > sizeof(cmd.hca) ? 1 : 0,
	};
	size_t size = offsetof(__typeof__(cmd), hca) + octets;

	cmd.header.in_words = size / 4;
	cmd.header.out_words = sizeof(resp) / 4;
	if (write(cq->context->cmd_fd, &cmd, size) != (ssize_t)size)
		return errno;
	if (place)
		*place = (struct ring_place){ resp.ring.offset, resp.ring.size, resp.ring.entries };
	return 0;
}

#define REQ sizeof(struct hca_resize_cq_req)

static void wrong_steps(void)
{
	struct ibv_cq *cq = ibv_create_cq(pair.a.context, 64, NULL, NULL, 0);
	struct ring_place place;
	unsigned int i;

	if (!expect_made(cq, "create_cq"))
		goto out;
	expect_error(step(cq, 64, HCA_RESIZE_CQ_COMMIT, 0, REQ, NULL), EINVAL, "commit of nothing");
	expect_error(step(cq, 64, 3, 0, REQ, NULL), EINVAL, "an unknown step");
	expect_error(step(cq, 64, UINT32_MAX, 0, REQ, NULL), EINVAL, "a large step");
	expect_error(step(cq, 64, HCA_RESIZE_CQ_PREPARE, 1, REQ, NULL), EINVAL, "reserved");
	expect_error(step(cq, 64, HCA_RESIZE_CQ_PREPARE, 0, 0, NULL), EINVAL, "no request");
	expect_error(step(cq, 64, HCA_RESIZE_CQ_PREPARE, 0, 4, NULL), EINVAL, "half a request");
	expect_error(step(cq, 64, HCA_RESIZE_CQ_PREPARE, 0, REQ + 8, NULL), EOPNOTSUPP, "more");
	expect_error(step(cq, 0, HCA_RESIZE_CQ_FINISH, 0, REQ, NULL), EINVAL, "no entries");
	expect_ok(step(cq, 64, HCA_RESIZE_CQ_FINISH, 0, REQ, NULL), "finish of nothing");
	for (i = 0; i < 200; i++)
		expect_ok(step(cq, 1 + i * 50, HCA_RESIZE_CQ_PREPARE, 0, REQ, &place), "prepare");
	expect_value(place.entries, 16384, "entries");
	expect_error(step(cq, 64, HCA_RESIZE_CQ_COMMIT, 0, REQ, NULL), EINVAL, "another size");
	expect_ok(step(cq, 16384, HCA_RESIZE_CQ_COMMIT, 0, REQ, NULL), "commit");
	expect_error(step(cq, 16384, HCA_RESIZE_CQ_COMMIT, 0, REQ, NULL), EINVAL, "commit again");
	expect_ok(step(cq, 64, HCA_RESIZE_CQ_PREPARE, 0, REQ, NULL), "prepare without finish");
	expect_ok(step(cq, 64, HCA_RESIZE_CQ_COMMIT, 0, REQ, NULL), "and commit");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq without finish");
out:
	verdict("steps of Resize CQ in every order: refused, or without harm");
}

enum { MEDDLERS = 3, STEPS = 2000 };

static unsigned int commits;

static void *meddle(void *arg)
{
	struct ibv_cq *cq = arg;
	unsigned int seed = (uintptr_t)&seed, i;

	for (i = 0; i < STEPS; i++) {
		uint32_t which = rand_r(&seed) % 3;

		if (!step(cq, 32 << rand_r(&seed) % 2, which, 0, REQ, NULL) &&
		    which == HCA_RESIZE_CQ_COMMIT)
			__atomic_fetch_add(&commits, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* Rings are exchanged while completions are written: only this process may lose completions. */
static void steps_at_once(void)
{
	struct ibv_cq *other = pair.a.send_cq;
	struct ibv_cq_init_attr_ex attr = {
		.cqe = 64,
		.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS,
		.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN,
	};
	struct ibv_cq_ex *ex = ibv_create_cq_ex(pair.a.context, &attr);
	struct ibv_cq *cq = ex ? ibv_cq_ex_to_cq(ex) : NULL;
	pthread_t thread[MEDDLERS];
	unsigned int i, n;

	if (!expect_made(cq, "create_cq"))
		goto out;
	pair.a.send_cq = cq;
	if (pair_connect(&pair, &default_setup)) {
		for (i = 0; i < MEDDLERS; i++)
			if (pthread_create(&thread[i], NULL, meddle, cq))
				give_up("threads");
		for (n = 0; n < 200 && !write_once(n); n++)
			usleep(200);
		for (i = 0; i < MEDDLERS; i++)
			pthread_join(thread[i], NULL);
		expect(commits > 10, "only %u resizes", commits);
	}
	/* The state in the ring of this CQ may be wrong by now, so that the CQ is not polled. */
	ibv_destroy_qp(pair.a.qp);
	pair.a.qp = NULL;
	pair.a.send_cq = other;
	pair_disconnect(&pair);
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	if (pair_connect(&pair, &default_setup) && write_many(0, 3)) {
		struct ibv_wc wc[3];

		expect_value(collect(other, wc, COUNT(wc), PATIENCE_MS), COUNT(wc), "completions");
	}
	pair_disconnect(&pair);
out:
	verdict("three threads take steps of Resize CQ at random: another CQ is as it was");
}

/* Completion queues of ibv_create_cq_ex(). */

#define ALL_WC_FLAGS                                                                               \
	((uint64_t)IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |                  \
	 IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)

static struct ibv_cq_ex *create_ex(uint64_t wc_flags, uint32_t flags, int cqe)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = cqe,
		.wc_flags = wc_flags,
		.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS,
		.flags = flags,
	};

	return ibv_create_cq_ex(pair.a.context, &attr);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static int start_within(struct ibv_cq_ex *cq, unsigned int ms)
{
	struct ibv_poll_cq_attr attr = {};
	uint64_t deadline = now_ms() + ms;
	int ret;

	while ((ret = ibv_start_poll(cq, &attr)) == ENOENT && now_ms() < deadline)
		usleep(50);
	return ret;
}

static void expect_times(struct ibv_cq_ex *cq, uint64_t raw, uint64_t real)
{
	uint64_t stamp = ibv_wc_read_completion_ts(cq);
	uint64_t wall = ibv_wc_read_completion_wallclock_ns(cq);

	expect(stamp >= raw && stamp <= clock_ns(CLOCK_MONOTONIC_RAW),
	       "completed at %llu, posted at %llu", (unsigned long long)stamp,
	       (unsigned long long)raw);
	/* The clocks are read one after the other, and the wall clock may be slewed. */
	expect(wall + 100000000 >= real && wall <= clock_ns(CLOCK_REALTIME) + 100000000,
	       "completed at %llu of the wall clock, posted at %llu", (unsigned long long)wall,
	       (unsigned long long)real);
}

static void extended(uint32_t flags, const char *what)
{
	struct ibv_cq *other = pair.a.send_cq;
	struct ibv_cq_ex *cq = create_ex(ALL_WC_FLAGS, flags, 64);
	uint64_t raw = clock_ns(CLOCK_MONOTONIC_RAW), real = clock_ns(CLOCK_REALTIME);
	unsigned int i;

	if (!expect_made(cq, "create_cq_ex"))
		goto out;
	pair.a.send_cq = ibv_cq_ex_to_cq(cq);
	if (pair_connect(&pair, &default_setup)) {
		expect_error(start_within(cq, 0), ENOENT, "start_poll of an empty queue");
		write_many(7, 3);
		expect_ok(start_within(cq, PATIENCE_MS), "start_poll");
		for (i = 0; i < 3; i++) {
			if (i) {
				uint64_t deadline = now_ms() + PATIENCE_MS;

				while (ibv_next_poll(cq) && now_ms() < deadline)
					;
			}
			expect(cq->status == IBV_WC_SUCCESS && cq->wr_id == 7 + i,
			       "completion %llu: %s", (unsigned long long)cq->wr_id,
			       ibv_wc_status_str(cq->status));
			expect_value(ibv_wc_read_opcode(cq), IBV_WC_RDMA_WRITE, "opcode");
			expect_value(ibv_wc_read_qp_num(cq), pair.a.qp->qp_num, "qp_num");
			expect_value(ibv_wc_read_wc_flags(cq), 0, "wc_flags");
			expect_times(cq, raw, real);
		}
		expect_error(ibv_next_poll(cq), ENOENT, "next_poll behind the last");
		ibv_end_poll(cq);
		expect_error(start_within(cq, 0), ENOENT, "start_poll afterwards");
	}
	pair_disconnect(&pair);
	expect_ok(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), "destroy_cq");
out:
	pair.a.send_cq = other;
	verdict("create_cq_ex%s: start, next, end, all that there is to read (V3-229, V3-280)", what);
}

static void extended_refuses(void)
{
	errno = 0;
	expect_refused(create_ex(IBV_WC_EX_WITH_CVLAN, 0, 16), EOPNOTSUPP, "VLANs");
	expect_refused(create_ex(IBV_WC_EX_WITH_FLOW_TAG, 0, 16), EOPNOTSUPP, "flow tags");
	expect_refused(create_ex(IBV_WC_EX_WITH_TM_INFO, 0, 16), EOPNOTSUPP, "tag matching");
	expect_refused(create_ex(0, 1 << 7, 16), EOPNOTSUPP, "an unknown flag");
	expect_refused(create_ex(0, 0, 0), EINVAL, "no entries");
	verdict("create_cq_ex: what InfiniBand has no use for is refused (V3-222)");
}

/* More completions than entries: the newest ones stay, and the queue pair goes on. */
static void overrun_ignored(void)
{
	struct ibv_cq *other = pair.a.send_cq;
	struct ibv_cq_ex *cq = create_ex(0, IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN, 16);
	struct ibv_wc wc[64];
	int i, n;

	if (!expect_made(cq, "create_cq_ex"))
		goto out;
	pair.a.send_cq = ibv_cq_ex_to_cq(cq);
	n = pair.a.send_cq->cqe;
	expect(n >= 16 && n < (int)COUNT(wc), "%d entries", n);
	if (pair_connect(&pair, &default_setup) && write_many(0, COUNT(wc))) {
		sleep_ms(SILENCE_MS);
		expect_value(collect(pair.a.send_cq, wc, COUNT(wc), SILENCE_MS), n, "completions");
		for (i = 0; i < n; i++)
			expect_wc(&wc[i], COUNT(wc) - n + i, IBV_WC_SUCCESS);
		expect_state(pair.a.qp, IBV_QPS_RTS);
	}
	pair_disconnect(&pair);
	expect_ok(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), "destroy_cq");
out:
	pair.a.send_cq = other;
	verdict("a CQ that ignores overruns keeps the newest completions");
}

static void clock_is_read(void)
{
	struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };
	uint64_t before = clock_ns(CLOCK_MONOTONIC_RAW), got;
	struct ibv_device_attr_ex device;

	expect_ok(ibv_query_rt_values_ex(pair.a.context, &values), "query_rt_values_ex");
	got = values.raw_clock.tv_sec * 1000000000ull + values.raw_clock.tv_nsec;
	expect(got >= before && got <= clock_ns(CLOCK_MONOTONIC_RAW), "the clock says %llu",
	       (unsigned long long)got);
	expect_value(values.comp_mask, IBV_VALUES_MASK_RAW_CLOCK, "comp_mask");
	values.comp_mask = 1 << 9;
	expect_error(ibv_query_rt_values_ex(pair.a.context, &values), EINVAL, "an unknown value");
	expect_ok(ibv_query_device_ex(pair.a.context, NULL, &device), "query_device_ex");
	expect_value(device.hca_core_clock, 1000000, "hca_core_clock, in kHz,");
	expect_value(device.completion_timestamp_mask, UINT64_MAX, "completion_timestamp_mask");
	verdict("query_rt_values_ex and the core clock: nanoseconds of the clock of completions");
}

/* --- moderation -------------------------------------------------------------------------- */

enum { TOGETHER = 16, PERIOD_MS = 60, BATCHES = 20 };

static int moderate(struct ibv_cq *cq, uint32_t mask, uint16_t count, uint16_t period_us)
{
	struct ibv_modify_cq_attr attr = {
		.attr_mask = mask,
		.moderate = { .cq_count = count, .cq_period = period_us },
	};

	return ibv_modify_cq(cq, &attr);
}

/* Waits for an event. Returns whether one came. */
static bool await_event(struct ibv_cq *cq)
{
	struct pollfd fd = { .fd = cq->channel->fd, .events = POLLIN };
	struct ibv_cq *of;
	void *context;

	if (poll(&fd, 1, PATIENCE_MS) != 1 || ibv_get_cq_event(cq->channel, &of, &context))
		return false;
	ibv_ack_cq_events(of, 1);
	return true;
}

/* An event is late enough if there are as many completions as agreed on, or if the time is over. */
static void events_wait(struct ibv_cq *cq)
{
	struct ibv_wc wc[TOGETHER];
	unsigned int i, early = 0;
	uint64_t begin;
	int n;

	expect_ok(moderate(cq, IBV_CQ_ATTR_MODERATE, TOGETHER, PERIOD_MS * 1000), "modify_cq");
	for (i = 0; i < BATCHES; i++) {
		/* Every fourth batch has too few for an event, which comes all the same. */
		unsigned int posted = i % 4 == 3 ? TOGETHER - 5 : TOGETHER;

		begin = now_ms();
		expect_ok(ibv_req_notify_cq(cq, 0), "req_notify_cq");
		write_many(0, posted);
		if (!expect(await_event(cq), "no event, batch %u", i))
			break;
		n = ibv_poll_cq(cq, TOGETHER, wc);
		early += n < (int)posted && now_ms() - begin < PERIOD_MS - 1;
		collect(cq, wc, posted - n, PATIENCE_MS);
	}
	expect_value(early, 0, "events that came early");
}

static void moderation(void)
{
	struct ibv_cq *cq = ibv_create_cq(pair.a.context, 64, NULL, pair.a.channel, 0);
	struct ibv_cq *other = pair.a.send_cq;
	struct ibv_device_attr_ex attr;
	struct ibv_wc wc[3];

	expect_ok(ibv_query_device_ex(pair.a.context, NULL, &attr), "query_device_ex");
	expect_value(attr.cq_mod_caps.max_cq_count, 65535, "most completions");
	expect_value(attr.cq_mod_caps.max_cq_period, 65535, "longest period");
	pair.a.send_cq = cq;
	if (expect_made(cq, "create_cq") && pair_connect(&pair, &default_setup)) {
		expect_error(moderate(cq, 0, 4, 4), EINVAL, "nothing to modify");
		expect_error(moderate(cq, 2, 4, 4), EINVAL, "an unknown attribute");
		events_wait(cq);

		/* An event that moderation holds back is reported when it is turned off. */
		expect_ok(moderate(cq, IBV_CQ_ATTR_MODERATE, 65535, 65535), "modify_cq");
		expect_ok(ibv_req_notify_cq(cq, 0), "req_notify_cq");
		write_many(0, 3);
		expect_ok(moderate(cq, IBV_CQ_ATTR_MODERATE, 0, 0), "modify_cq");
		expect(await_event(cq), "no event after moderation");
		collect(cq, wc, 3, PATIENCE_MS);

		/* An event that waits, and its timer, end with the queue. */
		expect_ok(moderate(cq, IBV_CQ_ATTR_MODERATE, 65535, 65535), "modify_cq");
		expect_ok(ibv_req_notify_cq(cq, 0), "req_notify_cq");
		write_many(0, 3);
		collect(cq, wc, 3, PATIENCE_MS);
	}
	pair_disconnect(&pair);
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	pair.a.send_cq = other;
	verdict("modify_cq: events wait for so many completions, or so long, and not in vain");
}

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	resize_keeps();
	resize_too_small();
	resize_under_load();
	wrong_steps();
	steps_at_once();
	extended(0, "");
	extended(IBV_CREATE_CQ_ATTR_SINGLE_THREADED, ", for one thread");
	extended_refuses();
	overrun_ignored();
	clock_is_read();
	moderation();
	pair_close(&pair);
	return lab_status();
}
