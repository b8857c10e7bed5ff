// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_objects [DEVICE [hold]]
 * Checks objects of direct verbs: reliable datagram domains, EE contexts and queue pairs of hca's
 * own types are created, used wrongly, kept while they are in use, and destroyed. With `hold`, the
 * program creates some of each, prints that, and waits for events until it is killed. Runs in the
 * guest; ports may be in any state.
 */
#include "verbs_lab.h"
#include <infiniband/hcadv.h>
#include <linux/capability.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#define QKEY 0x11111111
#define MANY 100
#define MLID 0xc066

static const union ibv_gid mgid = { .raw = { 0xff, 0x12, [15] = 0x66 } };
static const char *name;
static struct ibv_context *context, *other_context; /* two contexts of one device */
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct hcadv_rdd *rdd;
static struct hcadv_device_attr limits;

static struct ibv_qp *make_ops(enum hcadv_qp_type type, struct hcadv_rdd *in, uint64_t ops)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_DRIVER,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = pd,
		.send_ops_flags = ops,
	};
	const struct hcadv_qp_init_attr hca_attr = { .type = type, .rdd = in };

	return hcadv_create_qp(context, &attr, &hca_attr);
}

static struct ibv_qp *make_qp(enum hcadv_qp_type type, struct hcadv_rdd *in)
{
	return make_ops(type, in, IBV_QP_EX_WITH_SEND);
}

static void refused(enum hcadv_qp_type type, struct hcadv_rdd *in, int error, const char *what)
{
	struct ibv_qp *qp = make_qp(type, in);

	expect_refused(qp, error, what);
	if (qp)
		ibv_destroy_qp(qp);
}

/* --- devices ---------------------------------------------------------------------------------- */

/* V3-121, V3-177 */
static void device(void)
{
	struct ibv_device_attr attr;

	expect(hcadv_is_supported(context->device), "hcadv_is_supported() says no");
	expect_ok(hcadv_query_device(context, &limits), "query_device");
	expect_ok(ibv_query_device(context, &attr), "query_device");
	expect(limits.caps & HCADV_CAP_RD && limits.max_rdd && limits.max_eec && limits.max_rd_qp,
	       "there are no reliable datagrams"); /* C4-001 */
	expect(limits.caps & HCADV_CAP_RAW_IPV6 && limits.caps & HCADV_CAP_RAW_ETHERTYPE,
	       "there are no raw datagrams"); /* C4-057 */
	expect(attr.device_cap_flags & IBV_DEVICE_RAW_MULTI, "raw queue pairs have no groups");
	expect(attr.max_raw_ipv6_qp && attr.max_raw_ethy_qp, "there are no raw queue pairs");
	expect(attr.device_cap_flags & IBV_DEVICE_CHANGE_PHY_PORT, "a port stays in SQD");
	expect_value(limits.max_eec, attr.max_ee, "max_eec");
	expect_value(limits.max_rdd, attr.max_rdd, "max_rdd");
	limits.comp_mask = 1;
	expect_error(hcadv_query_device(context, &limits), EINVAL, "a field that there is not");
	limits.comp_mask = 0;
	verdict("the device, and what it has (C4-058, V3-114, V3-116, V3-117)");
}

/* --- domains ---------------------------------------------------------------------------------- */

/* V3-151 */
static void domains(void)
{
	struct hcadv_rdd *some[MANY], bogus = { .context = context, .handle = 0xffffff };
	struct hcadv_eec *eec;
	struct ibv_qp *qp;
	int i;

	for (i = 0; i < MANY; i++)
		expect_made(some[i] = hcadv_alloc_rdd(context), "alloc_rdd");
	for (i = 0; i < MANY; i++)
		if (some[i])
			expect_ok(hcadv_dealloc_rdd(some[i]), "dealloc_rdd");
	expect_error(hcadv_dealloc_rdd(&bogus), ENOENT, "a handle that there is not");
	bogus.context = other_context;
	bogus.handle = rdd->handle;
	expect_error(hcadv_dealloc_rdd(&bogus), ENOENT, "another context's handle");
	verdict("domains come and go (V3-321, V3-322)");

	eec = hcadv_create_eec(rdd);
	expect_made(eec, "create_eec");
	expect_error(hcadv_dealloc_rdd(rdd), EBUSY, "dealloc_rdd with an EE context in it");
	if (eec)
		expect_ok(hcadv_destroy_eec(eec), "destroy_eec");
	qp = make_qp(HCADV_QPT_RD, rdd);
	expect_made(qp, "create_qp");
	expect_error(hcadv_dealloc_rdd(rdd), EBUSY, "dealloc_rdd with a queue pair in it");
	if (qp)
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	expect_ok(hcadv_dealloc_rdd(rdd), "dealloc_rdd");
	rdd = hcadv_alloc_rdd(context);
	if (!expect_made(rdd, "alloc_rdd"))
		give_up("a domain");
	verdict("a domain stays while somebody is in it (V3-152, B4-213)");
}

/* --- EE contexts ------------------------------------------------------------------------------ */

static const struct ibv_qp_attr to_init = {
	.qp_state = IBV_QPS_INIT,
	.port_num = 1,
};
#define TO_INIT (IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT)

static const struct ibv_qp_attr to_rtr = {
	.qp_state = IBV_QPS_RTR,
	.path_mtu = IBV_MTU_1024,
	.dest_qp_num = 0x123456,
	.rq_psn = 0xabcdef,
	.max_dest_rd_atomic = 3,
	.min_rnr_timer = 7,
	.ah_attr = {
		.dlid = 0x1234,
		.sl = 3,
		.port_num = 1,
		.is_global = 1,
		.grh = { .hop_limit = 9, .traffic_class = 8, .flow_label = 0x54321,
			 .dgid.raw = { 0xfe, 0x80, [15] = 1 } },
	},
};
#define TO_RTR                                                                                     \
	(IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |            \
	 IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)

static const struct ibv_qp_attr to_rts = {
	.qp_state = IBV_QPS_RTS,
	.sq_psn = 0x13579b,
	.timeout = 14,
	.retry_cnt = 6,
	.rnr_retry = 5,
	.max_rd_atomic = 2,
};
#define TO_RTS                                                                                     \
	(IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |     \
	 IBV_QP_MAX_QP_RD_ATOMIC)

static const struct ibv_qp_attr to_error = { .qp_state = IBV_QPS_ERR };
static const struct ibv_qp_attr to_reset = { .qp_state = IBV_QPS_RESET };

static int modify(struct hcadv_eec *eec, struct ibv_qp_attr attr, int mask)
{
	return hcadv_modify_eec(eec, &attr, mask);
}

static struct ibv_qp_attr query(struct hcadv_eec *eec)
{
	struct ibv_qp_attr attr;

	memset(&attr, 0xee, sizeof(attr));
	expect_ok(hcadv_query_eec(eec, &attr, ~0), "query_eec");
	return attr;
}

/* V3-337, V3-338 */
static void eec_states(struct hcadv_eec *eec)
{
	const struct ibv_ah_attr *ah = &to_rtr.ah_attr;
	struct ibv_qp_attr attr;

	expect_value(query(eec).qp_state, IBV_QPS_RESET, "the state of a new one");
	expect_ok(modify(eec, to_init, TO_INIT), "to INIT");
	expect_value(query(eec).port_num, 1, "port_num");
	expect_ok(modify(eec, to_rtr, TO_RTR), "to RTR");
	expect_ok(modify(eec, to_rts, TO_RTS), "to RTS");
	attr = query(eec);
	expect_value(attr.qp_state, IBV_QPS_RTS, "qp_state");
	expect_value(attr.path_mtu, IBV_MTU_1024, "path_mtu");
	expect_value(attr.dest_qp_num, to_rtr.dest_qp_num, "dest_qp_num");
	expect_value(attr.rq_psn, to_rtr.rq_psn, "rq_psn");
	expect_value(attr.sq_psn, to_rts.sq_psn, "sq_psn");
	expect_value(attr.max_dest_rd_atomic, 3, "max_dest_rd_atomic");
	expect_value(attr.max_rd_atomic, 2, "max_rd_atomic");
	expect_value(attr.min_rnr_timer, 7, "min_rnr_timer");
	expect_value(attr.timeout, 14, "timeout");
	expect_value(attr.retry_cnt, 6, "retry_cnt");
	expect_value(attr.rnr_retry, 5, "rnr_retry");
	expect(attr.ah_attr.dlid == ah->dlid && attr.ah_attr.sl == ah->sl &&
		       attr.ah_attr.port_num == 1 && attr.ah_attr.is_global &&
		       attr.ah_attr.grh.flow_label == ah->grh.flow_label &&
		       attr.ah_attr.grh.hop_limit == 9 && attr.ah_attr.grh.traffic_class == 8 &&
		       !memcmp(&attr.ah_attr.grh.dgid, &ah->grh.dgid, 16),
	       "another path than was set");
	expect_ok(modify(eec, to_error, IBV_QP_STATE), "to ERR");
	expect_value(query(eec).qp_state, IBV_QPS_ERR, "qp_state");
	expect_error(modify(eec, to_init, TO_INIT), EINVAL, "from ERR to INIT");
	expect_ok(modify(eec, to_reset, IBV_QP_STATE), "to RESET");
	expect_value(query(eec).qp_state, IBV_QPS_RESET, "qp_state");
	verdict("an EE context goes through its states, and keeps what is set (C4-013, C4-036)");
}

static void eec_mistakes(struct hcadv_eec *eec)
{
	struct ibv_qp_attr attr;

	expect_error(modify(eec, to_init, IBV_QP_STATE | IBV_QP_PORT), EINVAL, "without a P_Key");
	expect_error(modify(eec, to_init, TO_INIT | IBV_QP_QKEY), EINVAL, "a Q_Key");
	expect_error(modify(eec, to_init, TO_INIT | IBV_QP_ACCESS_FLAGS), EINVAL, "access rights");
	expect_error(modify(eec, to_init, TO_INIT | 1 << 30), EINVAL, "an attribute there is not");
	expect_error(modify(eec, to_rtr, TO_RTR), EINVAL, "from RESET to RTR");
	attr = to_init;
	attr.port_num = 200;
	expect_error(modify(eec, attr, TO_INIT), EINVAL, "port 200");
	attr = to_init;
	attr.qp_state = IBV_QPS_SQE;
	expect_error(modify(eec, attr, IBV_QP_STATE), EINVAL, "to SQE");
	attr.qp_state = 256;
	expect_error(modify(eec, attr, IBV_QP_STATE), EINVAL, "a state that there is not");
	expect_value(query(eec).qp_state, IBV_QPS_RESET, "the state after all that");
	expect_ok(modify(eec, to_init, TO_INIT), "to INIT");
	attr = to_rtr;
	attr.ah_attr.sl = 16;
	expect_error(modify(eec, attr, TO_RTR), EINVAL, "service level 16");
	attr = to_rtr;
	attr.ah_attr.port_num = 200;
	expect_error(modify(eec, attr, TO_RTR), EINVAL, "a path by port 200");
	attr = to_rtr;
	attr.path_mtu = 257;
	expect_error(modify(eec, attr, TO_RTR), EINVAL, "an MTU that there is not");
	expect_value(query(eec).qp_state, IBV_QPS_INIT, "the state after all that");
	verdict("an EE context takes no wrong attributes (B4-219, B4-403)");
}

/* V3-204 */
static void eecs(void)
{
	struct hcadv_rdd bogus = { .context = context, .handle = 0xffffff };
	struct hcadv_eec *one = hcadv_create_eec(rdd), *other = hcadv_create_eec(rdd), gone;

	if (!expect_made(one, "create_eec") || !expect_made(other, "create_eec"))
		give_up("EE contexts");
	expect(one->eecn != other->eecn && one->eecn < 1 << 24 && other->eecn < 1 << 24,
	       "numbers %#x and %#x", one->eecn, other->eecn);
	expect_refused(hcadv_create_eec(&bogus), ENOENT, "a domain that there is not");
	bogus = (struct hcadv_rdd){ .context = other_context, .handle = rdd->handle };
	expect_refused(hcadv_create_eec(&bogus), ENOENT, "another context's domain");
	gone = *other;
	gone.context = other_context;
	expect_error(modify(&gone, to_init, TO_INIT), ENOENT, "another context's EE context");
	expect_ok(hcadv_destroy_eec(other), "destroy_eec");
	gone.context = context;
	expect_error(modify(&gone, to_init, TO_INIT), ENOENT, "one that has gone");
	expect_error(hcadv_destroy_eec(&gone), ENOENT, "one that has gone");
	verdict("EE contexts come and go (V3-336, V3-339)");

	eec_states(one);
	eec_mistakes(one);
	expect_ok(hcadv_destroy_eec(one), "destroy_eec");
	verdict("an EE context goes in any state");
}

/*
 * EE contexts are created in this many contexts of the device; each may have a quarter of the
 * device's.
 */
#define SHARES 5

/* Creates as many EE contexts as the device has at once, and expects that one more fails. */
static void eec_limit(void)
{
	struct hcadv_eec **all = calloc(limits.max_eec + 1, sizeof(*all));
	struct ibv_context *opened[SHARES];
	struct hcadv_rdd *in[SHARES];
	uint32_t n = 0, i;

	for (i = 0; i < SHARES; i++) {
		opened[i] = must_open(name);
		in[i] = hcadv_alloc_rdd(opened[i]);
		if (!expect_made(in[i], "alloc_rdd"))
			give_up("a domain of another context");
		while (all && n <= limits.max_eec && (all[n] = hcadv_create_eec(in[i])))
			n++;
		expect_error(errno, ENOMEM, "one too many");
	}
	expect_value(n, limits.max_eec, "how many there may be");
	for (i = 0; i < n; i++)
		expect_ok(hcadv_destroy_eec(all[i]), "destroy_eec");
	for (i = 0; i < SHARES; i++) {
		expect_ok(hcadv_dealloc_rdd(in[i]), "dealloc_rdd");
		expect_ok(ibv_close_device(opened[i]), "close_device");
	}
	free(all);
	verdict("there are as many EE contexts as query_device says, and no more (V3-112)");
}

/* --- queue pairs ------------------------------------------------------------------------------ */

static void qp_mistakes(void)
{
	struct hcadv_rdd bogus = { .context = context, .handle = 0xffffff };
	struct hcadv_qp_init_attr hca_attr = { .type = HCADV_QPT_RD, .rdd = rdd };
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.qp_type = IBV_QPT_UD,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};

	refused(HCADV_QPT_RD, NULL, EINVAL, "RD without a domain");
	refused(HCADV_QPT_RAW_IPV6, rdd, EINVAL, "raw IPv6 with a domain");
	refused(0, NULL, EOPNOTSUPP, "type 0");
	refused(4, NULL, EOPNOTSUPP, "type 4");
	refused(HCADV_QPT_RD, &bogus, ENOENT, "a domain that there is not");
	bogus = (struct hcadv_rdd){ .context = other_context, .handle = rdd->handle };
	refused(HCADV_QPT_RD, &bogus, EINVAL, "another context's domain");
	expect_refused(make_ops(HCADV_QPT_RAW_IPV6, NULL, IBV_QP_EX_WITH_RDMA_WRITE), EOPNOTSUPP,
		       "raw writes");
	expect_refused(make_ops(HCADV_QPT_RAW_ETHERTYPE, NULL, IBV_QP_EX_WITH_SEND_WITH_IMM),
		       EOPNOTSUPP, "raw immediate data");
	expect_refused(make_ops(HCADV_QPT_RD, rdd, IBV_QP_EX_WITH_SEND_WITH_INV), EOPNOTSUPP,
		       "a Send with invalidate by RD");
	expect_refused(hcadv_create_qp(context, &attr, &hca_attr), EINVAL, "a UD queue pair");
	attr.qp_type = IBV_QPT_DRIVER;
	hca_attr.comp_mask = 1 << 5;
	expect_refused(hcadv_create_qp(context, &attr, &hca_attr), EOPNOTSUPP,
		       "a field that there is not");
	hca_attr.comp_mask = HCADV_QP_INIT_ATTR_FLAGS;
	hca_attr.flags = 1 << 5;
	expect_refused(hcadv_create_qp(context, &attr, &hca_attr), EOPNOTSUPP,
		       "a flag that there is not");
	expect_refused(ibv_create_qp_ex(context, &attr), EINVAL, "a driver's type, plainly");
	verdict("queue pairs that there are not (V3-172, B4-243)");
}

static struct ib_uverbs_attr value(uint16_t id, uint16_t length, uint64_t data)
{
	return (struct ib_uverbs_attr){
		.attr_id = id,
		.len = length,
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = data,
	};
}

/*
 * Creates a queue pair by uverbs with a driver's part of @length octets; @answer is where the
 * driver's part of the response goes. Return: 0 or an errno.
 */
static int create_answered(const void *part, uint16_t length, struct hca_create_qp_resp *answer)
{
	struct ib_uverbs_qp_cap cap = { .max_send_wr = 1, .max_send_sge = 1 };
	uint32_t qpn;
	const struct ib_uverbs_attr attrs[] = {
		value(UVERBS_ATTR_CREATE_QP_HANDLE, 0, 0),
		value(UVERBS_ATTR_CREATE_QP_PD_HANDLE, 0, pd->handle),
		value(UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, 0, cq->handle),
		value(UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, 0, cq->handle),
		value(UVERBS_ATTR_CREATE_QP_USER_HANDLE, 8, 0),
		value(UVERBS_ATTR_CREATE_QP_CAP, sizeof(cap), (uintptr_t)&cap),
		value(UVERBS_ATTR_CREATE_QP_TYPE, 8, IBV_QPT_DRIVER),
		value(UVERBS_ATTR_CREATE_QP_RESP_CAP, sizeof(cap), (uintptr_t)&cap),
		value(UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, sizeof(qpn), (uintptr_t)&qpn),
		value(UVERBS_ATTR_UHW_OUT, sizeof(*answer), (uintptr_t)answer),
		value(UVERBS_ATTR_UHW_IN, length, (uintptr_t)part),
	};
	struct {
		struct ib_uverbs_ioctl_hdr header;
		struct ib_uverbs_attr attrs[COUNT(attrs)];
	} cmd = {
		.header = {
			.length = sizeof(cmd),
			.object_id = UVERBS_OBJECT_QP,
			.method_id = UVERBS_METHOD_QP_CREATE,
			.num_attrs = COUNT(attrs),
		},
	};

	memcpy(cmd.attrs, attrs, sizeof(attrs));
	if (length <= 8) /* uverbs passes short parts inline */
		memcpy(&cmd.attrs[COUNT(attrs) - 1].data, part, length);
	return ioctl(context->cmd_fd, RDMA_VERBS_IOCTL, &cmd) ? errno : 0;
}

static int create_by_hand(const void *part, uint16_t length)
{
	struct hca_create_qp_resp resp;

	return create_answered(part, length, &resp);
}

/* V3-303; V3-300: what the process cannot be told of is not made. */
static void driver_parts(void)
{
	uint32_t good[4] = { HCA_DRIVER_QP_RD, rdd->handle };
	const uint32_t longer[4] = { HCA_DRIVER_QP_RD, rdd->handle, 0, 1 };
	const uint32_t wild[2] = { 0xffffffff, rdd->handle };

	expect_error(create_by_hand(good, 4), EINVAL, "half a part");
	expect_error(create_by_hand(longer, sizeof(longer)), EOPNOTSUPP, "something beyond it");
	expect_error(create_by_hand(wild, sizeof(wild)), EOPNOTSUPP, "a wild type");
	expect_error(create_answered(good, 8, NULL), EFAULT, "nowhere for the response");
	expect_ok(hcadv_dealloc_rdd(rdd), "dealloc_rdd, without queue pairs");
	rdd = hcadv_alloc_rdd(context);
	if (!expect_made(rdd, "alloc_rdd"))
		give_up("a domain");
	good[1] = rdd->handle;
	expect_ok(create_by_hand(good, sizeof(good)), "nothing beyond it");
	expect_ok(create_by_hand(good, 8), "all of it");
	expect_error(hcadv_dealloc_rdd(rdd), EBUSY, "dealloc_rdd, with queue pairs nobody knows");
	verdict("the driver's part of create QP is looked at");
}

/* Sets CAP_NET_RAW of this thread. Return: 0 or an errno. */
static int set_net_raw(bool on)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return errno;
	if (on)
		data[0].effective |= 1u << CAP_NET_RAW;
	else
		data[0].effective &= ~(1u << CAP_NET_RAW);
	return syscall(SYS_capset, &header, data) ? errno : 0;
}

static void privilege(void)
{
	struct ibv_qp *raw = make_qp(HCADV_QPT_RAW_IPV6, NULL), *qp;

	expect_made(raw, "a raw queue pair");
	expect_ok(set_net_raw(false), "capset");
	if (raw) {
		expect_error(hcadv_attach_mcast(raw, &mgid, MLID), EPERM, "attach_mcast");
		expect_ok(ibv_destroy_qp(raw), "destroy_qp");
	}
	refused(HCADV_QPT_RAW_IPV6, NULL, EPERM, "raw IPv6");
	refused(HCADV_QPT_RAW_ETHERTYPE, NULL, EPERM, "raw EtherType");
	qp = make_qp(HCADV_QPT_RD, rdd);
	if (expect_made(qp, "an RD queue pair"))
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	expect_ok(set_net_raw(true), "capset");
	verdict("raw queue pairs and their groups are for those with CAP_NET_RAW");
}

static int qp_modify(struct ibv_qp *qp, enum ibv_qp_state state, int mask)
{
	struct ibv_qp_attr attr = {
		.qp_state = state,
		.port_num = 1,
		.qkey = QKEY,
		.qp_access_flags = IBV_ACCESS_REMOTE_READ,
	};

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE | mask);
}

#define RD_INIT (IBV_QP_QKEY | IBV_QP_ACCESS_FLAGS)

/*
 * Checks which attributes each state accepts; @init: those that Init needs, @other: those of other
 * types only.
 */
static void qp_states(struct ibv_qp *qp, int init, int other)
{
	struct ibv_qp_attr attr;
	struct ibv_qp_init_attr query_init;

	expect_error(qp_modify(qp, IBV_QPS_INIT, 0), EINVAL, "to INIT with nothing");
	expect_error(qp_modify(qp, IBV_QPS_INIT, init | other), EINVAL, "to INIT with too much");
	expect_error(qp_modify(qp, IBV_QPS_RTR, 0), EINVAL, "from RESET to RTR");
	expect_ok(qp_modify(qp, IBV_QPS_INIT, init), "to INIT");
	expect_error(qp_modify(qp, IBV_QPS_RTR, IBV_QP_DEST_QPN), EINVAL, "with a peer");
	expect_error(qp_modify(qp, IBV_QPS_RTR, IBV_QP_AV), EINVAL, "with a path");
	expect_ok(qp_modify(qp, IBV_QPS_RTR, 0), "to RTR");
	expect_error(qp_modify(qp, IBV_QPS_RTS, IBV_QP_SQ_PSN), EINVAL, "with a PSN");
	expect_ok(qp_modify(qp, IBV_QPS_RTS, 0), "to RTS");
	expect_ok(ibv_query_qp(qp, &attr, IBV_QP_STATE, &query_init), "query_qp");
	expect_value(attr.qp_state, IBV_QPS_RTS, "qp_state");
	expect_value(query_init.qp_type, IBV_QPT_DRIVER, "qp_type");
	if (init & IBV_QP_QKEY)
		expect_value(attr.qkey, QKEY, "qkey");
	else
		expect_value(attr.port_num, 1, "port_num");
	expect_ok(qp_modify(qp, IBV_QPS_ERR, 0), "to ERR");
	expect_error(qp_modify(qp, IBV_QPS_INIT, init), EINVAL, "from ERR to INIT");
	expect_ok(qp_modify(qp, IBV_QPS_RESET, 0), "to RESET");
}

/* A request is refused in a state that does not allow it, and flushed in Error. */
static void qp_posting(struct ibv_qp *qp, int init)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);
	struct ibv_recv_wr recv = { .wr_id = 7 }, *bad_recv;
	struct ibv_send_wr send = { .opcode = IBV_WR_SEND }, *bad_send;
	struct hcadv_wc wc[2];

	expect(ex && hcadv_qp_ex_from_ibv_qp_ex(ex), "no way to post");
	expect_error(ibv_post_recv(qp, &recv, &bad_recv), EINVAL, "post_recv in RESET");
	expect_ok(qp_modify(qp, IBV_QPS_INIT, init), "to INIT");
	expect_ok(ibv_post_recv(qp, &recv, &bad_recv), "post_recv in INIT");
	expect_error(ibv_post_send(qp, &send, &bad_send), EINVAL, "post_send, with no address");
	ibv_wr_start(ex);
	ibv_wr_send(ex);
	expect_error(ibv_wr_complete(ex), EINVAL, "a send in INIT");
	expect_ok(qp_modify(qp, IBV_QPS_ERR, 0), "to ERR");
	memset(wc, 0xee, sizeof(wc));
	expect_value(hcadv_poll_cq(cq, 2, wc), 1, "completions");
	expect_wc(&wc[0].wc, 7, IBV_WC_WR_FLUSH_ERR);
	expect_value(hcadv_poll_cq(cq, 2, wc), 0, "more completions");
	expect_error(ibv_post_send(qp, &send, &bad_send), EINVAL, "post_send in ERR");
}

/* A queue pair refuses the address of another type. */
static void qp_addresses(struct ibv_qp *qp, enum hcadv_qp_type type)
{
	struct ibv_ah_attr path = { .dlid = 1, .port_num = 1 };
	struct ibv_ah *ah = ibv_create_ah(pd, &path);
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);
	struct hcadv_qp_ex *dv = hcadv_qp_ex_from_ibv_qp_ex(ex);

	ibv_wr_start(ex);
	ibv_wr_send(ex);
	if (type == HCADV_QPT_RD)
		hcadv_wr_set_raw(dv, ah, 0x88b5);
	else
		hcadv_wr_set_rd(dv, 1, 2, QKEY);
	expect_error(ibv_wr_complete(ex), EINVAL, "another type's address");
	ibv_wr_start(ex);
	ibv_wr_send(ex);
	ibv_wr_set_ud_addr(ex, ah, 2, QKEY);
	expect_error(ibv_wr_complete(ex), EINVAL, "a UD address");
	if (expect_made(ah, "create_ah"))
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
}

/* C4-064: the queues are as large as make_qp() wants them. */
static void qp_sizes(struct ibv_qp *qp)
{
	struct ibv_qp_init_attr init = {};
	struct ibv_qp_attr attr;

	expect_ok(ibv_query_qp(qp, &attr, IBV_QP_CAP, &init), "query_qp");
	expect(init.cap.max_send_wr >= 8 && init.cap.max_recv_wr >= 8 && init.cap.max_send_sge &&
		       init.cap.max_recv_sge,
	       "the queues are smaller");
}

static void queue_pairs(void)
{
	static const struct {
		enum hcadv_qp_type type;
		int init, other;
		const char *name;
	} types[] = {
		{ HCADV_QPT_RD, RD_INIT, IBV_QP_PORT, "RD (C4-015, C4-018)" },
		{ HCADV_QPT_RAW_IPV6, IBV_QP_PORT, IBV_QP_QKEY, "raw IPv6 (B4-416)" },
		{ HCADV_QPT_RAW_ETHERTYPE, IBV_QP_PORT, IBV_QP_PKEY_INDEX,
		  "raw EtherType (B4-416)" },
	};
	struct ibv_qp *qp;
	size_t i;

	for (i = 0; i < COUNT(types); i++) {
		qp = make_qp(types[i].type, types[i].type == HCADV_QPT_RD ? rdd : NULL);
		if (expect_made(qp, "create_qp")) {
			qp_sizes(qp);
			qp_states(qp, types[i].init, types[i].other);
			qp_posting(qp, types[i].init);
			qp_addresses(qp, types[i].type);
			expect_ok(ibv_destroy_qp(qp), "destroy_qp");
		}
		verdict("queue pairs of type %s", types[i].name);
	}
}

/* --- all of it -------------------------------------------------------------------------------- */

static void open_all(void)
{
	context = must_open(name);
	other_context = must_open(name);
	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 64, NULL, NULL, 0);
	rdd = hcadv_alloc_rdd(context);
	if (!pd || !cq || !rdd)
		give_up("a protection domain, a completion queue, a reliable datagram domain");
}

static void close_all(void)
{
	expect_ok(hcadv_dealloc_rdd(rdd), "dealloc_rdd");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	expect_ok(ibv_close_device(context), "close_device");
	expect_ok(ibv_close_device(other_context), "close_device");
	verdict("everything is given back");
}

/* Closing a context destroys all of its objects, here what driver_parts() has left. */
static void reopen(void)
{
	expect_error(ibv_destroy_cq(cq), EBUSY, "destroy_cq while it is used");
	expect_ok(ibv_close_device(context), "close_device");
	expect_ok(ibv_close_device(other_context), "close_device");
	open_all();
	verdict("a context goes with all that is in it (V3-130)");
}

/* Waits for events that do not occur, and prints how the wait ends. */
static void await_end(void)
{
	struct hcadv_eec_event event;
	int ret;

	do
		ret = hcadv_get_eec_event(context, &event);
	while (!ret);
	printf("no more events: %s\n", error_name(ret));
	fflush(stdout);
}

/* The domain was created before some of the objects in it and after the others. */
static void keep(void)
{
	struct hcadv_eec *eec;
	struct ibv_qp *raw;
	int i;

	for (i = 0; i < 4; i++) {
		if (!make_qp(HCADV_QPT_RD, rdd) || !(eec = hcadv_create_eec(rdd)))
			give_up("queue pairs and EE contexts");
		modify(eec, to_init, TO_INIT);
		raw = make_qp(HCADV_QPT_RAW_IPV6, NULL);
		if (!raw || hcadv_attach_mcast(raw, &mgid, MLID) || !hcadv_alloc_rdd(context))
			give_up("queue pairs and domains");
	}
	puts("holding");
	fflush(stdout);
	await_end();
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	name = argc > 1 ? argv[1] : "hca0";
	open_all();
	if (argc > 2 && !strcmp(argv[2], "hold"))
		keep();
	device();
	domains();
	eecs();
	eec_limit();
	qp_mistakes();
	privilege();
	queue_pairs();
	driver_parts();
	reopen();
	close_all();
	return lab_status();
}
