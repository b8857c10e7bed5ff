/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What libibverbs offers to providers alone: its private ABI 34, that of rdma-core 44 to 56.
 *
 * rdma-core installs no header for it, so this is one, of what we use. The linker checks the
 * functions (they have the version IBVERBS_PRIVATE_34); the structures are checked here, against
 * the offsets of the libraries' own debug information, which are those of every LP64 machine.
 * A name that stands here but not in rdma-core 44 must not be used.
 */
#ifndef HCA_ABI34_H
#define HCA_ABI34_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_verbs.h>

struct verbs_sysfs_dev; /* the device as libibverbs found it; theirs */

/* How a provider knows its devices. */
enum verbs_match_kind {
	VERBS_MATCH_END = 0,
	VERBS_MATCH_MODALIAS = 2,
};

struct verbs_match_ent {
	void *driver_data;
	union {
		const char *modalias; /* a pattern of fnmatch(3) */
		uint64_t driver_id;
	} u;
	uint16_t vendor;
	uint16_t device;
	uint8_t kind; /* enum verbs_match_kind */
};

struct verbs_device;

struct verbs_device_ops {
	const char *name;
	uint32_t match_min_abi_version;
	uint32_t match_max_abi_version;
	const struct verbs_match_ent *match_table;
	const struct verbs_device_ops **static_providers;
	bool (*match_device)(struct verbs_sysfs_dev *sysfs);
	/* Owns @cmd_fd from the call on, also when it fails. */
	struct verbs_context *(*alloc_context)(struct ibv_device *device, int cmd_fd,
					       void *private_data);
	struct verbs_context *(*import_context)(struct ibv_device *device, int cmd_fd);
	struct verbs_device *(*alloc_device)(struct verbs_sysfs_dev *sysfs);
	void (*uninit_device)(struct verbs_device *device);
};

/* Filled in by libibverbs; a provider only allocates it, zeroed. */
struct verbs_device {
	struct ibv_device device;
	const struct verbs_device_ops *ops;
	atomic_int refcount;
	struct {
		void *next, *prev;
	} entry;
	struct verbs_sysfs_dev *sysfs;
	uint64_t core_support;
};

struct verbs_mr {
	struct ibv_mr ibv_mr;
	int mr_type; /* theirs */
	int access;
};

/*
 * A queue pair, and whether it is a struct ibv_qp_ex as well: a mask behind that structure says so.
 * The mask is at 352 in rdma-core 44, at 360 since, as the structure has grown by a function;
 * wr.c finds out where. Zeroes are a no in either place.
 */
struct verbs_qp {
	union {
		struct ibv_qp qp;
		struct ibv_qp_ex qp_ex;
		uint32_t room[96];
	};
};

/* The mask's bit for it. */
#define VERBS_QP_EX (1u << 1)

/* An operation we leave to libibverbs, whose own says EOPNOTSUPP. */
typedef void (*verbs_op_left)(void);

struct verbs_context_ops {
	verbs_op_left advise_mr;
	verbs_op_left alloc_dm;
	struct ibv_mw *(*alloc_mw)(struct ibv_pd *pd, enum ibv_mw_type type);
	verbs_op_left alloc_null_mr;
	verbs_op_left alloc_parent_domain;
	struct ibv_pd *(*alloc_pd)(struct ibv_context *context);
	verbs_op_left alloc_td;
	verbs_op_left async_event;
	verbs_op_left attach_counters_point_flow;
	int (*attach_mcast)(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);
	int (*bind_mw)(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);
	verbs_op_left close_xrcd;
	verbs_op_left cq_event;
	struct ibv_ah *(*create_ah)(struct ibv_pd *pd, struct ibv_ah_attr *attr);
	verbs_op_left create_counters;
	struct ibv_cq *(*create_cq)(struct ibv_context *context, int cqe,
				    struct ibv_comp_channel *channel, int comp_vector);
	verbs_op_left create_cq_ex;
	verbs_op_left create_flow;
	verbs_op_left create_flow_action_esp;
	struct ibv_qp *(*create_qp)(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
	struct ibv_qp *(*create_qp_ex)(struct ibv_context *context,
				       struct ibv_qp_init_attr_ex *attr);
	verbs_op_left create_rwq_ind_table;
	struct ibv_srq *(*create_srq)(struct ibv_pd *pd, struct ibv_srq_init_attr *attr);
	verbs_op_left create_srq_ex;
	verbs_op_left create_wq;
	int (*dealloc_mw)(struct ibv_mw *mw);
	int (*dealloc_pd)(struct ibv_pd *pd);
	verbs_op_left dealloc_td;
	int (*dereg_mr)(struct verbs_mr *mr);
	int (*destroy_ah)(struct ibv_ah *ah);
	verbs_op_left destroy_counters;
	int (*destroy_cq)(struct ibv_cq *cq);
	verbs_op_left destroy_flow;
	verbs_op_left destroy_flow_action;
	int (*destroy_qp)(struct ibv_qp *qp);
	verbs_op_left destroy_rwq_ind_table;
	int (*destroy_srq)(struct ibv_srq *srq);
	verbs_op_left destroy_wq;
	int (*detach_mcast)(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);
	void (*free_context)(struct ibv_context *context);
	verbs_op_left free_dm;
	verbs_op_left get_srq_num;
	verbs_op_left import_dm;
	verbs_op_left import_mr;
	verbs_op_left import_pd;
	verbs_op_left modify_cq;
	verbs_op_left modify_flow_action_esp;
	int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
	verbs_op_left modify_qp_rate_limit;
	int (*modify_srq)(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
	verbs_op_left modify_wq;
	verbs_op_left open_qp;
	verbs_op_left open_xrcd;
	int (*poll_cq)(struct ibv_cq *cq, int n, struct ibv_wc *wc);
	int (*post_recv)(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
	int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
	verbs_op_left post_srq_ops;
	int (*post_srq_recv)(struct ibv_srq *srq, struct ibv_recv_wr *wr,
			     struct ibv_recv_wr **bad);
	int (*query_device_ex)(struct ibv_context *context,
			       const struct ibv_query_device_ex_input *input,
			       struct ibv_device_attr_ex *attr, size_t attr_size);
	verbs_op_left query_ece;
	int (*query_port)(struct ibv_context *context, uint8_t port_num,
			  struct ibv_port_attr *attr);
	int (*query_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
			struct ibv_qp_init_attr *init);
	verbs_op_left query_qp_data_in_order;
	verbs_op_left query_rt_values;
	int (*query_srq)(struct ibv_srq *srq, struct ibv_srq_attr *attr);
	verbs_op_left read_counters;
	verbs_op_left reg_dm_mr;
	verbs_op_left reg_dmabuf_mr;
	struct ibv_mr *(*reg_mr)(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				 int access);
	int (*req_notify_cq)(struct ibv_cq *cq, int solicited_only);
	verbs_op_left rereg_mr;
	verbs_op_left resize_cq;
	verbs_op_left set_ece;
	verbs_op_left unimport_dm;
	verbs_op_left unimport_mr;
	verbs_op_left unimport_pd;
};

/*
 * Commands. The caller provides room: for a request, the header, the core's structure of
 * <rdma/ib_user_verbs.h> and the driver's data; for a response, the core's structure and the
 * driver's data. Sizes are those of all of it. Everything but the driver's data is filled in,
 * or not used at all, by the function. All of them return 0 or an errno.
 */
#define VERBS_COMMAND(core_type)                                                                   \
	struct {                                                                                   \
		struct ib_uverbs_cmd_hdr header;                                                   \
		core_type core;                                                                    \
	}

/* The same, of the commands that have an extended form. */
#define VERBS_COMMAND_EX(core_type)                                                                \
	struct {                                                                                   \
		struct ib_uverbs_cmd_hdr header;                                                   \
		struct ib_uverbs_ex_cmd_hdr ex_header;                                             \
		core_type core;                                                                    \
	}

void verbs_register_driver_34(const struct verbs_device_ops *ops);

/* @offset: of the struct verbs_context in what is allocated, as a pointer. */
void *_verbs_init_and_alloc_context(struct ibv_device *device, int cmd_fd, size_t size,
				    struct verbs_context *offset, uint32_t driver_id);
void verbs_uninit_context(struct verbs_context *context);
void verbs_set_ops(struct verbs_context *context, const struct verbs_context_ops *ops);

int ibv_read_ibdev_sysfs_file(char *buf, size_t size, struct verbs_sysfs_dev *sysfs,
			      const char *format, ...) __attribute__((format(printf, 4, 5)));

int ibv_cmd_get_context(struct verbs_context *context, void *cmd, size_t cmd_size,
			struct ib_uverbs_get_context_resp *resp, size_t resp_size);
int ibv_cmd_query_device_any(struct ibv_context *context,
			     const struct ibv_query_device_ex_input *input,
			     struct ibv_device_attr_ex *attr, size_t attr_size,
			     struct ib_uverbs_ex_query_device_resp *resp, size_t *resp_size);
int ibv_cmd_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *attr,
		       void *cmd, size_t cmd_size);

int ibv_cmd_alloc_pd(struct ibv_context *context, struct ibv_pd *pd, void *cmd, size_t cmd_size,
		     struct ib_uverbs_alloc_pd_resp *resp, size_t resp_size);
int ibv_cmd_dealloc_pd(struct ibv_pd *pd);

int ibv_cmd_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access,
		   struct verbs_mr *mr, void *cmd, size_t cmd_size,
		   struct ib_uverbs_reg_mr_resp *resp, size_t resp_size);
int ibv_cmd_dereg_mr(struct verbs_mr *mr);

int ibv_cmd_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type, struct ibv_mw *mw, void *cmd,
		     size_t cmd_size, struct ib_uverbs_alloc_mw_resp *resp, size_t resp_size);
int ibv_cmd_dealloc_mw(struct ibv_mw *mw);

int ibv_cmd_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel,
		      int comp_vector, struct ibv_cq *cq, void *cmd, size_t cmd_size,
		      struct ib_uverbs_create_cq_resp *resp, size_t resp_size);
int ibv_cmd_destroy_cq(struct ibv_cq *cq);

int ibv_cmd_create_srq(struct ibv_pd *pd, struct ibv_srq *srq, struct ibv_srq_init_attr *attr,
		       void *cmd, size_t cmd_size, struct ib_uverbs_create_srq_resp *resp,
		       size_t resp_size);
int ibv_cmd_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask, void *cmd,
		       size_t cmd_size);
int ibv_cmd_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, void *cmd, size_t cmd_size);
int ibv_cmd_destroy_srq(struct ibv_srq *srq);

int ibv_cmd_create_qp_ex2(struct ibv_context *context, struct verbs_qp *qp,
			  struct ibv_qp_init_attr_ex *attr, void *cmd, size_t cmd_size,
			  struct ib_uverbs_ex_create_qp_resp *resp, size_t resp_size);
int ibv_cmd_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		     struct ibv_qp_init_attr *init, void *cmd, size_t cmd_size);
int ibv_cmd_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, void *cmd,
		      size_t cmd_size);
int ibv_cmd_destroy_qp(struct ibv_qp *qp);
int ibv_cmd_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);
int ibv_cmd_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);

/* These two have a public version, IBVERBS_1.1, but no public header. */
int ibv_dontfork_range(void *base, size_t size);
int ibv_dofork_range(void *base, size_t size);

_Static_assert(sizeof(void *) == 8 && sizeof(long) == 8, "ABI 34 is known for LP64");

#define VERBS_SIZE(type, octets) _Static_assert(sizeof(type) == (octets), "ABI 34: " #type)
#define VERBS_OFFSET(type, member, octets)                                                         \
	_Static_assert(offsetof(type, member) == (octets), "ABI 34: " #type "." #member)

VERBS_SIZE(struct verbs_match_ent, 24);
VERBS_OFFSET(struct verbs_match_ent, u.modalias, 8);
VERBS_OFFSET(struct verbs_match_ent, vendor, 16);
VERBS_OFFSET(struct verbs_match_ent, device, 18);
VERBS_OFFSET(struct verbs_match_ent, kind, 20);

VERBS_SIZE(struct verbs_device_ops, 72);
VERBS_OFFSET(struct verbs_device_ops, name, 0);
VERBS_OFFSET(struct verbs_device_ops, match_min_abi_version, 8);
VERBS_OFFSET(struct verbs_device_ops, match_max_abi_version, 12);
VERBS_OFFSET(struct verbs_device_ops, match_table, 16);
VERBS_OFFSET(struct verbs_device_ops, static_providers, 24);
VERBS_OFFSET(struct verbs_device_ops, match_device, 32);
VERBS_OFFSET(struct verbs_device_ops, alloc_context, 40);
VERBS_OFFSET(struct verbs_device_ops, import_context, 48);
VERBS_OFFSET(struct verbs_device_ops, alloc_device, 56);
VERBS_OFFSET(struct verbs_device_ops, uninit_device, 64);

VERBS_SIZE(struct verbs_device, 712);
VERBS_OFFSET(struct verbs_device, device, 0);
VERBS_OFFSET(struct verbs_device, ops, 664);
VERBS_OFFSET(struct verbs_device, refcount, 672);
VERBS_OFFSET(struct verbs_device, entry, 680);
VERBS_OFFSET(struct verbs_device, sysfs, 696);
VERBS_OFFSET(struct verbs_device, core_support, 704);

/*
 * From <infiniband/verbs.h>, but laid out by libibverbs within what we allocate. A mutex has 40 octets on most processors and
 * 48 on arm64; a condition variable has 48 on all.
 */
VERBS_SIZE(struct verbs_context, 608 + sizeof(pthread_mutex_t));
VERBS_OFFSET(struct verbs_context, context, 320);
VERBS_SIZE(struct ibv_context, 288 + sizeof(pthread_mutex_t));

VERBS_SIZE(struct verbs_mr, 56);
VERBS_OFFSET(struct verbs_mr, ibv_mr, 0);
VERBS_OFFSET(struct verbs_mr, mr_type, 48);
VERBS_OFFSET(struct verbs_mr, access, 52);

VERBS_OFFSET(struct verbs_qp, qp, 0);
VERBS_SIZE(struct ibv_qp, 120 + sizeof(pthread_mutex_t));
VERBS_OFFSET(struct ibv_qp_ex, wr_id, sizeof(struct ibv_qp) + 8);
VERBS_OFFSET(struct ibv_qp_ex, wr_flags, sizeof(struct ibv_qp) + 16);
VERBS_OFFSET(struct ibv_qp_ex, wr_atomic_cmp_swp, sizeof(struct ibv_qp) + 24);
VERBS_OFFSET(struct ibv_qp_ex, wr_abort, sizeof(struct ibv_qp) + 176);
_Static_assert(sizeof(struct verbs_qp) >= 336 + sizeof(pthread_mutex_t), "ABI 34: struct verbs_qp, as large as there is one");

VERBS_SIZE(struct ibv_srq, 88 + sizeof(pthread_mutex_t));

VERBS_SIZE(struct verbs_context_ops, 608);
VERBS_OFFSET(struct verbs_context_ops, alloc_mw, 16);
VERBS_OFFSET(struct verbs_context_ops, alloc_pd, 40);
VERBS_OFFSET(struct verbs_context_ops, async_event, 56);
VERBS_OFFSET(struct verbs_context_ops, attach_mcast, 72);
VERBS_OFFSET(struct verbs_context_ops, bind_mw, 80);
VERBS_OFFSET(struct verbs_context_ops, cq_event, 96);
VERBS_OFFSET(struct verbs_context_ops, create_ah, 104);
VERBS_OFFSET(struct verbs_context_ops, create_cq, 120);
VERBS_OFFSET(struct verbs_context_ops, create_qp, 152);
VERBS_OFFSET(struct verbs_context_ops, create_qp_ex, 160);
VERBS_OFFSET(struct verbs_context_ops, create_srq, 176);
VERBS_OFFSET(struct verbs_context_ops, dealloc_mw, 200);
VERBS_OFFSET(struct verbs_context_ops, dealloc_pd, 208);
VERBS_OFFSET(struct verbs_context_ops, dereg_mr, 224);
VERBS_OFFSET(struct verbs_context_ops, destroy_ah, 232);
VERBS_OFFSET(struct verbs_context_ops, destroy_cq, 248);
VERBS_OFFSET(struct verbs_context_ops, destroy_qp, 272);
VERBS_OFFSET(struct verbs_context_ops, destroy_srq, 288);
VERBS_OFFSET(struct verbs_context_ops, detach_mcast, 304);
VERBS_OFFSET(struct verbs_context_ops, free_context, 312);
VERBS_OFFSET(struct verbs_context_ops, modify_qp, 376);
VERBS_OFFSET(struct verbs_context_ops, modify_srq, 392);
VERBS_OFFSET(struct verbs_context_ops, poll_cq, 424);
VERBS_OFFSET(struct verbs_context_ops, post_recv, 432);
VERBS_OFFSET(struct verbs_context_ops, post_send, 440);
VERBS_OFFSET(struct verbs_context_ops, post_srq_recv, 456);
VERBS_OFFSET(struct verbs_context_ops, query_device_ex, 464);
VERBS_OFFSET(struct verbs_context_ops, query_port, 480);
VERBS_OFFSET(struct verbs_context_ops, query_qp, 488);
VERBS_OFFSET(struct verbs_context_ops, query_srq, 512);
VERBS_OFFSET(struct verbs_context_ops, reg_mr, 544);
VERBS_OFFSET(struct verbs_context_ops, req_notify_cq, 552);
VERBS_OFFSET(struct verbs_context_ops, rereg_mr, 560);
VERBS_OFFSET(struct verbs_context_ops, resize_cq, 568);
VERBS_OFFSET(struct verbs_context_ops, unimport_pd, 600);

VERBS_SIZE(struct ib_uverbs_cmd_hdr, 8);
VERBS_SIZE(struct ib_uverbs_get_context_resp, 8);
VERBS_SIZE(struct ib_uverbs_alloc_mw_resp, 8);
VERBS_SIZE(struct ib_uverbs_create_cq_resp, 8);
VERBS_SIZE(struct ib_uverbs_create_srq_resp, 16);
VERBS_SIZE(struct ib_uverbs_ex_cmd_hdr, 16);
VERBS_SIZE(struct ib_uverbs_ex_create_qp_resp, 40);

#undef VERBS_SIZE
#undef VERBS_OFFSET

#endif
