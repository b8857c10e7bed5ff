// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_migrate DEVICE DEVICE CUT MEND
 * Checks automatic path migration between two devices whose ports 1 are joined by a cable, and
 * whose ports 2 are joined by another; all are Active. The command CUT disconnects the first cable,
 * MEND connects it again. Messages are sent in both directions all the time and are checked. Runs
 * in the guest.
 */
#include "verbs_async.h"

#define MESSAGE 20000u
#define WINDOW 8u
#define DEST (1u << 20)
#define PORTS 2

static struct pair pair;
static const char *cut, *mend;

/* --- paths ------------------------------------------------------------------------------------ */

static uint16_t lid_of(struct end *end, uint8_t port)
{
	struct ibv_port_attr attr = {};

	expect_ok(ibv_query_port(end->context, port, &attr), "query_port");
	return attr.lid;
}

static bool is_active(struct end *end, uint8_t port)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	struct ibv_port_attr attr = {};

	do {
		if (!ibv_query_port(end->context, port, &attr) && attr.state == IBV_PORT_ACTIVE)
			return true;
		sleep_ms(50);
	} while (now_ms() < deadline);
	return expect(false, "port %u of %s is not Active", port,
		      ibv_get_device_name(end->context->device));
}

/*
 * Loads the path by these ports as the alternate path and sets ReArm, which is as far as one end
 * can arm migration.
 */
static void load_one(struct end *end, struct end *peer, uint8_t port)
{
	struct ibv_qp_attr attr = {
		.alt_ah_attr = { .dlid = lid_of(peer, port), .port_num = port },
		.alt_port_num = port,
		.alt_timeout = 14,
		.path_mig_state = IBV_MIG_REARM,
	};

	expect_ok(ibv_modify_qp(end->qp, &attr, IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE),
		  "load an alternate path");
}

static void load(uint8_t port)
{
	load_one(&pair.a, &pair.b, port);
	load_one(&pair.b, &pair.a, port);
}

static void expect_path(struct end *end, uint8_t port, enum ibv_mig_state state)
{
	struct ibv_qp_attr attr = {};
	struct ibv_qp_init_attr init;

	expect_ok(ibv_query_qp(end->qp, &attr, IBV_QP_PORT | IBV_QP_PATH_MIG_STATE, &init),
		  "query_qp");
	expect_value(attr.port_num, port, "the port");
	expect_value(attr.path_mig_state, state, "the migration state");
	expect_value(attr.qp_state, IBV_QPS_RTS, "the state");
}

static void expect_paths(uint8_t port, enum ibv_mig_state state)
{
	expect_path(&pair.a, port, state);
	expect_path(&pair.b, port, state);
}

static void migrate(struct end *end)
{
	struct ibv_qp_attr attr = { .path_mig_state = IBV_MIG_MIGRATED };

	expect_ok(ibv_modify_qp(end->qp, &attr, IBV_QP_PATH_MIG_STATE), "migrate");
}

/* --- traffic ---------------------------------------------------------------------------------- */

struct flow {
	struct end *from, *to;
	uint32_t posted, sent, received;
};

static uint32_t value_of(uint32_t number, uint32_t i)
{
	return (number + 1) * 0x9e3779b1u ^ i;
}

static uint32_t slot_of(uint32_t number)
{
	return number % WINDOW * MESSAGE;
}

static void flow_post(struct flow *flow)
{
	uint32_t number = flow->posted++, offset = slot_of(number), i;
	uint32_t *keywords = (uint32_t *)(flow->from->memory + offset);

	for (i = 0; i < MESSAGE / 4; i++)
		keywords[i] = value_of(number, i);
	memset(flow->to->memory + DEST + offset, 0, MESSAGE);
	post_recv(flow->to, number, DEST + offset, MESSAGE);
	post_send(flow->from, number, offset, MESSAGE);
}

static void flow_poll(struct flow *flow, const struct ibv_wc *wc)
{
	uint32_t number = flow->received++, i;
	const uint32_t *keywords = (uint32_t *)(flow->to->memory + DEST + slot_of(number));

	expect_wc(wc, number, IBV_WC_SUCCESS);
	expect_value(wc->byte_len, MESSAGE, "byte_len");
	for (i = 0; i < MESSAGE / 4 && keywords[i] == value_of(number, i); i++)
		;
	expect(i == MESSAGE / 4, "message %u: octet %u is wrong", number, i * 4);
}

/* Return: whether there was any progress. */
static bool flow_go(struct flow *flow, uint32_t count)
{
	uint32_t before = flow->posted + flow->sent + flow->received;
	struct ibv_wc wc;

	while (flow->posted < count && flow->posted - flow->sent < WINDOW &&
	       flow->posted - flow->received < WINDOW && !lab_reason[0])
		flow_post(flow);
	while (ibv_poll_cq(flow->from->send_cq, 1, &wc) == 1)
		expect_wc(&wc, flow->sent++, IBV_WC_SUCCESS);
	while (ibv_poll_cq(flow->to->recv_cq, 1, &wc) == 1)
		flow_poll(flow, &wc);
	return flow->posted + flow->sent + flow->received != before;
}

/*
 * Sends @count messages in both directions; after half of them @event is called, if any, while
 * others are outstanding.
 */
static void traffic(uint32_t count, void (*event)(void))
{
	struct flow there = { .from = &pair.a, .to = &pair.b };
	struct flow back = { .from = &pair.b, .to = &pair.a };
	uint64_t deadline = now_ms() + PATIENCE_MS;

	while (!lab_reason[0] && (there.sent < count || there.received < count ||
				  back.sent < count || back.received < count)) {
		if (flow_go(&there, count) | flow_go(&back, count))
			deadline = now_ms() + PATIENCE_MS;
		else if (!expect(now_ms() < deadline, "of %u messages %u arrive there, %u here",
				 count, there.received, back.received))
			return;
		else
			usleep(50);
		if (event && there.received >= count / 2) {
			event();
			event = NULL;
		}
	}
}

/* --- cases ------------------------------------------------------------------------------------ */

static void run(const char *command)
{
	expect(!system(command), "failed: %s", command);
}

static void cut_cable(void)
{
	run(cut);
}

static void migrate_b(void)
{
	migrate(&pair.b);
}

static void expect_migrated(uint8_t port)
{
	expect_async(&pair.a, IBV_EVENT_PATH_MIG, pair.a.qp);
	expect_async(&pair.b, IBV_EVENT_PATH_MIG, pair.b.qp);
	expect_paths(port, IBV_MIG_MIGRATED);
}

static bool begin(enum ibv_qp_type type)
{
	struct setup setup = default_setup;

	setup.type = type;
	setup.mtu = IBV_MTU_1024;
	setup.retries = 3;
	poll_async(&pair.a);
	poll_async(&pair.b);
	return pair_connect(&pair, &setup);
}

/* Loads alternate paths and exchanges packets, by which each end learns of the other's. */
static void arm(uint8_t from, uint8_t to)
{
	expect_paths(from, IBV_MIG_MIGRATED);
	load(to);
	traffic(4, NULL);
	expect_paths(from, IBV_MIG_ARMED);
}

static void by_cut(void)
{
	begin(IBV_QPT_RC);
	arm(1, 2);
	verdict("RC: both ends are armed (C4-105)");
	traffic(100, cut_cable);
	expect_migrated(2);
	verdict("RC: the cable is cut under traffic, and it goes on by the other (C4-106, B4-426)");
	expect_no_async(&pair.a, IBV_EVENT_PATH_MIG, "for the second time");

	run(mend);
	is_active(&pair.a, 1);
	is_active(&pair.b, 1);
	traffic(10, NULL);
	expect_paths(2, IBV_MIG_MIGRATED);
	arm(2, 1);
	traffic(100, migrate_b);
	expect_migrated(1);
	verdict("RC: it is armed again, and goes back when told, under traffic (C4-112)");
	pair_disconnect(&pair);
}

/* Messages outstanding during migration may be lost, so the path migrates between messages. */
static void unreliable(void)
{
	if (begin(IBV_QPT_UC)) {
		arm(1, 2);
		migrate(&pair.a);
		traffic(10, NULL);
		expect_migrated(2);
	}
	pair_disconnect(&pair);
	verdict("UC: both ends migrate when one is told to (C4-101, C4-111)");
}

static void refused(void)
{
	struct ibv_qp_attr attr = { .path_mig_state = IBV_MIG_REARM, .alt_port_num = PORTS + 1,
				    .alt_ah_attr = { .dlid = 1, .port_num = 1 } };

	if (begin(IBV_QPT_RC)) {
		expect_error(ibv_modify_qp(pair.a.qp, &attr, IBV_QP_PATH_MIG_STATE), EINVAL,
			     "to ReArm without an alternate path");
		expect_error(ibv_modify_qp(pair.a.qp, &attr, IBV_QP_ALT_PATH), EINVAL,
			     "an alternate port that there is not");
		attr.path_mig_state = IBV_MIG_ARMED;
		expect_error(ibv_modify_qp(pair.a.qp, &attr, IBV_QP_PATH_MIG_STATE), EINVAL,
			     "to Armed, which is not for the consumer to say");
		expect_paths(1, IBV_MIG_MIGRATED);
		traffic(4, NULL);
	}
	pair_disconnect(&pair);
	verdict("RC: what cannot be is refused, and nothing is changed by it");
}

int main(int argc, char **argv)
{
	struct ibv_device_attr attr = {};

	if (argc != 5)
		give_up("two devices and two commands are given");
	cut = argv[3];
	mend = argv[4];
	pair_open(&pair, 3, argv);
	expect_ok(ibv_query_device(pair.a.context, &attr), "query_device");
	/* C4-097 */
	expect(attr.device_cap_flags & IBV_DEVICE_AUTO_PATH_MIG, "the device has it not");
	verdict("the device has automatic path migration (V3-116)");
	is_active(&pair.a, 2);
	is_active(&pair.b, 2);
	refused();
	by_cut();
	unreliable();
	pair_close(&pair);
	return lab_status();
}
