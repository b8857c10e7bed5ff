// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_placement [DEVICE [DEVICE]]
 * Checks Flush and Atomic Write where the kernel and libibverbs have them, and that they are
 * refused by name where they have not. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"

#define MASK (IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
#define VALUE 4096u /* offset in the memory of the second end */
#define LENGTH 8192u

/* Names that rdma-core 44 does not have all of, with the values that rdma-core gives them since. */
#define DEVICE_FLUSH_GLOBAL (1ull << 38)
#define DEVICE_FLUSH_PERSISTENT (1ull << 39)
#define DEVICE_ATOMIC_WRITE (1ull << 40)
#define WITH_FLUSH (1ull << 11)
#define ACCESS_FLUSH_GLOBAL (1 << 8)
#define ACCESS_FLUSH_PERSISTENT (1 << 9)
#define FLUSH_GLOBAL 1
#define FLUSH_PERSISTENT 2
#define FLUSH_RANGE 0
#define FLUSH_MR 1
#define WC_FLUSH 8

static struct pair pair;
static struct setup setup;

static struct ibv_qp *make(struct end *end, uint64_t ops)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = end->send_cq,
		.recv_cq = end->recv_cq,
		.cap = { .max_send_wr = 16, .max_recv_wr = 16 },
		.qp_type = IBV_QPT_RC,
		.pd = end->pd,
		.comp_mask = MASK,
		.send_ops_flags = ops,
	};

	return ibv_create_qp_ex(end->context, &attr);
}

static bool begin(uint64_t ops)
{
	memset(pair.a.memory, 0, LENGTH);
	memset(pair.b.memory, 0, LENGTH);
	pair.a.qp = make(&pair.a, ops);
	expect_made(pair.a.qp, "create_qp_ex");
	pair.b.qp = make(&pair.b, ops);
	expect_made(pair.b.qp, "create_qp_ex");
	return pair.a.qp && pair.b.qp &&
	       end_ready(&pair.a, &setup, &pair.b, pair.b.qp->qp_num) &&
	       end_ready(&pair.b, &setup, &pair.a, pair.a.qp->qp_num);
}

static void end(const char *name)
{
	pair_disconnect(&pair);
	verdict("%s", name);
}

static void refused(uint64_t ops, const char *what)
{
	struct ibv_qp *qp = make(&pair.a, ops);

	expect_refused(qp, EOPNOTSUPP, what);
	if (qp)
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
}

static uint64_t capabilities(void)
{
	struct ibv_device_attr_ex attr = {};

	expect_ok(ibv_query_device_ex(pair.a.context, NULL, &attr), "query_device_ex");
	return attr.device_cap_flags_ex;
}

static uint64_t value(void)
{
	uint64_t octets;

	memcpy(&octets, pair.b.memory + VALUE, sizeof(octets));
	return octets;
}

/* --- Atomic Write ----------------------------------------------------------------------------- */

static struct ibv_send_wr atomic_write_wr(uint64_t wr_id, struct ibv_sge *sge, uint32_t offset)
{
	return rdma_wr(wr_id, IBV_WR_ATOMIC_WRITE, sge, &pair.b, offset);
}

static void no_atomic_write(void)
{
	struct ibv_sge sge = sge_of(&pair.a, 0, 8);
	struct ibv_send_wr wr, *bad = NULL;

	refused(IBV_QP_EX_WITH_ATOMIC_WRITE, "a queue pair with Atomic Write");
	if (begin(IBV_QP_EX_WITH_RDMA_WRITE)) {
		wr = atomic_write_wr(1, &sge, VALUE);
		expect_error(ibv_post_send(pair.a.qp, &wr, &bad), EINVAL, "posting Atomic Write");
		expect(bad == &wr, "another bad request");
	}
	end("a kernel without Atomic Write: it is refused by name");
}

static void ends(uint64_t wr_id, enum ibv_wc_status status, unsigned int opcode)
{
	struct ibv_wc wc;

	if (completes(pair.a.send_cq, wr_id, status, &wc) && !status)
		expect_value(wc.opcode, opcode, "the completion's opcode");
}

static void post_atomic_write(uint64_t number, int flags, uint32_t length, uint32_t offset,
			      enum ibv_wc_status status)
{
	struct ibv_sge sge = sge_of(&pair.a, 64, length);
	struct ibv_send_wr wr = atomic_write_wr(number, &sge, offset);

	memcpy(pair.a.memory + 64, &number, sizeof(number));
	wr.send_flags |= flags;
	if (post_wr(&pair.a, &wr))
		ends(number, status, IBV_WC_ATOMIC_WRITE);
}

static void atomic_write(void)
{
	const uint64_t number = 0x0123456789abcdef;
	struct ibv_qp_ex *ex;

	if (begin(IBV_QP_EX_WITH_ATOMIC_WRITE)) {
		ex = ibv_qp_to_qp_ex(pair.a.qp);
		ibv_wr_start(ex);
		ex->wr_id = 1;
		ex->wr_flags = IBV_SEND_SIGNALED;
		ibv_wr_atomic_write(ex, pair.b.mr->rkey, (uintptr_t)pair.b.memory + VALUE, &number);
		expect_ok(ibv_wr_complete(ex), "wr_complete");
		ends(1, IBV_WC_SUCCESS, IBV_WC_ATOMIC_WRITE);
		expect_value(value(), number, "what ibv_wr_atomic_write() has written");
	}
	end("ibv_wr_atomic_write() writes eight octets");
	if (pair_connect(&pair, &setup)) {
		post_atomic_write(5, 0, 8, VALUE, IBV_WC_SUCCESS);
		expect_value(value(), 5, "what an SGE has brought");
		post_atomic_write(6, IBV_SEND_INLINE, 8, VALUE, IBV_WC_SUCCESS);
		expect_value(value(), 6, "what inline data has brought");
	}
	end("ibv_post_send() of an Atomic Write, from an SGE and inline");
}

static void wrong_atomic_write(const char *name, int rights, uint32_t length, uint32_t offset,
			       enum ibv_wc_status status)
{
	setup.rights = rights;
	if (pair_connect(&pair, &setup)) {
		post_atomic_write(7, 0, length, offset, status);
		expect_value(value(), 6, "what was there");
	}
	end(name);
	setup = default_setup;
}

static void wrong_atomic_writes(void)
{
	wrong_atomic_write("an Atomic Write of seven octets", ALL_RIGHTS, 7, VALUE,
			   IBV_WC_LOC_LEN_ERR);
	wrong_atomic_write("an Atomic Write to where it does not align", ALL_RIGHTS, 8, VALUE + 4,
			   IBV_WC_REM_INV_REQ_ERR);
	wrong_atomic_write("an Atomic Write behind the MR", ALL_RIGHTS, 8, MR_LENGTH,
			   IBV_WC_REM_ACCESS_ERR);
	wrong_atomic_write("an Atomic Write that the queue pair does not permit",
			   ALL_RIGHTS & ~IBV_ACCESS_REMOTE_WRITE, 8, VALUE,
			   IBV_WC_REM_INV_REQ_ERR);
}

/* --- Flush ------------------------------------------------------------------------------------ */

static void no_mr(int access, const char *what)
{
	struct ibv_mr *mr = ibv_reg_mr(pair.a.pd, pair.a.memory, LENGTH, access);

	expect(!mr, "%s was registered", what);
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
}

static void no_flush(void)
{
	refused(WITH_FLUSH, "a queue pair with Flush");
	verdict("a kernel or a libibverbs without Flush: it is refused by name");
}

#if HAVE_DECL_IBV_WR_FLUSH

static void flush(uint32_t rkey, uint32_t offset, size_t length, uint8_t type, uint8_t level,
		  int error)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(pair.a.qp);

	ibv_wr_start(ex);
	ex->wr_id = 1;
	ex->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_flush(ex, rkey, (uintptr_t)pair.b.memory + offset, length, type, level);
	expect_error(ibv_wr_complete(ex), error, "wr_complete");
}

static void flush_of(const char *name, struct ibv_mr *mr, uint32_t offset, uint8_t type,
		     uint8_t level, enum ibv_wc_status status)
{
	if (begin(WITH_FLUSH | IBV_QP_EX_WITH_RDMA_WRITE)) {
		flush(mr->rkey, offset, LENGTH, type, level, 0);
		ends(1, status, WC_FLUSH);
	}
	end(name);
}

static void mistakes(struct ibv_mr *mr)
{
	if (begin(WITH_FLUSH)) {
		flush(mr->rkey, 0, LENGTH, 0, FLUSH_RANGE, EINVAL);
		flush(mr->rkey, 0, LENGTH, 4, FLUSH_RANGE, EINVAL);
		flush(mr->rkey, 0, LENGTH, FLUSH_GLOBAL, 2, EINVAL);
		flush(mr->rkey, 0, (1ull << 31) + 1, FLUSH_GLOBAL, FLUSH_RANGE, EINVAL);
		silent(pair.a.send_cq, "a request that was not posted");
	}
	end("ibv_wr_flush() refuses types, levels and lengths that there are not");
}

static void flushes(void)
{
	struct ibv_mr *mr = ibv_reg_mr(pair.b.pd, pair.b.memory, LENGTH,
				       IBV_ACCESS_LOCAL_WRITE | ACCESS_FLUSH_GLOBAL);

	if (!expect_made(mr, "reg_mr for Flush"))
		return;
	setup.rights |= ACCESS_FLUSH_GLOBAL | ACCESS_FLUSH_PERSISTENT;
	flush_of("a Flush of a range", mr, 0, FLUSH_GLOBAL, FLUSH_RANGE, IBV_WC_SUCCESS);
	flush_of("a Flush of an MR, whose address does not count", mr, MR_LENGTH, FLUSH_GLOBAL,
		 FLUSH_MR, IBV_WC_SUCCESS);
	flush_of("a Flush of a range beyond the MR", mr, 1, FLUSH_GLOBAL, FLUSH_RANGE,
		 IBV_WC_REM_ACCESS_ERR);
	flush_of("a Flush to persistence", mr, 0, FLUSH_PERSISTENT, FLUSH_RANGE,
		 IBV_WC_REM_ACCESS_ERR);
	flush_of("a Flush of an MR without the right", pair.b.mr, 0, FLUSH_GLOBAL, FLUSH_MR,
		 IBV_WC_REM_ACCESS_ERR);
	mistakes(mr);
	setup = default_setup;
	flush_of("a Flush that the queue pair does not permit", mr, 0, FLUSH_GLOBAL, FLUSH_RANGE,
		 IBV_WC_REM_INV_REQ_ERR);
	expect_ok(ibv_dereg_mr(mr), "dereg_mr");
}

#else

static void flushes(void)
{
	no_flush();
}

#endif

int main(int argc, char **argv)
{
	uint64_t caps;

	setup = default_setup;
	pair_open(&pair, argc, argv);
	caps = capabilities();
	expect(!(caps & DEVICE_FLUSH_PERSISTENT) || (caps & DEVICE_FLUSH_GLOBAL),
	       "a Flush to persistence only");
	expect_value(!!(caps & DEVICE_FLUSH_GLOBAL), !!(caps & DEVICE_ATOMIC_WRITE),
		     "the kernel has both or neither");
	no_mr(IBV_ACCESS_LOCAL_WRITE | ACCESS_FLUSH_PERSISTENT, "memory that is not persistent");
	if (!(caps & DEVICE_FLUSH_GLOBAL))
		no_mr(IBV_ACCESS_LOCAL_WRITE | ACCESS_FLUSH_GLOBAL, "memory to be flushed");
	verdict("what the device says that it has");
	if (caps & DEVICE_ATOMIC_WRITE) {
		atomic_write();
		wrong_atomic_writes();
	} else {
		no_atomic_write();
	}
	if (caps & DEVICE_FLUSH_GLOBAL)
		flushes();
	else
		no_flush();
	pair_close(&pair);
	return lab_status();
}
