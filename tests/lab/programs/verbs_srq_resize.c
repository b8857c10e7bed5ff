// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_srq_resize [DEVICE [DEVICE]]
 * Checks that shared receive queues change their size: with requests in them, under load, and by
 * methods that a process calls in an order of its own. Runs in the guest with Active ports.
 */
#include "verbs_srq.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <rdma/hca-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>

static int resize(struct ibv_srq *srq, uint32_t entries)
{
	struct ibv_srq_attr attr = { .max_wr = entries, .srq_limit = UINT32_MAX };

	return ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR);
}

static int resize_and_arm(struct ibv_srq *srq, uint32_t entries, uint32_t limit)
{
	struct ibv_srq_attr attr = { .max_wr = entries, .srq_limit = limit };

	return ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT);
}

static void expect_size(struct ibv_srq *srq, uint32_t entries, uint32_t limit)
{
	struct ibv_srq_attr attr;

	if (!expect_ok(ibv_query_srq(srq, &attr), "query_srq"))
		return;
	expect_value(attr.max_wr, entries, "max_wr");
	expect_value(attr.srq_limit, limit, "the limit");
	expect_value(attr.max_sge, 1, "max_sge");
}

static const struct {
	const char *what;
	uint32_t entries, limit; /* limit UINT32_MAX: it is not changed */
	int mask;
} wrong_sizes[] = {
	{ "8 entries for 10 requests", 8, UINT32_MAX, IBV_SRQ_MAX_WR },
	{ "no entries", 0, UINT32_MAX, IBV_SRQ_MAX_WR },
	{ "one entry more than there may be", 16385, UINT32_MAX, IBV_SRQ_MAX_WR },
	{ "2^32 - 1 entries", UINT32_MAX, UINT32_MAX, IBV_SRQ_MAX_WR },
	{ "a limit above the new size", 32, 33, IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT },
	{ "a limit with too few entries", 8, 1, IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT },
	{ "an unknown bit", 64, 1, IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT | 1 << 2 },
	{ "an unknown bit alone", 64, 1, 1 << 30 },
};

/* The queue has @entries entries, 10 requests, and a limit of 5. */
static void expect_refusals(struct ibv_srq *srq, uint32_t entries)
{
	unsigned long had = pinned();
	unsigned int i;

	for (i = 0; i < COUNT(wrong_sizes); i++) {
		struct ibv_srq_attr attr = {
			.max_wr = wrong_sizes[i].entries,
			.srq_limit = wrong_sizes[i].limit,
		};

		expect_error(ibv_modify_srq(srq, &attr, wrong_sizes[i].mask), EINVAL,
			     wrong_sizes[i].what);
		expect_size(srq, entries, 5);
		expect_value(pinned(), had, "what is pinned");
	}
}

static void resized(void)
{
	unsigned long had = 0;
	unsigned int i;

	expect(limits.device_cap_flags & IBV_DEVICE_SRQ_RESIZE, "SRQ_RESIZE is not claimed");
	expect_value(limits.max_srq_wr, 16384, "max_srq_wr");
	if (join(&default_setup, 2, 5)) {
		had = pinned();
		for (i = 0; i < 10; i++)
			post_recv(&pair.b, i, DEST, 100);
		expect_refusals(pair.b.srq, ENTRIES);
		expect_ok(resize(pair.b.srq, 100), "to 100 entries");
		expect_refusals(pair.b.srq, 128);
		for (; i < 128; i++)
			post_recv(&pair.b, i, DEST, 100);
		expect_error(resize(pair.b.srq, 127 / 2), EINVAL, "64 entries for 128 requests");
		expect_ok(resize(pair.b.srq, 127), "the same size");
		/* R0-228: one queue pair takes them all. */
		for (i = 0; i < 112; i++)
			message(1, i);
		expect_ok(resize(pair.b.srq, ENTRIES), "back");
		expect_size(pair.b.srq, ENTRIES, 5);
		expect_value(pinned(), had, "what is pinned");
		for (; i < 123; i++)
			message(i & 1, i);
		expect_untold("with 5 requests left");
		message(0, i++);
		expect_event(IBV_EVENT_SRQ_LIMIT_REACHED, pair.b.srq);
		for (; i < 128; i++)
			message(i & 1, i);
		expect_ok(resize(pair.b.srq, 1), "to one entry");
		expect_ok(resize(pair.b.srq, 16384), "to as many as there may be");
		expect_size(pair.b.srq, 16384, 0);
		post_recv(&pair.b, i, DEST, 100);
		message(0, i);
	}
	part();
	verdict("modify_srq to more and to fewer entries: requests and limit stay, errors change nothing "
		"(R0-215, R0-217, R0-228, R0-238, R0-489)");
}

static void resized_and_armed(void)
{
	struct ibv_srq *srq = srq_create(pair.b.pd, ENTRIES, 1, 9);

	if (expect_made(srq, "create_srq")) {
		expect_error(resize(srq, 8), EINVAL, "8 entries for a limit of 9");
		expect_size(srq, ENTRIES, 9);
		expect_untold("of a limit that is not compared");
		expect_ok(resize_and_arm(srq, 8, 0), "disarm and shrink");
		expect_size(srq, 8, 0);
		expect_ok(resize_and_arm(srq, 32, 32), "arm and grow");
		expect_event(IBV_EVENT_SRQ_LIMIT_REACHED, srq);
		expect_untold("a second time");
		expect_size(srq, 32, 0);
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	}
	verdict("modify_srq: size and limit at once, the event at once (R0-237, R0-238)");
}

/* Return: an SRQ of a new XRC domain, with its completions in the CQ of b; or NULL. */
static struct ibv_srq *xrc_srq_create(struct ibv_xrcd **xrcd)
{
	struct ibv_xrcd_init_attr domain = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1,
		.oflags = O_CREAT,
	};
	struct ibv_srq_init_attr_ex init = {
		.attr = { .max_wr = ENTRIES, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC,
		.pd = pair.b.pd,
		.cq = pair.b.recv_cq,
	};

	*xrcd = init.xrcd = ibv_open_xrcd(pair.b.context, &domain);
	return *xrcd ? ibv_create_srq_ex(pair.b.context, &init) : NULL;
}

static void xrc_resized(void)
{
	struct ibv_recv_wr wr = {}, *bad;
	struct ibv_xrcd *xrcd;
	struct ibv_srq *srq = xrc_srq_create(&xrcd);
	unsigned int i;

	if (expect_made(srq, "create_srq_ex")) {
		for (i = 0; i < ENTRIES; i++)
			expect_ok(ibv_post_srq_recv(srq, &wr, &bad), "post_srq_recv");
		expect_error(ibv_post_srq_recv(srq, &wr, &bad), ENOMEM, "one more");
		expect_error(resize(srq, ENTRIES / 2), EINVAL, "half");
		expect_size(srq, ENTRIES, 0);
		expect_ok(resize(srq, 2 * ENTRIES), "twice");
		expect_size(srq, 2 * ENTRIES, 0);
		for (i = 0; i < ENTRIES; i++)
			expect_ok(ibv_post_srq_recv(srq, &wr, &bad), "post_srq_recv");
		expect_error(ibv_post_srq_recv(srq, &wr, &bad), ENOMEM, "one more");
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	}
	if (xrcd)
		expect_ok(ibv_close_xrcd(xrcd), "close_xrcd");
	verdict("an SRQ of XRC is resized, too");
}

/* One thread posts, another sends by two connections and polls; this one resizes. */

enum { RESIZES = 1000, AHEAD = 24, MAX_POSTED = 1 << 20, LISTED = 3 };

static struct {
	uint64_t posted, received;
	uint64_t sent, completed; /* of the thread that sends */
	uint64_t next[2]; /* by queue pair: the lowest wr_id that may complete */
	unsigned int wrong, full;
	bool over; /* the last resize is done */
	bool last; /* posted does not change any more */
	uint8_t seen[MAX_POSTED];
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

static void load_wrong(void)
{
	__atomic_fetch_add(&load.wrong, 1, __ATOMIC_RELAXED);
}

/* A list of up to three requests: those before the first bad one are posted. */
static void load_post(unsigned int n)
{
	struct ibv_sge sge = sge_of(&pair.b, DEST, 100);
	struct ibv_recv_wr wr[LISTED] = {}, *bad = wr;
	unsigned int i, done = n;
	int ret;

	for (i = 0; i < n; i++) {
		wr[i].wr_id = load.posted + i;
		wr[i].sg_list = &sge;
		wr[i].num_sge = 1;
		wr[i].next = i + 1 < n ? &wr[i + 1] : NULL;
	}
	ret = ibv_post_srq_recv(pair.b.srq, wr, &bad);
	if (ret)
		done = bad - wr;
	if (ret == ENOMEM)
		load.full++;
	else if (ret)
		load_wrong();
	__atomic_store_n(&load.posted, load.posted + done, __ATOMIC_RELEASE);
}

static void *load_poster(void *arg)
{
	unsigned int n = 0;

	(void)arg;
	while (!__atomic_load_n(&load.over, __ATOMIC_RELAXED)) {
		if (load.posted - load_get(&load.received) > AHEAD - LISTED ||
		    load.posted > MAX_POSTED - LISTED)
			sched_yield();
		else
			load_post(1 + n++ % LISTED);
	}
	__atomic_store_n(&load.last, true, __ATOMIC_RELEASE);
	return NULL;
}

static void load_send(void)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 100);
	struct ibv_send_wr wr = send_wr(load.sent, &sge), *bad;

	if (ibv_post_send(from[load.sent & 1], &wr, &bad))
		load_wrong();
	load.sent++;
}

/* Each request completes once, and those of a queue pair in the order in which it took them. */
static void load_check(const struct ibv_wc *wc)
{
	unsigned int i = wc->qp_num == to[1]->qp_num;

	if (wc->status || wc->wr_id >= load_get(&load.posted) || wc->wr_id < load.next[i] ||
	    load.seen[wc->wr_id]++)
		load_wrong();
	load.next[i] = wc->wr_id + 1;
	__atomic_store_n(&load.received, load.received + 1, __ATOMIC_RELEASE);
}

static unsigned int load_poll(void)
{
	struct ibv_wc wc[8];
	int n, m, i;

	n = ibv_poll_cq(pair.b.recv_cq, COUNT(wc), wc);
	for (i = 0; i < n; i++)
		load_check(&wc[i]);
	m = ibv_poll_cq(pair.a.send_cq, COUNT(wc), wc);
	for (i = 0; i < m; i++)
		if (wc[i].status)
			load_wrong();
	load.completed += m;
	return n + m;
}

/* The receiver is always ready: no more is sent than was posted. */
static void *load_sender(void *arg)
{
	uint64_t deadline = now_ms() + 20 * PATIENCE_MS;

	(void)arg;
	while ((!__atomic_load_n(&load.last, __ATOMIC_ACQUIRE) || load.sent != load.posted ||
		load.received != load.sent || load.completed != load.sent) &&
	       now_ms() < deadline) {
		if (load.sent < load_get(&load.posted))
			load_send();
		else if (!load_poll())
			sched_yield();
		if (load.sent % 8 == 0)
			load_poll();
	}
	return NULL;
}

/* Sizes for which there is always room, and now and then one for which there may be none. */
static void load_resize(void)
{
	unsigned int i, small = 0;
	int ret;

	for (i = 0; i < RESIZES; i++) {
		load_wait(i / 8);
		expect_ok(resize(pair.b.srq, i % 2 ? 32 : 32 << i % 8), "modify_srq");
		ret = i % 4 ? EINVAL : resize(pair.b.srq, 1 << i / 4 % 5);
		expect(!ret || ret == EINVAL, "modify_srq to few entries: %s", error_name(ret));
		small += !ret;
	}
	expect(small > 0, "there was never room in few entries");
	__atomic_store_n(&load.over, true, __ATOMIC_RELAXED);
}

static void resized_under_load(void)
{
	pthread_t poster, sender;
	unsigned long had;

	if (join(&default_setup, 2, 0)) {
		had = pinned();
		if (pthread_create(&poster, NULL, load_poster, NULL) ||
		    pthread_create(&sender, NULL, load_sender, NULL))
			give_up("threads");
		load_resize();
		pthread_join(poster, NULL);
		pthread_join(sender, NULL);
		expect(load.posted > RESIZES / 10, "only %llu requests meanwhile",
		       (unsigned long long)load.posted);
		expect_value(load.received, load.posted, "requests that completed");
		expect_value(load.wrong, 0, "requests that are wrong, or in another order");
		expect_ok(resize(pair.b.srq, ENTRIES), "back");
		expect_value(pinned(), had, "what is pinned");
		printf("# %llu requests, %u times without room\n",
		       (unsigned long long)load.posted, load.full);
	}
	part();
	verdict("1,000 resizes while others post and receive: each request once, in order (R0-215, R0-216)");
}

/* Methods that no provider would call so. */

static int call(uint16_t method, struct ib_uverbs_attr *attrs, unsigned int n)
{
	struct {
		struct ib_uverbs_ioctl_hdr header;
		struct ib_uverbs_attr attrs[3];
	} cmd = {
		.header = {
			.length = sizeof(cmd.header) + n * sizeof(*attrs),
			.object_id = UVERBS_OBJECT_SRQ,
			.method_id = method,
			.num_attrs = n,
		},
	};

	memcpy(cmd.attrs, attrs, n * sizeof(*attrs));
	return ioctl(pair.b.context->cmd_fd, RDMA_VERBS_IOCTL, &cmd) ? errno : 0;
}

static struct ib_uverbs_attr input(uint16_t id, uint32_t value, uint16_t octets)
{
	struct ib_uverbs_attr attr = {
		.attr_id = id, .len = octets, .flags = UVERBS_ATTR_F_MANDATORY,
	};

	memcpy(&attr.data, &value, sizeof(value));
	return attr;
}

static struct ib_uverbs_attr handle_of(uint16_t id, uint32_t handle)
{
	return (struct ib_uverbs_attr){
		.attr_id = id, .flags = UVERBS_ATTR_F_MANDATORY, .data = handle,
	};
}

static int prepare_as(uint32_t handle, uint32_t entries, uint16_t octets, void *resp,
		      uint16_t resp_octets)
{
	struct ib_uverbs_attr attrs[] = {
		handle_of(HCA_ATTR_SRQ_PREPARE_HANDLE, handle),
		input(HCA_ATTR_SRQ_PREPARE_ENTRIES, entries, octets),
		{
			.attr_id = HCA_ATTR_SRQ_PREPARE_RESP_RING,
			.len = resp_octets,
			.flags = UVERBS_ATTR_F_MANDATORY,
			.data = (uintptr_t)resp,
		},
	};

	return call(HCA_METHOD_SRQ_PREPARE, attrs, resp_octets ? 3 : 2);
}

static int prepare(const struct ibv_srq *srq, uint32_t entries, struct hca_create_srq_resp *ring)
{
	return prepare_as(srq->handle, entries, sizeof(entries), ring, sizeof(*ring));
}

/* @limit: UINT32_MAX: it is not changed */
static int commit_as(uint32_t handle, uint32_t limit, uint16_t octets)
{
	struct ib_uverbs_attr attrs[] = {
		handle_of(HCA_ATTR_SRQ_COMMIT_HANDLE, handle),
		input(HCA_ATTR_SRQ_COMMIT_LIMIT, limit, octets),
	};

	return call(HCA_METHOD_SRQ_COMMIT, attrs, limit == UINT32_MAX ? 1 : 2);
}

static int commit(const struct ibv_srq *srq, uint32_t limit)
{
	return commit_as(srq->handle, limit, sizeof(limit));
}

static void wrong_attributes(const struct ibv_srq *srq)
{
	struct hca_create_srq_resp ring;
	struct ib_uverbs_attr none = input(HCA_ATTR_SRQ_COMMIT_LIMIT, 1, 4);

	expect_error(prepare(srq, 0, &ring), EINVAL, "no entries");
	expect_error(prepare(srq, 16385, &ring), EINVAL, "16385 entries");
	expect_error(prepare(srq, UINT32_MAX, &ring), EINVAL, "2^32 - 1 entries");
	expect_error(prepare_as(srq->handle, 64, 2, &ring, sizeof(ring)), EINVAL, "2 octets");
	expect_error(prepare_as(srq->handle, 64, 8, &ring, sizeof(ring)), EINVAL, "8 octets");
	expect_error(prepare_as(srq->handle, 64, 4, &ring, 16), EINVAL, "a short response");
	expect_error(prepare_as(srq->handle, 64, 4, &ring, 0), EINVAL, "no response");
	expect_error(prepare_as(9999, 64, 4, &ring, sizeof(ring)), ENOENT, "an unknown SRQ");
	expect_error(commit_as(9999, 0, 4), ENOENT, "commit of an unknown SRQ");
	expect_error(commit_as(srq->handle, 0, 8), EINVAL, "a limit of 8 octets");
	expect_error(call(HCA_METHOD_SRQ_COMMIT, &none, 1), EINVAL, "no SRQ");
	expect_error(commit(srq, UINT32_MAX), EINVAL, "commit of nothing");
	expect_error(commit(srq, 0), EINVAL, "commit of nothing with a limit");
	expect_ok(prepare(srq, 64, &ring), "prepare");
	expect_error(prepare_as(srq->handle, 64, 4, (void *)8, sizeof(ring)), EFAULT, "no memory");
	expect_error(commit(srq, UINT32_MAX), EINVAL, "commit of what was not described");
	expect_ok(prepare(srq, 64, &ring), "prepare");
	expect_error(prepare(srq, 0, &ring), EINVAL, "no entries, then");
	expect_error(commit(srq, UINT32_MAX), EINVAL, "commit of what was freed");
}

static void wrong_order(void)
{
	struct ibv_srq *srq = srq_create(pair.b.pd, ENTRIES, 1, 5);
	unsigned long had = pinned(), one;
	struct hca_create_srq_resp ring;
	unsigned int i;
	void *map;

	if (!expect_made(srq, "create_srq"))
		goto out;
	wrong_attributes(srq);
	expect_value(pinned(), had, "what is pinned");
	for (i = 0; i < 200; i++)
		expect_ok(prepare(srq, 1 + i * 50, &ring), "prepare");
	expect_value(ring.entries, 16384, "entries");
	expect_value(pinned(), had + ring.size, "what is pinned with a prepared ring");
	expect_size(srq, ENTRIES, 5);
	map = mmap(NULL, ring.size, PROT_READ | PROT_WRITE, MAP_SHARED, srq->context->cmd_fd,
		   ring.offset);
	expect(map != MAP_FAILED, "it cannot be mapped");
	expect_error(commit(srq, 16385), EINVAL, "a limit above");
	expect_size(srq, ENTRIES, 5);
	expect_ok(commit(srq, UINT32_MAX), "commit");
	expect_error(commit(srq, UINT32_MAX), EINVAL, "commit again");
	expect_size(srq, 16384, 5);
	if (map != MAP_FAILED)
		munmap(map, ring.size);
	one = ring.size;
	expect_ok(prepare(srq, 4, &ring), "prepare 4 entries for a limit of 5");
	expect_error(commit(srq, UINT32_MAX), EINVAL, "commit of less than the limit");
	expect_error(commit(srq, 5), EINVAL, "commit of less than another limit");
	expect_ok(commit(srq, 0), "commit without limit");
	expect_size(srq, 4, 0);
	expect_ok(prepare(srq, 16384, &ring), "prepare");
	expect_value(ring.size, one, "size of the same number of entries");
	expect_ok(ibv_destroy_srq(srq), "destroy_srq with a prepared ring");
	expect(pinned() < had, "%lu octets are pinned, %lu before", pinned(), had);
out:
	verdict("methods of an SRQ in every order: refused, or without harm");
}

enum { MEDDLERS = 3, METHODS = 2000, ROUNDS = 50, LEAST = 10 };

static unsigned int commits;

/* Writes what it likes to the indices of a ring that may be the queue's, now or soon. */
static void scribble(const struct hca_create_srq_resp *ring, unsigned int *seed)
{
	struct hca_ring *map = mmap(NULL, ring->size, PROT_READ | PROT_WRITE, MAP_SHARED,
				    pair.b.context->cmd_fd, ring->offset);

	if (map == MAP_FAILED)
		return;
	map->producer = rand_r(seed) % 64;
	map->consumer = rand_r(seed);
	map->need_wakeup = rand_r(seed);
	munmap(map, ring->size);
}

static void *meddle(void *arg)
{
	struct ibv_srq *srq = arg;
	unsigned int seed = (uintptr_t)&seed, i;
	struct hca_create_srq_resp ring;
	struct ibv_srq_attr attr;

	for (i = 0; i < METHODS; i++) {
		switch (rand_r(&seed) % 8) {
		case 0:
			ibv_query_srq(srq, &attr);
			break;
		case 1:
			arm(srq, rand_r(&seed) % 40);
			break;
		case 2:
		case 3:
		case 4:
			if (!prepare(srq, rand_r(&seed) % 600, &ring) && rand_r(&seed) % 4 == 0)
				scribble(&ring, &seed);
			break;
		default:
			if (!commit(srq, rand_r(&seed) % 2 ? UINT32_MAX : rand_r(&seed) % 40u))
				__atomic_fetch_add(&commits, 1, __ATOMIC_RELAXED);
		}
	}
	return NULL;
}

/* Rings of one SRQ are exchanged while requests are consumed. */
static void meddled(void)
{
	pthread_t thread[MEDDLERS];
	struct ibv_async_event event;
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 100);
	struct ibv_send_wr wr = send_wr(0, &sge), *bad;
	unsigned int i, n;

	if (join(&default_setup, 2, 0)) {
		for (i = 0; i < ENTRIES; i++)
			post_recv(&pair.b, i, DEST, 100);
		for (i = 0; i < MEDDLERS; i++)
			if (pthread_create(&thread[i], NULL, meddle, pair.b.srq))
				give_up("threads");
		for (n = 0; n < 200 && !ibv_post_send(from[n & 1], &wr, &bad); n++)
			usleep(200);
		for (i = 0; i < MEDDLERS; i++)
			pthread_join(thread[i], NULL);
		while (event_within(&event, 0))
			ibv_ack_async_event(&event);
	}
	part();
}

/*
 * Only this process may lose requests. An SRQ whose ring was overwritten badly enough is resized no
 * more, which chance may bring about early, so that there are several of them.
 */
static void at_once(void)
{
	unsigned long had = pinned();
	unsigned int round;

	for (round = 0; round < ROUNDS && commits <= LEAST && !lab_reason[0]; round++)
		meddled();
	expect(commits > LEAST, "only %u resizes", commits);
	expect_value(pinned(), had, "what is pinned");
	if (join(&default_setup, 1, 0)) {
		post_recv(&pair.b, 7, DEST, 100);
		message(0, 7);
	}
	part();
	verdict("three threads call the methods of an SRQ at random: another SRQ is as it was");
}

int main(int argc, char **argv)
{
	srq_open(argc, argv);
	resized();
	resized_and_armed();
	xrc_resized();
	resized_under_load();
	wrong_order();
	at_once();
	pair_close(&pair);
	return lab_status();
}
