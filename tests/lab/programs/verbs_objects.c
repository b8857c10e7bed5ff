// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_objects [DEVICE]
 * Checks every object of libibverbs: objects are created, queried, refused for each reason, kept
 * while they are in use, and destroyed. Runs in the guest; ports may be in any state.
 */
#include "verbs_lab.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>

static const char *name;
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_device_attr limits;
static struct ibv_port_attr port;
static uint8_t memory[64 * 4096] __attribute__((aligned(4096)));

/* --- contexts --------------------------------------------------------------------------------- */

/* Counts open files; @doorbell: flags of the one that is a doorbell. */
static int open_files(int *doorbell)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	char link[PATH_MAX];
	ssize_t length;
	int n = 0;

	while (dir && (entry = readdir(dir))) {
		length = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);
		if (length < 0)
			continue;
		n++;
		link[length] = '\0';
		if (doorbell && strstr(link, "hca_doorbell"))
			*doorbell = fcntl(atoi(entry->d_name), F_GETFD);
	}
	if (dir)
		closedir(dir);
	return n;
}

static void contexts(void)
{
	int before = open_files(NULL), flags = -1, i;
	struct ibv_context *other[20];

	for (i = 0; i < (int)COUNT(other); i++)
		other[i] = open_named(name);
	open_files(&flags);
	expect(flags >= 0, "there is no doorbell");
	expect(flags & FD_CLOEXEC, "the doorbell is open after exec");
	for (i = 0; i < (int)COUNT(other); i++)
		if (expect_made(other[i], "open_device"))
			expect_ok(ibv_close_device(other[i]), "close_device");
	expect_value(open_files(NULL), before, "open files afterwards");
	verdict("20 contexts at a time leave no file open (V3-133)");

	for (i = 0; i < 100 && !lab_reason[0]; i++) {
		other[0] = open_named(name);
		if (expect_made(other[0], "open_device"))
			expect_ok(ibv_close_device(other[0]), "close_device");
	}
	expect_value(open_files(NULL), before, "open files afterwards");
	verdict("100 contexts one after the other (R0-478, R0-480)");
}

static void device(void)
{
	struct ibv_device_attr_ex ex = {};

	if (!expect_ok(ibv_query_device(context, &limits), "query_device"))
		give_up("query_device");
	expect(limits.phys_port_cnt >= 1, "no ports");
	expect(limits.max_qp > 0 && limits.max_qp_wr > 0 && limits.max_sge > 0 &&
		       limits.max_cq > 0 && limits.max_cqe > 0 && limits.max_mr > 0 &&
		       limits.max_pd > 0 && limits.max_ah > 0 && limits.max_qp_rd_atom > 0,
	       "a limit is 0");
	expect(limits.fw_ver[0] && !strchr(limits.fw_ver, '\n'), "fw_ver is '%s'", limits.fw_ver);
	expect_value(limits.node_guid, ibv_get_device_guid(context->device), "node_guid");
	expect_ok(ibv_query_device_ex(context, NULL, &ex), "query_device_ex");
	expect(!memcmp(&ex.orig_attr, &limits, sizeof(limits)),
	       "query_device_ex says something else than query_device");
	verdict("query_device (V3-112)");
}

/* V3-129 */
static void ports(void)
{
	struct ibv_port_attr attr;
	union ibv_gid gid;
	__be16 pkey = 0;
	int i;

	for (i = 1; i <= limits.phys_port_cnt; i++) {
		expect_ok(ibv_query_port(context, i, &attr), "query_port");
		expect_value(attr.link_layer, IBV_LINK_LAYER_INFINIBAND, "link_layer");
		expect(attr.gid_tbl_len > 0 && attr.pkey_tbl_len > 0, "a table is empty");
		expect_value(attr.max_mtu, IBV_MTU_4096, "max_mtu");
		expect_value(attr.max_msg_sz, 1u << 31, "max_msg_sz");
	}
	expect_error(ibv_query_port(context, 0, &attr), EINVAL, "port 0");
	expect_error(ibv_query_port(context, limits.phys_port_cnt + 1, &attr), EINVAL,
		     "one port too many");
	if (!expect_ok(ibv_query_port(context, 1, &port), "query_port"))
		give_up("query_port");
	expect(!ibv_query_gid(context, 1, 0, &gid) && gid.global.interface_id, "GID 0 is empty");
	expect(ibv_query_gid(context, 1, port.gid_tbl_len, &gid) < 0, "one GID too many");
	expect(!ibv_query_pkey(context, 1, 0, &pkey) && pkey == 0xffff, "P_Key 0 is %#x", pkey);
	expect(ibv_query_pkey(context, 1, port.pkey_tbl_len, &pkey) < 0, "one P_Key too many");
	verdict("query_port, query_gid, query_pkey (V3-118)");
}

/* --- protection domains ----------------------------------------------------------------------- */

static struct ibv_qp *make_qp(struct ibv_pd *in, struct ibv_cq *of, enum ibv_qp_type type)
{
	struct ibv_qp_init_attr init = {
		.send_cq = of,
		.recv_cq = of,
		.cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = type,
	};

	return ibv_create_qp(in, &init);
}

/* V3-198, V3-319, V3-320 */
static void protection_domains(void)
{
	struct ibv_ah_attr attr = { .dlid = 1, .port_num = 1 };
	struct ibv_pd *own = ibv_alloc_pd(context);
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	struct ibv_ah *ah;

	if (!expect_made(own, "alloc_pd"))
		give_up("alloc_pd");
	mr = ibv_reg_mr(own, memory, 4096, 0);
	if (expect_made(mr, "reg_mr")) {
		expect_error(ibv_dealloc_pd(own), EBUSY, "dealloc_pd with an MR in it");
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	}
	qp = make_qp(own, cq, IBV_QPT_RC);
	if (expect_made(qp, "create_qp")) {
		expect_error(ibv_dealloc_pd(own), EBUSY, "dealloc_pd with a queue pair in it");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	}
	ah = ibv_create_ah(own, &attr);
	if (expect_made(ah, "create_ah")) {
		/* B4-310 */
		expect_error(ibv_dealloc_pd(own), EBUSY, "dealloc_pd with an address handle in it");
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	}
	expect_ok(ibv_dealloc_pd(own), "dealloc_pd");
	verdict("a protection domain stays while it is used (V3-143)");
}

/* --- MRs ---------------------------------------------------------------------------------- */

#define LW IBV_ACCESS_LOCAL_WRITE
#define RW IBV_ACCESS_REMOTE_WRITE
#define RR IBV_ACCESS_REMOTE_READ
#define RA IBV_ACCESS_REMOTE_ATOMIC

/* V3-244, V3-340 */
static void mrs_with_rights(void)
{
	static const struct {
		int access, error;
	} row[] = {
		{ 0, 0 },	{ LW, 0 },	      { RR, 0 },      { LW | RR, 0 },
		{ LW | RW, 0 }, { LW | RW | RR, 0 }, { RW, EINVAL }, { RW | RR, EINVAL },
		{ RA, EINVAL }, { LW | RW | IBV_ACCESS_RELAXED_ORDERING, 0 },
	};
	struct ibv_mr *mr;
	unsigned int i;

	for (i = 0; i < COUNT(row); i++) {
		errno = 0;
		mr = ibv_reg_mr(pd, memory + 5, 10000, row[i].access);
		expect_error(mr ? 0 : errno, row[i].error, "reg_mr"); /* B4-284, R0-318, R0-323 */
		if (mr) {
			expect(mr->addr == memory + 5 && mr->length == 10000 && mr->pd == pd,
			       "it is not what was registered"); /* R0-007, R0-496, V3-246 */
			expect_ok(ibv_dereg_mr(mr), "dereg_mr");
		}
		verdict("%s MR with rights %#x", row[i].error ? "no" : "an",
			row[i].access);
	}
}

static void mr_refused(const char *what, void *addr, size_t length, int access, int error)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, addr, length, access);

	expect_refused(mr, error, "reg_mr");
	if (mr)
		ibv_dereg_mr(mr);
	verdict("no MR %s (R0-496, R0-509)", what);
}

static void mrs_refused(void)
{
	uint8_t *hole = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);

	if (hole == MAP_FAILED || munmap(hole + 4096, 4096) ||
	    mprotect(hole + 2 * 4096, 4096, PROT_READ))
		give_up("memory with a hole");
	mr_refused("of no octets", memory, 0, LW, EINVAL);
	mr_refused("with a hole", hole, 3 * 4096, LW, EFAULT);
	mr_refused("where nothing is", (void *)4096, 4096, LW, EFAULT);
	mr_refused("around the end of the address space", memory, SIZE_MAX - 100, LW, EINVAL);
	mr_refused("to be written, of memory that is not", hole + 2 * 4096, 4096, LW,
		   EFAULT); /* P1-203 */
	munmap(hole, 3 * 4096);
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/*
 * V3-343: registers the same memory many times; all keys differ, also when they are reused
 * (V3-242).
 */
static void many_mrs(void)
{
	enum { MANY = 500 };
	static struct ibv_mr *mr[MANY];
	static uint32_t key[2 * MANY];
	int i, round;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < MANY; i++) {
			mr[i] = ibv_reg_mr(pd, memory, sizeof(memory), LW | RW);
			if (!expect_made(mr[i], "reg_mr"))
				break;
			key[round * MANY + i] = mr[i]->rkey;
		}
		while (i--)
			expect_ok(ibv_dereg_mr(mr[i]), "dereg_mr");
	}
	qsort(key, COUNT(key), sizeof(key[0]), by_value);
	for (i = 1; i < (int)COUNT(key); i++)
		expect(key[i] != key[i - 1], "key %#x twice", key[i]);
	verdict("500 MRs of the same memory, twice, with as many keys (V3-242)");
}

static void mr_at_iova(void)
{
	struct ibv_mr *mr = ibv_reg_mr_iova(pd, memory, 8192, 0x123456789000, LW | RW);

	if (expect_made(mr, "reg_mr_iova"))
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	verdict("an MR at an address of one's choice");
}

/* --- completion queues ------------------------------------------------------------------------ */

/* V3-333, V3-296, V3-332 */
static void completion_queues(void)
{
	static const int sizes[] = { 1, 2, 3, 255, 256, 1000, 65536 };
	struct ibv_cq *own;
	struct ibv_wc wc;
	unsigned int i;

	for (i = 0; i < COUNT(sizes); i++) {
		own = ibv_create_cq(context, sizes[i], NULL, NULL, 0);
		if (!expect_made(own, "create_cq"))
			continue;
		/* B4-187 */
		expect(own->cqe >= sizes[i], "of %d entries: cqe is %d", sizes[i], own->cqe);
		expect_value(ibv_poll_cq(own, 1, &wc), 0, "completions in a new queue");
		expect_value(ibv_poll_cq(own, 0, &wc), 0, "completions when none are wanted");
		expect_ok(ibv_req_notify_cq(own, 0), "req_notify_cq");
		expect_ok(ibv_req_notify_cq(own, 1), "req_notify_cq");
		expect_ok(ibv_destroy_cq(own), "destroy_cq");
	}
	verdict("completion queues of 1 to 65536 entries (V3-222, R0-069, R0-099, R0-483, R0-505)");

	own = ibv_create_cq(context, limits.max_cqe, NULL, NULL, 0);
	if (expect_made(own, "create_cq"))
		expect_ok(ibv_destroy_cq(own), "destroy_cq");
	verdict("a completion queue of max_cqe, %d, entries", limits.max_cqe);

	own = ibv_create_cq(context, 0, NULL, NULL, 0);
	expect_refused(own, EINVAL, "of 0 entries");
	own = ibv_create_cq(context, -1, NULL, NULL, 0);
	expect_refused(own, EINVAL, "of -1 entries");
	own = ibv_create_cq(context, limits.max_cqe + 1, NULL, NULL, 0);
	expect_refused(own, EINVAL, "of one entry more than max_cqe");
	own = ibv_create_cq(context, 1, NULL, NULL, context->num_comp_vectors);
	expect_refused(own, EINVAL, "with one completion vector too many");
	own = ibv_create_cq(context, 1, NULL, NULL, -1);
	expect_refused(own, EINVAL, "with completion vector -1");
	verdict("completion queues that cannot be (R0-069, R0-096, R0-483)");
}

/* V3-198, V3-335 */
static void completion_channels(void)
{
	struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
	struct ibv_cq *own, *second;
	struct ibv_qp *qp;

	if (!expect_made(channel, "create_comp_channel"))
		give_up("create_comp_channel");
	own = ibv_create_cq(context, 16, &own, channel, 0);
	second = ibv_create_cq(context, 16, NULL, channel, 0);
	if (expect_made(own, "create_cq") && expect_made(second, "create_cq")) {
		/* R0-075, R0-484 */
		expect(own->channel == channel && own->cq_context == &own, "it is not as made");
		expect_error(ibv_destroy_comp_channel(channel), EBUSY,
			     "destroy_comp_channel in use"); /* R0-098 */
		qp = make_qp(pd, own, IBV_QPT_RC);
		if (expect_made(qp, "create_qp")) {
			/* R0-080, R0-486, V3-235 */
			expect_error(ibv_destroy_cq(own), EBUSY, "destroy_cq in use");
			expect_ok(ibv_destroy_qp(qp), "destroy_qp");
		}
		expect_ok(ibv_destroy_cq(own), "destroy_cq");
		expect_ok(ibv_destroy_cq(second), "destroy_cq");
	}
	expect_ok(ibv_destroy_comp_channel(channel), "destroy_comp_channel");
	verdict("completion channels and completion queues stay while they are used");
}

/* --- address handles -------------------------------------------------------------------------- */

static void handle(const char *what, struct ibv_ah_attr attr, int error)
{
	struct ibv_ah *ah;

	errno = 0;
	ah = ibv_create_ah(pd, &attr);
	expect_error(ah ? 0 : errno, error, "create_ah");
	if (ah) {
		expect(ah->pd == pd && ah->context == context, "it is not as made");
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	}
	verdict("%s address handle %s", error ? "no" : "an", what);
}

/* V3-323, V3-326 */
static void address_handles(void)
{
	struct ibv_ah_attr plain = { .dlid = 1, .port_num = 1 }, attr;
	struct ibv_ah_attr global = { .dlid = 1, .port_num = 1, .is_global = 1 };

	memset(&global.grh.dgid, 0xfe, sizeof(global.grh.dgid));
	handle("by LID", plain, 0); /* B4-307 */
	handle("by GID", global, 0);
	attr = plain;
	attr.port_num = 0;
	handle("at port 0", attr, EINVAL);
	attr.port_num = limits.phys_port_cnt + 1;
	handle("at one port too many", attr, EINVAL);
	attr = plain;
	attr.sl = 15;
	handle("of service level 15", attr, 0);
	attr.sl = 16;
	handle("of service level 16", attr, EINVAL);
	attr = plain;
	attr.src_path_bits = 127;
	handle("with path bits 127", attr, 0);
	attr.src_path_bits = 128;
	handle("with path bits 128", attr, EINVAL);
	attr = plain;
	attr.static_rate = IBV_RATE_2_5_GBPS;
	handle("at 2.5 Gb/s", attr, 0);
	attr.static_rate = 1;
	handle("at a reserved rate", attr, EINVAL);
	attr.static_rate = 200;
	handle("at rate 200", attr, EINVAL);
	attr = global;
	attr.grh.sgid_index = port.gid_tbl_len - 1;
	handle("from the last GID", attr, 0);
	attr.grh.sgid_index = port.gid_tbl_len;
	handle("from one GID too many", attr, EINVAL);
	attr = global;
	attr.grh.flow_label = 0xfffff;
	handle("with the largest flow label", attr, 0);
	attr.grh.flow_label = 0x100000;
	handle("with a larger flow label", attr, EINVAL);
}

/* --- queue pairs ------------------------------------------------------------------------------ */

static bool cap_covers(const struct ibv_qp_cap *cap, const struct ibv_qp_cap *wanted)
{
	return cap->max_send_wr >= wanted->max_send_wr && cap->max_recv_wr >= wanted->max_recv_wr &&
	       cap->max_send_sge >= wanted->max_send_sge &&
	       cap->max_recv_sge >= wanted->max_recv_sge &&
	       cap->max_inline_data >= wanted->max_inline_data;
}

static void expect_as_made(struct ibv_qp *qp, const struct ibv_qp_init_attr *made)
{
	struct ibv_qp_init_attr init = {};
	struct ibv_qp_attr attr = {};

	if (!expect_ok(ibv_query_qp(qp, &attr, IBV_QP_STATE | IBV_QP_CAP, &init), "query_qp"))
		return;
	expect_value(attr.qp_state, IBV_QPS_RESET, "state");
	expect_value(init.qp_type, made->qp_type, "type");
	expect_value(init.sq_sig_all, made->sq_sig_all, "sq_sig_all");
	/* B4-189 */
	expect(init.send_cq == made->send_cq && init.recv_cq == made->recv_cq, "other CQs");
	expect(!memcmp(&init.cap, &made->cap, sizeof(init.cap)) &&
		       !memcmp(&attr.cap, &made->cap, sizeof(attr.cap)),
	       "query_qp says other capabilities than create_qp");
}

/* V3-171, V3-221, V3-329, V3-327 */
static void queue_pairs(enum ibv_qp_type type)
{
	static const struct ibv_qp_cap caps[] = {
		{ 1, 1, 1, 1, 0 },    { 16, 32, 4, 2, 64 },   { 100, 1000, 1, 32, 256 },
		{ 0, 16, 0, 1, 0 },   { 16, 0, 1, 0, 0 },     { 0, 0, 0, 0, 0 },
		{ 7, 9, 32, 32, 1 },  { 4096, 4096, 3, 3, 0 }, { 5, 5, 0, 0, 100 },
	};
	unsigned int i;

	for (i = 0; i < COUNT(caps); i++) {
		struct ibv_qp_init_attr init = {
			.send_cq = cq,
			.recv_cq = cq,
			.cap = caps[i],
			.qp_type = type,
			.sq_sig_all = i % 2,
		};
		struct ibv_qp *qp = ibv_create_qp(pd, &init);

		if (expect_made(qp, "create_qp")) {
			/* B4-216 */
			expect(qp->qp_num > 1 && qp->qp_num < 1 << 24, "QP number %u", qp->qp_num);
			expect_value(qp->state, IBV_QPS_RESET, "state");
			/* B4-216 */
			expect(cap_covers(&init.cap, &caps[i]), "it has less than was asked for");
			expect_as_made(qp, &init);
			expect_ok(ibv_destroy_qp(qp), "destroy_qp");
		}
		verdict("%s queue pair of %u and %u requests, %u and %u pieces, %u octets inline "
			"(V3-170, V3-173, R0-113, R0-114, R0-120)",
			type == IBV_QPT_RC ? "RC" : "UD", caps[i].max_send_wr, caps[i].max_recv_wr,
			caps[i].max_send_sge, caps[i].max_recv_sge, caps[i].max_inline_data);
	}
}

static void queue_pair_refused(const char *what, struct ibv_qp_init_attr init, int error)
{
	struct ibv_qp *qp;

	init.send_cq = init.recv_cq = cq;
	qp = ibv_create_qp(pd, &init);
	expect_refused(qp, error, "create_qp");
	if (qp)
		ibv_destroy_qp(qp);
	verdict("no queue pair %s (R0-112, R0-491)", what);
}

/* V3-298 */
static void queue_pairs_refused(void)
{
	static const struct ibv_qp_init_attr good = {
		.cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_qp_init_attr init;

	init = good;
	init.cap.max_send_wr = limits.max_qp_wr + 1;
	queue_pair_refused("of more send requests than max_qp_wr", init, EINVAL);
	init = good;
	init.cap.max_recv_wr = limits.max_qp_wr + 1;
	queue_pair_refused("of more receive requests than max_qp_wr", init, EINVAL);
	init = good;
	init.cap.max_send_wr = UINT32_MAX;
	queue_pair_refused("of 2^32 - 1 send requests", init, EINVAL);
	init = good;
	init.cap.max_send_sge = limits.max_sge + 1;
	queue_pair_refused("of more pieces to send than max_sge", init, EINVAL);
	init = good;
	init.cap.max_recv_sge = limits.max_sge + 1;
	queue_pair_refused("of more pieces to receive than max_sge", init, EINVAL);
	init = good;
	init.cap.max_inline_data = 1 << 20;
	queue_pair_refused("of a MiB of inline data", init, EINVAL);
	init = good;
	init.qp_type = IBV_QPT_RAW_PACKET;
	queue_pair_refused("for raw packets", init, EOPNOTSUPP);
}

/* V3-330 */
static void many_queue_pairs(void)
{
	enum { MANY = 200 };
	static struct ibv_qp *qp[MANY];
	static uint32_t number[2 * MANY];
	int i, round;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < MANY; i++) {
			qp[i] = make_qp(pd, cq, i % 2 ? IBV_QPT_RC : IBV_QPT_UD);
			if (!expect_made(qp[i], "create_qp"))
				break;
			number[round * MANY + i] = qp[i]->qp_num;
		}
		while (i--)
			expect_ok(ibv_destroy_qp(qp[i]), "destroy_qp");
	}
	qsort(number, COUNT(number), sizeof(number[0]), by_value);
	for (i = 1; i < (int)COUNT(number); i++)
		expect(number[i] != number[i - 1], "QP number %u twice", number[i]);
	verdict("200 queue pairs, twice, with as many numbers (V3-201, R0-118)");
}

/* Counts the rings that are mapped; they are mapped while their queues exist. */
static int mapped_rings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[PATH_MAX + 128];
	int n = 0;

	while (maps && fgets(line, sizeof(line), maps))
		n += strstr(line, "[hca_ring]") != NULL;
	if (maps)
		fclose(maps);
	return n;
}

/* V3-148 */
static void rings(void)
{
	int before = mapped_rings();
	struct ibv_cq *own = ibv_create_cq(context, 16, NULL, NULL, 0);
	struct ibv_qp *qp = own ? make_qp(pd, own, IBV_QPT_RC) : NULL;

	if (expect_made(own, "create_cq") && expect_made(qp, "create_qp")) {
		expect_value(mapped_rings(), before + 3, "rings in memory");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
		expect_ok(ibv_destroy_cq(own), "destroy_cq");
	}
	expect_value(mapped_rings(), before, "rings in memory afterwards");
	verdict("rings are mapped as long as their queues exist (V3-200, V3-224)");
}

/* Closing a context destroys the objects that the process has not destroyed. */
static void removed(void)
{
	struct ibv_context *other = must_open(name);
	struct ibv_pd *own = ibv_alloc_pd(other);
	struct ibv_cq *own_cq = ibv_create_cq(other, 16, NULL, NULL, 0);
	int i;

	if (expect_made(own, "alloc_pd") && expect_made(own_cq, "create_cq")) {
		expect_made(ibv_reg_mr(own, memory, sizeof(memory), LW), "reg_mr");
		for (i = 0; i < 10; i++)
			expect_made(make_qp(own, own_cq, IBV_QPT_RC), "create_qp");
	}
	expect_ok(ibv_close_device(other), "close_device");
	verdict("a context is closed with objects in it");
}

int main(int argc, char **argv)
{
	name = argc > 1 ? argv[1] : "hca0";
	context = must_open(name);
	device();
	ports();
	contexts();
	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 256, NULL, NULL, 0);
	if (!pd || !cq)
		give_up("a protection domain and a completion queue");

	protection_domains();
	mrs_with_rights();
	mrs_refused();
	many_mrs();
	mr_at_iova();
	completion_queues();
	completion_channels();
	address_handles();
	queue_pairs(IBV_QPT_RC);
	queue_pairs(IBV_QPT_UD);
	queue_pairs_refused();
	many_queue_pairs();
	rings();
	removed();

	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	expect_ok(ibv_close_device(context), "close_device");
	verdict("everything is given back");
	return lab_status();
}
