// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_terminate ADDRESS ADDRESS [DEVICE]
 * Query Terminate at both ends of connections between the RNICs of two addresses, and of a channel
 * adapter, which has no Terminate messages. Runs in the guest.
 */
#include "rnic_pair.h"
#include <infiniband/hcadv.h>

#define BAD_KEY 0x12345678u
#define DDP_TAGGED 14
#define DDP_UNTAGGED 18
#define READ_REQUEST 28

static struct rnic_pair pair;

/* An error by which an operation of a ends the connection. */
struct error {
	const char *name;
	enum ibv_wr_opcode opcode;
	uint8_t layer, type, code;
	uint8_t header_control; /* third octet of the message */
	uint8_t ddp[2]; /* first octets of the header of the segment with the error */
	uint8_t ddp_octets, read_octets;
	uint16_t segment_length;
	uint8_t message_octets;
};

static const struct error errors[] = {
	{
		.name = "a Write by a key of nothing",
		.opcode = IBV_WR_RDMA_WRITE,
		.layer = 1, .type = 1, .code = 0,
		.header_control = 0xc0,
		.ddp = { 0xc1, 0x40 },
		.ddp_octets = DDP_TAGGED,
		.segment_length = DDP_TAGGED + 64,
		.message_octets = 4 + 2 + DDP_TAGGED,
	},
	{
		.name = "a Read by a key of nothing",
		.opcode = IBV_WR_RDMA_READ,
		.layer = 0, .type = 1, .code = 0,
		.header_control = 0xe0,
		.ddp = { 0x41, 0x41 },
		.ddp_octets = DDP_UNTAGGED,
		.read_octets = READ_REQUEST,
		.segment_length = DDP_UNTAGGED + READ_REQUEST,
		.message_octets = 4 + 2 + DDP_UNTAGGED + READ_REQUEST,
	},
};

static uint32_t be32(const uint8_t *octets)
{
	return (uint32_t)octets[0] << 24 | octets[1] << 16 | octets[2] << 8 | octets[3];
}

static bool query(const struct rnic_end *end, struct hcadv_terminate *terminate)
{
	*terminate = (struct hcadv_terminate){ 0 };
	return expect_ok(hcadv_query_terminate(end->id->qp, terminate), "query_terminate");
}

static void expect_none(const struct rnic_end *end)
{
	static const struct hcadv_terminate none;
	struct hcadv_terminate terminate;

	if (query(end, &terminate))
		expect(!memcmp(&terminate, &none, sizeof(none)), "there is a Terminate message");
}

static void expect_origin(const struct hcadv_terminate *terminate, const struct error *error,
			  enum hcadv_terminate_origin origin)
{
	const uint8_t *message = terminate->message;

	expect_value(terminate->origin, origin, "the origin");
	expect_value(terminate->layer, error->layer, "the layer");
	expect_value(terminate->error_type, error->type, "the type");
	expect_value(terminate->error_code, error->code, "the code");
	expect(!terminate->swapped, "it is in the other order");
	expect_value(terminate->segment_length, error->segment_length, "the segment's length");
	if (expect_value(terminate->ddp_octets, error->ddp_octets, "octets of the DDP header"))
		expect(!memcmp(terminate->ddp, error->ddp, sizeof(error->ddp)),
		       "the DDP header begins by %02x %02x", terminate->ddp[0], terminate->ddp[1]);
	expect_value(terminate->read_octets, error->read_octets, "octets of the Read Request");
	if (!expect_value(terminate->message_octets, error->message_octets, "octets"))
		return;
	expect_value(be32(message),
		     (uint32_t)error->layer << 28 | error->type << 24 | error->code << 16 |
			     error->header_control << 8, "the control octets");
	expect(!memcmp(message + 6, terminate->ddp, error->ddp_octets) &&
	       !memcmp(message + 6 + error->ddp_octets, terminate->read, error->read_octets),
	       "the octets are not those of the headers");
}

/* R0-123, R0-183, P1-187, T0-132: both ends have the message, each with its origin. */
static void reports(const struct error *error)
{
	struct hcadv_terminate of_a, of_b;

	if (rnic_pair_connect(&pair)) {
		expect_none(&pair.a);
		expect_none(&pair.b);
		if (rnic_post(&pair.a, error->opcode, &pair.b, BAD_KEY) && rnic_pair_ends(&pair) &&
		    query(&pair.a, &of_a) && query(&pair.b, &of_b)) {
			expect_origin(&of_a, error, HCADV_TERMINATE_REMOTE);
			expect_origin(&of_b, error, HCADV_TERMINATE_LOCAL);
			expect(!memcmp(of_a.message, of_b.message, sizeof(of_a.message)),
			       "the ends have other octets");
			expect_value(be32(error->read_octets ? of_a.read + 16 : of_a.ddp + 2),
				     BAD_KEY, "the key");
		}
	}
	rnic_pair_destroy(&pair);
	verdict("%s: both ends report it (R0-123, T0-132, P1-187)", error->name);
}

/* R0-268: of an end that comes without a message there is only a reason. */
static void reports_lost_stream(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct hcadv_terminate terminate;

	if (rnic_pair_connect(&pair) &&
	    expect_ok(ibv_modify_qp(pair.b.id->qp, &attr, IBV_QP_STATE), "modify to Error") &&
	    rnic_pair_ends(&pair) && query(&pair.a, &terminate)) {
		expect_value(terminate.origin, HCADV_TERMINATE_UNSENT, "the origin");
		expect_value(terminate.layer, 2, "the layer");
		expect_value(terminate.error_type, 0, "the type");
		expect_value(terminate.error_code, 1, "the code");
		expect_value(terminate.message_octets, 0, "octets");
	}
	rnic_pair_destroy(&pair);
	verdict("the peer resets the stream: the reason is that it is lost (R0-268)");
}

static void is_reset(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };

	if (rnic_pair_connect(&pair) &&
	    rnic_post(&pair.a, IBV_WR_RDMA_WRITE, &pair.b, BAD_KEY) && rnic_pair_ends(&pair)) {
		expect_ok(ibv_modify_qp(pair.b.id->qp, &attr, IBV_QP_STATE), "modify to Reset");
		expect_none(&pair.b);
	}
	rnic_pair_destroy(&pair);
	verdict("a queue pair that is reset has no Terminate message");
}

static void refuses(void)
{
	struct hcadv_terminate terminate = { .comp_mask = 1 };
	uint32_t handle;

	if (rnic_pair_connect(&pair)) {
		expect_error(hcadv_query_terminate(pair.a.id->qp, &terminate), EINVAL,
			     "a comp_mask");
		terminate.comp_mask = 0;
		handle = pair.a.id->qp->handle;
		pair.a.id->qp->handle = 54321;
		expect_error(hcadv_query_terminate(pair.a.id->qp, &terminate), ENOENT,
			     "a handle of no queue pair");
		pair.a.id->qp->handle = handle;
		rdma_disconnect(pair.a.id);
		rnic_pair_ends(&pair);
		expect_none(&pair.a);
		expect_none(&pair.b);
	}
	rnic_pair_destroy(&pair);
	verdict("what is asked wrongly is refused; a connection that ends in order has no Terminate message");
}

static void adapter_has_none(const char *device)
{
	struct ibv_context *context = must_open(device);
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_cq *cq = ibv_create_cq(context, 1, NULL, NULL, 0);
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};
	struct hcadv_terminate terminate = { 0 };
	struct ibv_qp *qp = pd && cq ? ibv_create_qp(pd, &init) : NULL;

	if (expect_made(qp, "create_qp")) {
		expect_error(hcadv_query_terminate(qp, &terminate), EOPNOTSUPP, "query_terminate");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	}
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	expect_ok(ibv_close_device(context), "close_device");
	verdict("a queue pair of a channel adapter has no Terminate messages");
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: direct_terminate ADDRESS ADDRESS [DEVICE]\n");
		return EXIT_FAILURE;
	}
	rnic_pair_init(&pair, argv[1], argv[2]);
	for (i = 0; i < COUNT(errors); i++)
		reports(&errors[i]);
	reports_lost_stream();
	is_reset();
	refuses();
	if (argc == 4)
		adapter_has_none(argv[3]);
	return lab_status();
}
