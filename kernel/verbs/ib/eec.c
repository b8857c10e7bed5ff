// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* EE contexts, a uverbs object type of this driver (req V3-336 to V3-339, C4-036). */
#include <linux/slab.h>
#include "transport/rd/rd_eec.h"
#include "transport/view.h"
#include "verbs/ib/ca_device.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

static int eec_create(struct hca_ib_eec *eec, struct ib_ucontext *context)
{
	struct hca_rd_eec_init init = {
		.rdd = eec->rdd->domain,
		.owner = context,
		.context = eec,
	};

	eec->rd_eec = hca_rd_eec_create(&to_hca_ca_device(context->device)->ca, &init);
	if (IS_ERR(eec->rd_eec))
		return PTR_ERR(eec->rd_eec);
	eec->source.eecn = eec->rd_eec->eecn; /* set before the first event */
	hca_rdd_get(eec->rdd);
	return 0;
}

static void eec_destroy(struct hca_ib_eec *eec)
{
	hca_rd_eec_destroy(eec->rd_eec);
	hca_event_source_destroy(&eec->source);
	hca_rdd_put(eec->rdd);
}

/* Returns the events file that the command names, or NULL if it names none. */
static struct ib_uobject *eec_events_of(struct uverbs_attr_bundle *attrs)
{
	return uverbs_attr_is_valid(attrs, HCA_ATTR_EEC_CREATE_EVENTS) ?
		       uverbs_attr_get_uobject(attrs, HCA_ATTR_EEC_CREATE_EVENTS) :
		       NULL;
}

/* Implements hca_ca.rd_eec_event (req V3-206, B4-265). */
void hca_ib_eec_event(struct hca_rd_eec *rd_eec, enum hca_qp_event event)
{
	struct hca_ib_eec *eec = rd_eec->context;

	hca_event_source_notify(&eec->source, hca_event_type(event));
}

static int UVERBS_HANDLER(HCA_METHOD_EEC_CREATE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobject = uverbs_attr_get_uobject(attrs, HCA_ATTR_EEC_CREATE_HANDLE);
	struct hca_ib_context *context = to_hca_ib_context(uobject->context);
	struct ib_device *ib = context->ib.device;
	struct hca_ib_eec *eec;
	int ret;

	ret = hca_context_object_add(ib, context, HCA_OBJ_EEC);
	if (ret)
		return ret;
	eec = kmalloc(sizeof(*eec), GFP_KERNEL_ACCOUNT);
	if (!eec) {
		ret = -ENOMEM;
		goto err_object;
	}
	eec->rdd = uverbs_attr_get_obj(attrs, HCA_ATTR_EEC_CREATE_RDD);
	hca_event_source_init(&eec->source, eec_events_of(attrs));
	ret = eec_create(eec, uobject->context);
	if (ret)
		goto err_create;
	ret = uverbs_copy_to(attrs, HCA_ATTR_EEC_CREATE_RESP_EECN, &eec->rd_eec->eecn,
			     sizeof(eec->rd_eec->eecn));
	if (ret)
		goto err_copy;
	uobject->object = eec;
	hca_track(ib, HCA_RESOURCE_EEC, &eec->tracked, NULL);
	return 0;

err_copy:
	eec_destroy(eec);
	goto err_free;
err_create:
	hca_event_source_destroy(&eec->source);
err_free:
	kfree(eec);
err_object:
	hca_context_object_del(ib, context, HCA_OBJ_EEC);
	return ret;
}

static int eec_free(struct ib_uobject *uobject, enum rdma_remove_reason why,
		    struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_eec *eec = uobject->object;

	hca_untrack(uobject->context->device, HCA_RESOURCE_EEC, &eec->tracked);
	eec_destroy(eec);
	kfree(eec);
	hca_context_object_del(uobject->context->device, to_hca_ib_context(uobject->context),
			       HCA_OBJ_EEC);
	return 0;
}

void hca_resource_view_eec(const struct hca_tracked *tracked, bool admin,
			   struct hca_resource_view *view)
{
	struct hca_ib_eec *eec = container_of(tracked, struct hca_ib_eec, tracked);
	struct hca_qp_view of_eec;

	hca_rd_eec_view(eec->rd_eec, &of_eec);
	view->number = eec->rd_eec->eecn;
	hca_resource_view_qp(view, &of_eec);
}

static void eec_attr_from_user(const struct hca_eec_attr *from, struct hca_qp_attr *to)
{
	*to = (struct hca_qp_attr){
		.state = from->state,
		.cur_state = from->cur_state,
		.max_rd_atomic = from->max_rd_atomic,
		.max_dest_rd_atomic = from->max_dest_rd_atomic,
		.iba = {
			HCA_CONTEXT_ATTRS(from),
			.dest_qpn = from->dest_eecn,
			.av = from->av,
			.alt_av = from->alt_av,
		},
		.en_sqd_async_notify = from->en_sqd_async_notify,
	};
}

static void eec_attr_to_user(const struct hca_qp_attr *from, struct hca_eec_attr *to)
{
	*to = (struct hca_eec_attr){
		HCA_CONTEXT_ATTRS(&from->iba),
		.dest_eecn = from->iba.dest_qpn,
		.state = from->state,
		.cur_state = from->cur_state,
		.max_rd_atomic = from->max_rd_atomic,
		.max_dest_rd_atomic = from->max_dest_rd_atomic,
		.en_sqd_async_notify = from->en_sqd_async_notify,
		.sq_draining = from->sq_draining,
		.av = from->iba.av,
		.alt_av = from->iba.alt_av,
	};
}

static int UVERBS_HANDLER(HCA_METHOD_EEC_MODIFY)(struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_eec *eec = uverbs_attr_get_obj(attrs, HCA_ATTR_EEC_MODIFY_HANDLE);
	struct hca_eec_attr from;
	struct hca_qp_attr to;
	int ret;

	ret = uverbs_copy_from(&from, attrs, HCA_ATTR_EEC_MODIFY_ATTR);
	if (ret)
		return ret;
	if (from.mask > INT_MAX)
		return -EINVAL;
	eec_attr_from_user(&from, &to);
	ret = hca_wait_for_last(&eec->rd_eec->eec, &to, from.mask);
	return ret ?: hca_rd_eec_modify(eec->rd_eec, &to, from.mask);
}

static int UVERBS_HANDLER(HCA_METHOD_EEC_QUERY)(struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_eec *eec = uverbs_attr_get_obj(attrs, HCA_ATTR_EEC_QUERY_HANDLE);
	struct hca_qp_attr from;
	struct hca_eec_attr to;

	hca_rd_eec_query(eec->rd_eec, &from);
	eec_attr_to_user(&from, &to);
	return uverbs_copy_to(attrs, HCA_ATTR_EEC_QUERY_RESP_ATTR, &to, sizeof(to));
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_EEC_CREATE,
			    UVERBS_ATTR_IDR(HCA_ATTR_EEC_CREATE_HANDLE, HCA_OBJECT_EEC,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_IDR(HCA_ATTR_EEC_CREATE_RDD, HCA_OBJECT_RDD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_EEC_CREATE_RESP_EECN,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_FD(HCA_ATTR_EEC_CREATE_EVENTS, HCA_OBJECT_EVENTS,
					   UVERBS_ACCESS_READ, UA_OPTIONAL));

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_EEC_MODIFY,
			    UVERBS_ATTR_IDR(HCA_ATTR_EEC_MODIFY_HANDLE, HCA_OBJECT_EEC,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(HCA_ATTR_EEC_MODIFY_ATTR,
					       UVERBS_ATTR_TYPE(struct hca_eec_attr),
					       UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_EEC_QUERY,
			    UVERBS_ATTR_IDR(HCA_ATTR_EEC_QUERY_HANDLE, HCA_OBJECT_EEC,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_EEC_QUERY_RESP_ATTR,
						UVERBS_ATTR_TYPE(struct hca_eec_attr),
						UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(HCA_METHOD_EEC_DESTROY,
				    UVERBS_ATTR_IDR(HCA_ATTR_EEC_DESTROY_HANDLE, HCA_OBJECT_EEC,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(HCA_OBJECT_EEC, UVERBS_TYPE_ALLOC_IDR(eec_free),
			    &UVERBS_METHOD(HCA_METHOD_EEC_CREATE),
			    &UVERBS_METHOD(HCA_METHOD_EEC_MODIFY),
			    &UVERBS_METHOD(HCA_METHOD_EEC_QUERY),
			    &UVERBS_METHOD(HCA_METHOD_EEC_DESTROY));

const struct uapi_definition hca_eec_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(HCA_OBJECT_EEC),
	{},
};
