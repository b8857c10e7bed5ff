// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_statistic [DEVICE [DEVICE [hold]]]
 * Counters that queue pairs are bound to by rdma-statistic(8). The loss that is counted is a Send
 * that finds no receive request, which happens as often as the program wants it to. `hold`: binds a
 * queue pair, and waits to be killed.
 * Runs in the guest with Active ports, as root.
 */
#include "verbs_pair.h"
#include "verbs_statistic.h"

#define SOURCE 0u
#define DEST (2u << 20)
#define MAX_COUNTERS 1024u /* HCA_MAX_COUNTER */

static struct pair pair;
static const char *dev_a, *dev_b;

static const char *const losses[] = {
	"duplicate_request", "out_of_sequence", "send_rnr_err", "rcvd_rnr_err", "packet_seq_err",
	"implied_nak_seq_err", "local_ack_timeout_err", "retransmitted_packets",
	"retry_exceeded_err", "retry_rnr_exceeded_err", "odp_faults",
	"out_of_buffer", "recv_too_short",
};

/* One message, before which the receiver is not ready or is. */
static bool message(struct pair *p, bool loss)
{
	struct ibv_wc wc;

	if (!loss)
		post_recv(&p->b, 1, DEST, 100);
	post_send(&p->a, 2, SOURCE, 100);
	if (loss) {
		silent(p->a.send_cq, "a send without a receive");
		post_recv(&p->b, 1, DEST, 100);
	}
	return completes(p->b.recv_cq, 1, IBV_WC_SUCCESS, &wc) &&
	       completes(p->a.send_cq, 2, IBV_WC_SUCCESS, &wc);
}

static bool connect_with(struct pair *p, enum ibv_qp_type type)
{
	struct setup setup = default_setup;

	setup.type = type;
	setup.rnr_timer = 20; /* 10 ms */
	return pair_connect(p, &setup);
}

static bool bind_by_hand(const struct ibv_qp *qp)
{
	return expect(rdma("statistic qp bind link %s/1 lqpn %u", dev_b, qp->qp_num),
		      "bind: %s", printed);
}

/* A counter has the losses of its queue pair alone, and the port has them once. */
static void by_hand(void)
{
	uint64_t before = of_port(dev_b, "send_rnr_err"), counted = 0;
	struct pair clean = pair;
	uint32_t counter, other;
	unsigned int i;

	if (connect_with(&pair, IBV_QPT_RC) && connect_with(&clean, IBV_QPT_RC) &&
	    bind_by_hand(pair.b.qp) && bind_by_hand(clean.b.qp)) {
		expect_value(counters_of(dev_b), 2, "the number of counters");
		counter = counter_of(dev_b, pair.b.qp);
		other = counter_of(dev_b, clean.b.qp);
		expect(counter && other && counter != other, "the counters are %u and %u", counter,
		       other);
		message(&pair, true);
		message(&clean, false);
		counted = of_counter(dev_b, counter, "send_rnr_err");
		expect(counted && counted != ~0ull, "the receiver that was not ready counts nothing");
		for (i = 0; i < COUNT(losses); i++)
			expect_value(of_counter(dev_b, other, losses[i]), 0, losses[i]);
		expect_value(of_counter(dev_b, other, "tx_bytes"), ~0ull, "octets, of a counter,");
		expect_value(of_port(dev_b, "send_rnr_err"), before + counted, "the port's sum");
		expect_value(of_counter(dev_b, counter, "retransmitted_packets"), 0,
			     "what the receiver has sent again");
	}
	pair_disconnect(&clean);
	pair_disconnect(&pair);
	expect_value(counters_of(dev_b), 0, "the number of counters without queue pairs");
	expect_value(of_port(dev_b, "send_rnr_err"), before + counted,
		     "the port's sum when the counters have gone");
	verdict("bound by hand: a lossy queue pair counts for itself, a clean one nothing, the port once");
}

/* Two queue pairs share a counter; what is unbound counts at the port again. */
static void unbound(void)
{
	uint64_t before = of_port(dev_b, "send_rnr_err"), first = 0, both = 0;
	struct pair second = pair;
	uint32_t counter = 0;

	if (connect_with(&pair, IBV_QPT_RC) && connect_with(&second, IBV_QPT_RC) &&
	    bind_by_hand(pair.b.qp)) {
		counter = counter_of(dev_b, pair.b.qp);
		expect(rdma("statistic qp bind link %s/1 lqpn %u cntn %u", dev_b,
			    second.b.qp->qp_num, counter), "second bind: %s", printed);
		expect_value(counter_of(dev_b, second.b.qp), counter, "the second's counter");
		message(&pair, true);
		first = of_counter(dev_b, counter, "send_rnr_err");
		message(&second, true);
		both = of_counter(dev_b, counter, "send_rnr_err");
		expect(first && both > first, "they count %lu and %lu", first, both);
		expect(rdma("statistic qp unbind link %s/1 cntn %u lqpn %u", dev_b, counter,
			    pair.b.qp->qp_num), "unbind: %s", printed);
		message(&pair, true);
		expect_value(of_counter(dev_b, counter, "send_rnr_err"), both,
			     "the counter, when one is unbound,");
		expect(of_port(dev_b, "send_rnr_err") > before + both, "the port counts it not");
		expect(rdma("statistic qp unbind link %s/1 cntn %u", dev_b, counter),
		       "unbind all: %s", printed);
		expect_value(counters_of(dev_b), 0, "the number of counters");
	}
	pair_disconnect(&second);
	pair_disconnect(&pair);
	verdict("two share a counter; unbound, they count at the port again");
}

static void refused(void)
{
	uint32_t counter;

	if (connect_with(&pair, IBV_QPT_RC) && bind_by_hand(pair.b.qp)) {
		counter = counter_of(dev_b, pair.b.qp);
		expect(!rdma("statistic qp bind link %s/1 lqpn %u", dev_b, pair.b.qp->qp_num),
		       "bound twice");
		expect(!rdma("statistic qp bind link %s/1 lqpn %u cntn %u", dev_b,
			     pair.b.qp->qp_num, counter), "bound twice to its own counter");
		expect(!rdma("statistic qp bind link %s/1 lqpn %u cntn %u", dev_b, pair.b.qp->qp_num,
			     counter + 1), "bound to a counter that there is not");
		expect(!rdma("statistic qp bind link %s/1 lqpn 16777214", dev_b),
		       "a queue pair is bound that there is not");
		expect(!rdma("statistic qp bind link %s/1 lqpn 1 cntn %u", dev_b, counter),
		       "the kernel's queue pair is bound to a process's counter");
		if (strcmp(dev_a, dev_b) && pair.a.qp->qp_num != pair.b.qp->qp_num)
			expect(!rdma("statistic qp bind link %s/1 lqpn %u cntn %u", dev_b,
				     pair.a.qp->qp_num, counter), "another device's queue pair is bound");
		expect(!rdma("statistic qp unbind link %s/1 cntn %u lqpn %u", dev_b, counter + 1,
			     pair.b.qp->qp_num), "unbound from another counter");
		expect(!rdma("statistic qp set link %s/1 auto type on", dev_b),
		       "automatic although there is a counter");
		expect_value(counters_of(dev_b), 1, "the number of counters");
		message(&pair, true);
		expect(of_counter(dev_b, counter, "send_rnr_err") != 0, "it does not count any more");
	}
	pair_disconnect(&pair);
	expect_value(counters_of(dev_b), 0, "the number of counters");
	verdict("what cannot be bound is refused, and what is bound stays so");
}

static void automatic(void)
{
	struct pair second = pair, other = pair;
	uint32_t counter = 0;

	expect(rdma("statistic qp set link %s/1 auto type on", dev_b), "set auto: %s", printed);
	if (connect_with(&pair, IBV_QPT_RC) && connect_with(&second, IBV_QPT_RC) &&
	    connect_with(&other, IBV_QPT_UC)) {
		expect_value(counters_of(dev_b), 2, "the number of counters");
		counter = counter_of(dev_b, pair.b.qp);
		expect(counter, "the first RC queue pair has no counter");
		expect_value(counter_of(dev_b, second.b.qp), counter, "the second's counter");
		expect(counter_of(dev_b, other.b.qp) != counter, "the UC queue pair is there, too");
		message(&second, true);
		expect(of_counter(dev_b, counter, "send_rnr_err") != 0, "RC's counter is 0");
		expect_value(of_counter(dev_b, counter_of(dev_b, other.b.qp), "send_rnr_err"), 0,
			     "UC's counter");
		expect(!rdma("statistic qp unbind link %s/1 cntn %u lqpn %u", dev_b, counter,
			     pair.b.qp->qp_num), "unbound by hand");
	}
	pair_disconnect(&other);
	pair_disconnect(&second);
	pair_disconnect(&pair);
	expect_value(counters_of(dev_b), 0, "the number of counters");
	expect(rdma("statistic qp set link %s/1 auto off", dev_b), "set auto off: %s", printed);
	if (connect_with(&pair, IBV_QPT_RC))
		expect_value(counters_of(dev_b), 0, "the number of counters, no longer automatic,");
	pair_disconnect(&pair);
	verdict("bound automatically, by type");
}

/* A new counter is refused when there are as many as there may be, until one has gone. */
static void exhausted(void)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_RDMA);
	struct setup setup = default_setup;
	static struct ibv_qp *qps[MAX_COUNTERS + 1];
	unsigned int i;
	uint32_t index;

	setup.max_wr = 1;
	setup.max_sge = 1;
	expect(fd >= 0 && !connect(fd, (const struct sockaddr *)&kernel, sizeof(kernel)), "socket");
	index = ibv_get_device_index(pair.b.context->device);
	for (i = 0; i < COUNT(qps) && !lab_reason[0]; i++) {
		qps[i] = end_create_qp(&pair.b, &setup);
		if (expect_made(qps[i], "create_qp") && expect_ok(to_init(qps[i], &setup), "INIT"))
			expect_error(bind_new(fd, index, qps[i]->qp_num),
				     i < MAX_COUNTERS ? 0 : ENOMEM, "bind");
	}
	if (!lab_reason[0]) {
		expect_ok(ibv_destroy_qp(qps[0]), "destroy_qp");
		qps[0] = NULL;
		expect_ok(bind_new(fd, index, qps[MAX_COUNTERS]->qp_num), "bind when one has gone");
	}
	for (i = 0; i < COUNT(qps); i++)
		if (qps[i])
			expect_ok(ibv_destroy_qp(qps[i]), "destroy_qp");
	close(fd);
	expect_value(counters_of(dev_b), 0, "the number of counters");
	expect(rdma("statistic qp set link %s/1 auto type on", dev_b) &&
	       rdma("statistic qp set link %s/1 auto off", dev_b), "auto afterwards: %s", printed);
	verdict("%u counters, then ENOMEM, then one again", MAX_COUNTERS);
}

static void pause_bound(void)
{
	if (connect_with(&pair, IBV_QPT_RC) && bind_by_hand(pair.b.qp)) {
		puts("holding");
		fflush(stdout);
		pause();
	}
	verdict("a queue pair is bound");
}

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	dev_a = ibv_get_device_name(pair.a.context->device);
	dev_b = ibv_get_device_name(pair.b.context->device);
	if (argc > 3) {
		pause_bound();
		return EXIT_FAILURE;
	}
	by_hand();
	unbound();
	refused();
	automatic();
	exhausted();
	pair_close(&pair);
	return lab_status();
}
