// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reliable datagram domains (V3-321, V3-322): an object of uverbs that only we have. What tells one
 * from another is its address; who is in one counts as a user (V3-152).
 */
#include <linux/slab.h>
#include "verbs/verbs.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

void hca_rdds_init(struct hca_ib_context *context)
{
	xa_init(&context->rdds);
}

/**
 * hca_rdd_find() - look up a domain of a context, and count a user of it
 * @context: the context
 * @handle: what alloc has returned
 *
 * Context: process. Return: the domain or NULL.
 */
struct hca_rdd *hca_rdd_find(struct hca_ib_context *context, u32 handle)
{
	struct hca_rdd *rdd;

	xa_lock(&context->rdds); /* who deallocates it erases it before it goes */
	rdd = xa_load(&context->rdds, handle);
	if (rdd && !refcount_inc_not_zero(&rdd->users))
		rdd = NULL;
	xa_unlock(&context->rdds);
	return rdd;
}

/* One more user, for who has it already. Context: any. */
void hca_rdd_get(struct hca_rdd *rdd)
{
	refcount_inc(&rdd->users);
}

/* One less. Its handle is the last one, always. Context: any. */
void hca_rdd_put(struct hca_rdd *rdd)
{
	refcount_dec(&rdd->users);
}

static int UVERBS_HANDLER(HCA_METHOD_RDD_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobject = uverbs_attr_get_uobject(attrs, HCA_ATTR_RDD_ALLOC_HANDLE);
	struct hca_ib_context *context = to_hca_ib_context(uobject->context);
	struct hca_rdd *rdd;
	int ret;

	ret = hca_object_add(context->ib.device, HCA_OBJ_RDD);
	if (ret)
		return ret;
	rdd = kmalloc(sizeof(*rdd), GFP_KERNEL);
	if (!rdd) {
		ret = -ENOMEM;
		goto err_object;
	}
	refcount_set(&rdd->users, 1);
	ret = xa_insert(&context->rdds, uobject->id, rdd, GFP_KERNEL);
	if (ret)
		goto err_insert;
	uobject->object = rdd;
	return 0;

err_insert:
	kfree(rdd);
err_object:
	hca_object_del(context->ib.device, HCA_OBJ_RDD);
	return ret;
}

/*
 * Refused while somebody is in it; when a context goes as a whole, the core tries again after
 * the others have gone.
 */
static int rdd_free(struct ib_uobject *uobject, enum rdma_remove_reason why,
		    struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_context *context = to_hca_ib_context(uobject->context);
	struct hca_rdd *rdd = uobject->object;

	if (!refcount_dec_if_one(&rdd->users))
		return -EBUSY;
	xa_erase(&context->rdds, uobject->id);
	kfree(rdd);
	hca_object_del(context->ib.device, HCA_OBJ_RDD);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_RDD_ALLOC,
			    UVERBS_ATTR_IDR(HCA_ATTR_RDD_ALLOC_HANDLE, HCA_OBJECT_RDD,
					    UVERBS_ACCESS_NEW, UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(HCA_METHOD_RDD_DEALLOC,
				    UVERBS_ATTR_IDR(HCA_ATTR_RDD_DEALLOC_HANDLE, HCA_OBJECT_RDD,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(HCA_OBJECT_RDD, UVERBS_TYPE_ALLOC_IDR(rdd_free),
			    &UVERBS_METHOD(HCA_METHOD_RDD_ALLOC),
			    &UVERBS_METHOD(HCA_METHOD_RDD_DEALLOC));

const struct uapi_definition hca_rdd_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(HCA_OBJECT_RDD),
	{},
};
