/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The private ABI of libibverbs for providers, in each of the forms that rdma-core 44 to 65 have
 * given it. libhca/abis lists these forms.
 *
 * rdma-core installs no header for the private ABI, so this header declares the part that the
 * provider uses. configure finds the form and defines two macros. HCA_IBVERBS_ABI is the number of
 * the private ABI. The linker checks this number, because the symbol version of the private
 * functions is IBVERBS_PRIVATE_ followed by the number. HCA_IBVERBS_API is the NN of the newest
 * public symbol version, IBVERBS_1.NN. Structures have grown from one such version to the next.
 *
 * This header compares the structures with the offsets of the release. The offsets are equal on
 * every LP64 machine. fit.c compares the structures with those of the loaded library. For a name
 * that <infiniband/verbs.h> of rdma-core 44 does not have, code uses the VERBS_ name of this
 * header, or of qp_type.h.
 */
#ifndef HCA_IBVERBS_ABI_H
#define HCA_IBVERBS_ABI_H

#include <infiniband/verbs.h>
#include <rdma/ib_user_verbs.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct verbs_sysfs_dev; /* private structure of libibverbs for a device in sysfs */

/* Methods by which a row of the match table identifies devices. */
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
	/* The function takes over @cmd_fd, even if it fails. */
	struct verbs_context *(*alloc_context)(struct ibv_device *device, int cmd_fd,
					       void *private_data);
	struct verbs_context *(*import_context)(struct ibv_device *device, int cmd_fd);
	struct verbs_device *(*alloc_device)(struct verbs_sysfs_dev *sysfs);
	void (*uninit_device)(struct verbs_device *device);
};

/* The provider allocates the structure zeroed, and libibverbs fills it in. */
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

#define VERBS_MR_TYPE_NULL 1
#define VERBS_MR_TYPE_IMPORTED 2

struct verbs_mr {
	struct ibv_mr ibv_mr;
	int mr_type; /* set by the provider to one of the types above, otherwise by libibverbs */
	int access;
};

/*
 * A queue pair. A mask after struct ibv_qp_ex shows whether the queue pair has the functions of
 * struct ibv_qp_ex. In rdma-core 44, the mask is @mask_44. rdma-core 45 has added wr_flush at the
 * offset of @mask_44, and the mask is @mask. wr.c finds out which of these layouts the loaded
 * libibverbs uses. If @mask_44 and @mask are 0, the queue pair is only a struct ibv_qp. The headers
 * of rdma-core 44 do not declare wr_flush, although the loaded libibverbs may have it.
 */
struct verbs_qp {
	union {
		struct ibv_qp qp;
		struct ibv_qp_ex qp_ex;
		struct {
			struct ibv_qp before;
			uint64_t to_abort[23]; /* members from comp_mask to wr_abort */
			void (*wr_atomic_write)(struct ibv_qp_ex *qp, uint32_t rkey,
						uint64_t remote_addr, const void *value);
			union {
				uint32_t mask_44;
				void (*wr_flush)(struct ibv_qp_ex *qp, uint32_t rkey,
						 uint64_t remote_addr, size_t length,
						 uint8_t type, uint8_t level);
			};
			uint32_t mask;
		};
		uint32_t room[96];
	};
};

/* Values of names in <infiniband/verbs.h>, some of which rdma-core 44 does not have. */
#define VERBS_QP_EX_WITH_FLUSH (1u << 11)
#define VERBS_QP_EX_WITH_ATOMIC_WRITE (1u << 12)
#define VERBS_FLUSH_GLOBAL (1u << 0)
#define VERBS_FLUSH_PERSISTENT (1u << 1)
#define VERBS_FLUSH_MR 1
/* Bits of device_cap_flags_ex. */
#define VERBS_DEVICE_FLUSH_GLOBAL (1ull << 38)
#define VERBS_DEVICE_ATOMIC_WRITE (1ull << 40)

/* The bit of verbs_qp.mask that is set if the queue pair has the functions of struct ibv_qp_ex. */
#define VERBS_QP_EX (1u << 1)

struct verbs_xrcd {
	struct ibv_xrcd xrcd;
	uint32_t comp_mask;
	uint32_t handle;
};

struct verbs_dm {
	struct ibv_dm dm;
	uint32_t handle;
};

struct verbs_srq {
	struct ibv_srq srq;
	enum ibv_srq_type srq_type;
	struct verbs_xrcd *xrcd;
	struct ibv_cq *cq;
	uint32_t srq_num;
};

struct verbs_cq {
	union {
		struct ibv_cq cq;
		struct ibv_cq_ex cq_ex;
	};
};

/* An operation that the provider leaves NULL. libibverbs then returns EOPNOTSUPP. */
typedef void (*verbs_op_left)(void);

/* 1 if libibverbs has the operations that were added with IBVERBS_1.@api, otherwise 0. */
#define SINCE(api) (HCA_IBVERBS_API >= (api))

struct verbs_context_ops {
	int (*advise_mr)(struct ibv_pd *pd, enum ib_uverbs_advise_mr_advice advice, uint32_t flags,
			 struct ibv_sge *sg_list, uint32_t num_sge);
	verbs_op_left alloc_buf[SINCE(17)];
	struct ibv_dm *(*alloc_dm)(struct ibv_context *context, struct ibv_alloc_dm_attr *attr);
	verbs_op_left alloc_dmah[SINCE(15)];
	struct ibv_mw *(*alloc_mw)(struct ibv_pd *pd, enum ibv_mw_type type);
	struct ibv_mr *(*alloc_null_mr)(struct ibv_pd *pd);
	struct ibv_pd *(*alloc_parent_domain)(struct ibv_context *context,
					      struct ibv_parent_domain_init_attr *attr);
	struct ibv_pd *(*alloc_pd)(struct ibv_context *context);
	struct ibv_td *(*alloc_td)(struct ibv_context *context, struct ibv_td_init_attr *attr);
	verbs_op_left async_event;
	verbs_op_left attach_counters_point_flow;
	int (*attach_mcast)(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);
	int (*bind_mw)(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);
	int (*close_xrcd)(struct ibv_xrcd *xrcd);
	verbs_op_left cq_event;
	struct ibv_ah *(*create_ah)(struct ibv_pd *pd, struct ibv_ah_attr *attr);
	verbs_op_left create_comp_cntr[SINCE(18)];
	verbs_op_left create_counters;
	struct ibv_cq *(*create_cq)(struct ibv_context *context, int cqe,
				    struct ibv_comp_channel *channel, int comp_vector);
	struct ibv_cq_ex *(*create_cq_ex)(struct ibv_context *context,
					  struct ibv_cq_init_attr_ex *attr);
	verbs_op_left create_flow;
	verbs_op_left create_flow_action_esp;
	struct ibv_qp *(*create_qp)(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
	struct ibv_qp *(*create_qp_ex)(struct ibv_context *context,
				       struct ibv_qp_init_attr_ex *attr);
	verbs_op_left create_rwq_ind_table;
	struct ibv_srq *(*create_srq)(struct ibv_pd *pd, struct ibv_srq_init_attr *attr);
	struct ibv_srq *(*create_srq_ex)(struct ibv_context *context,
					 struct ibv_srq_init_attr_ex *attr);
	verbs_op_left create_wq;
	verbs_op_left dealloc_dmah[SINCE(15)];
	int (*dealloc_mw)(struct ibv_mw *mw);
	int (*dealloc_pd)(struct ibv_pd *pd);
	int (*dealloc_td)(struct ibv_td *td);
	int (*dereg_mr)(struct verbs_mr *mr);
	int (*destroy_ah)(struct ibv_ah *ah);
	verbs_op_left destroy_comp_cntr[SINCE(18)];
	verbs_op_left destroy_counters;
	int (*destroy_cq)(struct ibv_cq *cq);
	verbs_op_left destroy_flow;
	verbs_op_left destroy_flow_action;
	int (*destroy_qp)(struct ibv_qp *qp);
	verbs_op_left destroy_rwq_ind_table;
	int (*destroy_srq)(struct ibv_srq *srq);
	verbs_op_left destroy_wq;
	int (*detach_mcast)(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);
	verbs_op_left dm_export_dmabuf_fd[SINCE(16)];
	verbs_op_left free_buf[SINCE(17)];
	void (*free_context)(struct ibv_context *context);
	int (*free_dm)(struct ibv_dm *dm);
	int (*get_srq_num)(struct ibv_srq *srq, uint32_t *srq_num);
	struct ibv_dm *(*import_dm)(struct ibv_context *context, uint32_t handle);
	struct ibv_mr *(*import_mr)(struct ibv_pd *pd, uint32_t handle);
	struct ibv_pd *(*import_pd)(struct ibv_context *context, uint32_t handle);
	verbs_op_left inc_comp_cntr[SINCE(18)];
	verbs_op_left inc_err_comp_cntr[SINCE(18)];
	int (*modify_cq)(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
	verbs_op_left modify_flow_action_esp;
	int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
	verbs_op_left modify_qp_rate_limit;
	int (*modify_srq)(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
	verbs_op_left modify_wq;
	struct ibv_qp *(*open_qp)(struct ibv_context *context, struct ibv_qp_open_attr *attr);
	struct ibv_xrcd *(*open_xrcd)(struct ibv_context *context,
				      struct ibv_xrcd_init_attr *attr);
	int (*poll_cq)(struct ibv_cq *cq, int n, struct ibv_wc *wc);
	int (*post_recv)(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
	int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
	verbs_op_left post_srq_ops;
	int (*post_srq_recv)(struct ibv_srq *srq, struct ibv_recv_wr *wr,
			     struct ibv_recv_wr **bad);
	verbs_op_left qp_attach_comp_cntr[SINCE(18)];
	verbs_op_left query_comp_cntr_caps[SINCE(18)];
	int (*query_device_ex)(struct ibv_context *context,
			       const struct ibv_query_device_ex_input *input,
			       struct ibv_device_attr_ex *attr, size_t attr_size);
	verbs_op_left query_ece;
	int (*query_port)(struct ibv_context *context, uint8_t port_num,
			  struct ibv_port_attr *attr);
	int (*query_port_speed[SINCE(16)])(struct ibv_context *context, uint32_t port_num,
					   uint64_t *speed);
	int (*query_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
			struct ibv_qp_init_attr *init);
	verbs_op_left query_qp_data_in_order;
	int (*query_rt_values)(struct ibv_context *context, struct ibv_values_ex *values);
	int (*query_srq)(struct ibv_srq *srq, struct ibv_srq_attr *attr);
	verbs_op_left read_comp_cntr[SINCE(18)];
	verbs_op_left read_counters;
	verbs_op_left read_err_comp_cntr[SINCE(18)];
	struct ibv_mr *(*reg_dm_mr)(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t offset,
				    size_t length, unsigned int access);
	struct ibv_mr *(*reg_dmabuf_mr)(struct ibv_pd *pd, uint64_t offset, size_t length,
					uint64_t iova, int fd, int access);
	struct ibv_mr *(*reg_mr)(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				 int access);
	verbs_op_left reg_mr_ex[SINCE(15)];
	int (*req_notify_cq)(struct ibv_cq *cq, int solicited_only);
	int (*rereg_mr)(struct verbs_mr *mr, int flags, struct ibv_pd *pd, void *addr,
			size_t length, int access);
	int (*resize_cq)(struct ibv_cq *cq, int cqe);
	verbs_op_left set_comp_cntr[SINCE(18)];
	verbs_op_left set_ece;
	verbs_op_left set_err_comp_cntr[SINCE(18)];
	void (*unimport_dm)(struct ibv_dm *dm);
	void (*unimport_mr)(struct ibv_mr *mr);
	void (*unimport_pd)(struct ibv_pd *pd);
};

/*
 * Macros for the requests of the ibv_cmd_ functions below, which send commands to uverbs. The
 * caller provides the buffers of a request and its response. A request consists of the header,
 * uverbs' structure of <rdma/ib_user_verbs.h> and the driver's data. A response consists of uverbs'
 * structure and the driver's data. The sizes are those of the whole buffers. The functions fill in
 * or ignore all parts except the driver's data, and return 0 or an errno.
 */
#define VERBS_COMMAND(core_type)                                                                   \
	struct {                                                                                   \
		struct ib_uverbs_cmd_hdr header;                                                   \
		core_type core;                                                                    \
	}

/* An extended command, which has a second header. */
#define VERBS_COMMAND_EX(core_type)                                                                \
	struct {                                                                                   \
		struct ib_uverbs_cmd_hdr header;                                                   \
		struct ib_uverbs_ex_cmd_hdr ex_header;                                             \
		core_type core;                                                                    \
	}

#define VERBS_REGISTER(abi) VERBS_REGISTER_AS(abi)
#define VERBS_REGISTER_AS(abi) verbs_register_driver_##abi
#define verbs_register_driver VERBS_REGISTER(HCA_IBVERBS_ABI)

void verbs_register_driver(const struct verbs_device_ops *ops);

/* @offset: octets before struct verbs_context in the allocated structure, cast to a pointer */
void *_verbs_init_and_alloc_context(struct ibv_device *device, int cmd_fd, size_t size,
				    struct verbs_context *offset, uint32_t driver_id);
void verbs_uninit_context(struct verbs_context *context);
void verbs_set_ops(struct verbs_context *context, const struct verbs_context_ops *ops);

int ibv_read_ibdev_sysfs_file(char *buf, size_t size, struct verbs_sysfs_dev *sysfs,
			      const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Arguments that a later number of the private ABI has added to functions. The provider passes NULL
 * for each of these arguments. Each macro includes the comma between the arguments.
 */
#if HCA_IBVERBS_ABI >= 57
#define VERBS_FDS(declared) declared,
#else
#define VERBS_FDS(declared)
#endif
#if HCA_IBVERBS_ABI >= 59
#define VERBS_BUFFER(declared) declared,
#else
#define VERBS_BUFFER(declared)
#endif
#if HCA_IBVERBS_ABI >= 64
#define VERBS_DRIVER(declared) , declared
#else
#define VERBS_DRIVER(declared)
#endif

int ibv_cmd_get_context(struct verbs_context *context, void *cmd, size_t cmd_size,
			VERBS_FDS(void *fds) struct ib_uverbs_get_context_resp *resp,
			size_t resp_size);
/* @driver: attributes of the driver, or NULL */
int ibv_cmd_query_context(struct ibv_context *context, void *driver);
int ibv_cmd_query_device_any(struct ibv_context *context,
			     const struct ibv_query_device_ex_input *input,
			     struct ibv_device_attr_ex *attr, size_t attr_size,
			     struct ib_uverbs_ex_query_device_resp *resp, size_t *resp_size);
int ibv_cmd_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *attr,
		       void *cmd, size_t cmd_size);

/* @xrcd_size: octets of @xrcd */
int ibv_cmd_open_xrcd(struct ibv_context *context, struct verbs_xrcd *xrcd, int xrcd_size,
		      struct ibv_xrcd_init_attr *attr, void *cmd, size_t cmd_size,
		      struct ib_uverbs_open_xrcd_resp *resp, size_t resp_size);
int ibv_cmd_close_xrcd(struct verbs_xrcd *xrcd);

int ibv_cmd_alloc_pd(struct ibv_context *context, struct ibv_pd *pd, void *cmd, size_t cmd_size,
		     struct ib_uverbs_alloc_pd_resp *resp, size_t resp_size);
int ibv_cmd_dealloc_pd(struct ibv_pd *pd);

int ibv_cmd_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access,
		   struct verbs_mr *mr, void *cmd, size_t cmd_size,
		   struct ib_uverbs_reg_mr_resp *resp, size_t resp_size);
/*
 * @driver: attributes of the driver, or NULL. rdma-core 54 has added this argument, but has not
 * changed the number of the private ABI. An earlier release with that number ignores the argument.
 */
int ibv_cmd_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd,
			  int access, struct verbs_mr *mr, void *driver);
int ibv_cmd_rereg_mr(struct verbs_mr *mr, uint32_t flags, void *addr, size_t length,
		     uint64_t iova, int access, struct ibv_pd *pd, void *cmd, size_t cmd_size,
		     struct ib_uverbs_rereg_mr_resp *resp, size_t resp_size);
int ibv_cmd_query_mr(struct ibv_pd *pd, struct verbs_mr *mr, uint32_t handle);
int ibv_cmd_dereg_mr(struct verbs_mr *mr);
int ibv_cmd_advise_mr(struct ibv_pd *pd, enum ib_uverbs_advise_mr_advice advice, uint32_t flags,
		      struct ibv_sge *sg_list, uint32_t num_sge);

/* @driver: attributes of the driver, or NULL */
int ibv_cmd_alloc_dm(struct ibv_context *context, const struct ibv_alloc_dm_attr *attr,
		     struct verbs_dm *dm, void *driver);
int ibv_cmd_free_dm(struct verbs_dm *dm);
int ibv_cmd_reg_dm_mr(struct ibv_pd *pd, struct verbs_dm *dm, uint64_t offset, size_t length,
		      unsigned int access, struct verbs_mr *mr, void *driver);

int ibv_cmd_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type, struct ibv_mw *mw, void *cmd,
		     size_t cmd_size, struct ib_uverbs_alloc_mw_resp *resp, size_t resp_size);
int ibv_cmd_dealloc_mw(struct ibv_mw *mw);

int ibv_cmd_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel,
		      int comp_vector, struct ibv_cq *cq, void *cmd, size_t cmd_size,
		      struct ib_uverbs_create_cq_resp *resp, size_t resp_size);
int ibv_cmd_create_cq_ex(struct ibv_context *context, const struct ibv_cq_init_attr_ex *attr,
			 VERBS_BUFFER(void *buffer) struct verbs_cq *cq, void *cmd, size_t cmd_size,
			 struct ib_uverbs_ex_create_cq_resp *resp, size_t resp_size,
			 uint32_t cmd_flags);
int ibv_cmd_resize_cq(struct ibv_cq *cq, int cqe, void *cmd, size_t cmd_size,
		      struct ib_uverbs_resize_cq_resp *resp, size_t resp_size);
int ibv_cmd_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr, void *cmd,
		      size_t cmd_size);
int ibv_cmd_destroy_cq(struct ibv_cq *cq);

int ibv_cmd_create_srq(struct ibv_pd *pd, struct ibv_srq *srq, struct ibv_srq_init_attr *attr,
		       void *cmd, size_t cmd_size, struct ib_uverbs_create_srq_resp *resp,
		       size_t resp_size);
int ibv_cmd_create_srq_ex(struct ibv_context *context, struct verbs_srq *srq,
			  struct ibv_srq_init_attr_ex *attr, void *cmd, size_t cmd_size,
			  struct ib_uverbs_create_srq_resp *resp, size_t resp_size);
int ibv_cmd_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask, void *cmd,
		       size_t cmd_size);
int ibv_cmd_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, void *cmd, size_t cmd_size);
int ibv_cmd_destroy_srq(struct ibv_srq *srq);

int ibv_cmd_create_qp_ex2(struct ibv_context *context, struct verbs_qp *qp,
			  struct ibv_qp_init_attr_ex *attr, void *cmd, size_t cmd_size,
			  struct ib_uverbs_ex_create_qp_resp *resp,
			  size_t resp_size VERBS_DRIVER(void *driver));
/* @qp_size: octets of @qp */
int ibv_cmd_open_qp(struct ibv_context *context, struct verbs_qp *qp, int qp_size,
		    struct ibv_qp_open_attr *attr, void *cmd, size_t cmd_size,
		    struct ib_uverbs_create_qp_resp *resp, size_t resp_size);
int ibv_cmd_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		     struct ibv_qp_init_attr *init, void *cmd, size_t cmd_size);
int ibv_cmd_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, void *cmd,
		      size_t cmd_size);
int ibv_cmd_destroy_qp(struct ibv_qp *qp);
int ibv_cmd_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);
int ibv_cmd_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);

/* Two functions with a public symbol version, IBVERBS_1.1, that no public header declares. */
int ibv_dontfork_range(void *base, size_t size);
int ibv_dofork_range(void *base, size_t size);

_Static_assert(sizeof(void *) == 8 && sizeof(long) == 8, "the private ABI is known for LP64");

#define VERBS_SIZE(type, octets) _Static_assert(sizeof(type) == (octets), "libibverbs' " #type)
#define VERBS_OFFSET(type, member, octets)                                                         \
	_Static_assert(offsetof(type, member) == (octets), "libibverbs' " #type "." #member)

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
 * struct verbs_context of <infiniband/verbs.h>, which the provider allocates and libibverbs fills
 * in. Later releases have added members at the beginning of the structure. A mutex has 40 octets on
 * most processors and 48 on arm64.
 */
VERBS_SIZE(struct verbs_context, HCA_IBVERBS_CONTEXT - 40 + sizeof(pthread_mutex_t));
VERBS_OFFSET(struct verbs_context, context, HCA_IBVERBS_CONTEXT - 328);
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
VERBS_OFFSET(struct ibv_qp_ex, wr_atomic_write, sizeof(struct ibv_qp) + 184);
VERBS_OFFSET(struct verbs_qp, wr_atomic_write, sizeof(struct ibv_qp) + 184);
VERBS_OFFSET(struct verbs_qp, mask_44, sizeof(struct ibv_qp) + 192);
VERBS_OFFSET(struct verbs_qp, wr_flush, sizeof(struct ibv_qp) + 192);
VERBS_OFFSET(struct verbs_qp, mask, sizeof(struct ibv_qp) + 200);
_Static_assert(sizeof(struct verbs_qp) >= 336 + sizeof(pthread_mutex_t),
	       "struct verbs_qp, as large as there is one");

VERBS_SIZE(struct verbs_xrcd, 16);
VERBS_OFFSET(struct verbs_xrcd, handle, 12);
VERBS_SIZE(struct verbs_dm, 40);
VERBS_OFFSET(struct verbs_dm, handle, 32);
VERBS_SIZE(struct verbs_srq, sizeof(struct ibv_srq) + 32);
VERBS_OFFSET(struct verbs_srq, srq_type, sizeof(struct ibv_srq));
VERBS_OFFSET(struct verbs_srq, xrcd, sizeof(struct ibv_srq) + 8);
VERBS_OFFSET(struct verbs_srq, cq, sizeof(struct ibv_srq) + 16);
VERBS_OFFSET(struct verbs_srq, srq_num, sizeof(struct ibv_srq) + 24);
VERBS_SIZE(struct verbs_cq, sizeof(struct ibv_cq_ex));
VERBS_OFFSET(struct ibv_cq_ex, comp_mask, sizeof(struct ibv_cq));
VERBS_OFFSET(struct ibv_cq_ex, start_poll, sizeof(struct ibv_cq) + 16);
VERBS_OFFSET(struct ibv_cq_ex, read_completion_wallclock_ns, sizeof(struct ibv_cq) + 152);
VERBS_SIZE(struct ibv_srq, 88 + sizeof(pthread_mutex_t));

VERBS_SIZE(struct verbs_context_ops, HCA_IBVERBS_OPS * sizeof(verbs_op_left));

/*
 * VERBS_OP() checks the index of an operation in struct verbs_context_ops. The arguments after the
 * name are the indices in the releases with HCA_IBVERBS_API 14 to 18.
 */
#define VERBS_PLACE(api) VERBS_PLACE_OF(api)
#define VERBS_PLACE_OF(api) VERBS_PLACE_##api
#define VERBS_PLACE_14(p14, p15, p16, p17, p18) p14
#define VERBS_PLACE_15(p14, p15, p16, p17, p18) p15
#define VERBS_PLACE_16(p14, p15, p16, p17, p18) p16
#define VERBS_PLACE_17(p14, p15, p16, p17, p18) p17
#define VERBS_PLACE_18(p14, p15, p16, p17, p18) p18
#define VERBS_OP(name, ...)                                                                        \
	VERBS_OFFSET(struct verbs_context_ops, name,                                               \
		     sizeof(verbs_op_left) * (VERBS_PLACE(HCA_IBVERBS_API)(__VA_ARGS__)))

/*                     1.14 1.15 1.16 1.17 1.18 */
VERBS_OP(advise_mr, 0, 0, 0, 0, 0);
VERBS_OP(alloc_dm, 1, 1, 1, 2, 2);
VERBS_OP(alloc_mw, 2, 3, 3, 4, 4);
VERBS_OP(alloc_parent_domain, 4, 5, 5, 6, 6);
VERBS_OP(alloc_pd, 5, 6, 6, 7, 7);
VERBS_OP(alloc_td, 6, 7, 7, 8, 8);
VERBS_OP(async_event, 7, 8, 8, 9, 9);
VERBS_OP(attach_mcast, 9, 10, 10, 11, 11);
VERBS_OP(bind_mw, 10, 11, 11, 12, 12);
VERBS_OP(close_xrcd, 11, 12, 12, 13, 13);
VERBS_OP(cq_event, 12, 13, 13, 14, 14);
VERBS_OP(create_ah, 13, 14, 14, 15, 15);
VERBS_OP(create_cq, 15, 16, 16, 17, 18);
VERBS_OP(create_cq_ex, 16, 17, 17, 18, 19);
VERBS_OP(create_qp, 19, 20, 20, 21, 22);
VERBS_OP(create_qp_ex, 20, 21, 21, 22, 23);
VERBS_OP(create_srq, 22, 23, 23, 24, 25);
VERBS_OP(create_srq_ex, 23, 24, 24, 25, 26);
VERBS_OP(dealloc_mw, 25, 27, 27, 28, 29);
VERBS_OP(dealloc_pd, 26, 28, 28, 29, 30);
VERBS_OP(dealloc_td, 27, 29, 29, 30, 31);
VERBS_OP(dereg_mr, 28, 30, 30, 31, 32);
VERBS_OP(destroy_ah, 29, 31, 31, 32, 33);
VERBS_OP(destroy_cq, 31, 33, 33, 34, 36);
VERBS_OP(destroy_qp, 34, 36, 36, 37, 39);
VERBS_OP(destroy_srq, 36, 38, 38, 39, 41);
VERBS_OP(detach_mcast, 38, 40, 40, 41, 43);
VERBS_OP(free_context, 39, 41, 42, 44, 46);
VERBS_OP(free_dm, 40, 42, 43, 45, 47);
VERBS_OP(get_srq_num, 41, 43, 44, 46, 48);
VERBS_OP(import_dm, 42, 44, 45, 47, 49);
VERBS_OP(import_mr, 43, 45, 46, 48, 50);
VERBS_OP(import_pd, 44, 46, 47, 49, 51);
VERBS_OP(modify_cq, 45, 47, 48, 50, 54);
VERBS_OP(modify_qp, 47, 49, 50, 52, 56);
VERBS_OP(modify_srq, 49, 51, 52, 54, 58);
VERBS_OP(open_qp, 51, 53, 54, 56, 60);
VERBS_OP(open_xrcd, 52, 54, 55, 57, 61);
VERBS_OP(poll_cq, 53, 55, 56, 58, 62);
VERBS_OP(post_recv, 54, 56, 57, 59, 63);
VERBS_OP(post_send, 55, 57, 58, 60, 64);
VERBS_OP(post_srq_recv, 57, 59, 60, 62, 66);
VERBS_OP(query_device_ex, 58, 60, 61, 63, 69);
VERBS_OP(query_port, 60, 62, 63, 65, 71);
VERBS_OP(query_qp, 61, 63, 65, 67, 73);
VERBS_OP(query_rt_values, 63, 65, 67, 69, 75);
VERBS_OP(query_srq, 64, 66, 68, 70, 76);
VERBS_OP(reg_dm_mr, 66, 68, 70, 72, 80);
VERBS_OP(reg_mr, 68, 70, 72, 74, 82);
VERBS_OP(req_notify_cq, 69, 72, 74, 76, 84);
VERBS_OP(rereg_mr, 70, 73, 75, 77, 85);
VERBS_OP(resize_cq, 71, 74, 76, 78, 86);
VERBS_OP(unimport_dm, 73, 76, 78, 80, 90);
VERBS_OP(unimport_mr, 74, 77, 79, 81, 91);
VERBS_OP(unimport_pd, 75, 78, 80, 82, 92);

VERBS_SIZE(struct ib_uverbs_cmd_hdr, 8);
VERBS_SIZE(struct ib_uverbs_get_context_resp, 8);
VERBS_SIZE(struct ib_uverbs_alloc_mw_resp, 8);
VERBS_SIZE(struct ib_uverbs_create_cq_resp, 8);
VERBS_SIZE(struct ib_uverbs_ex_create_cq_resp, 16);
VERBS_SIZE(struct ib_uverbs_resize_cq_resp, 8);
VERBS_SIZE(struct ib_uverbs_ex_modify_cq, 16);
VERBS_SIZE(struct ib_uverbs_create_srq_resp, 16);
VERBS_SIZE(struct ib_uverbs_open_xrcd_resp, 4);
VERBS_SIZE(struct ib_uverbs_ex_cmd_hdr, 16);
VERBS_SIZE(struct ib_uverbs_ex_create_qp_resp, 40);

#undef VERBS_OP
#undef VERBS_SIZE
#undef VERBS_OFFSET
#undef SINCE

#endif
