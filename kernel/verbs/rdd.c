// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reliable datagram domains (req V3-321, V3-322), a uverbs object type of this driver. The address
 * of struct hca_domain identifies a domain. A queue pair or EE context of a domain is a user of the
 * handle that it was created with (req V3-152). Contexts that name one file share its domain (req
 * V3-150). The file must be a regular one: the file of a context could keep that context alive for
 * ever.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include "verbs/verbs.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

void hca_domains_init(struct hca_device *dev)
{
	mutex_init(&dev->domains_lock);
	INIT_LIST_HEAD(&dev->domains);
}

/* The caller holds domains_lock. */
static struct hca_domain *domain_find(struct hca_device *dev, const struct file *file)
{
	struct hca_domain *domain;

	list_for_each_entry(domain, &dev->domains, node)
		if (domain->file && file_inode(domain->file) == file_inode(file))
			return domain;
	return NULL;
}

/* The caller holds domains_lock. */
static struct hca_domain *domain_new(struct hca_device *dev, struct file *file)
{
	struct hca_domain *domain = kzalloc(sizeof(*domain), GFP_KERNEL_ACCOUNT);

	if (!domain)
		return NULL;
	domain->file = file ? get_file(file) : NULL;
	list_add(&domain->node, &dev->domains);
	return domain;
}

/* Adds a handle to the domain of the file, or to a new one. Return: NULL without memory. */
static struct hca_domain *domain_get(struct hca_device *dev, struct file *file)
{
	struct hca_domain *domain;

	mutex_lock(&dev->domains_lock);
	domain = file ? domain_find(dev, file) : NULL;
	if (!domain)
		domain = domain_new(dev, file);
	if (domain)
		domain->handles++;
	mutex_unlock(&dev->domains_lock);
	return domain;
}

static void domain_put(struct hca_device *dev, struct hca_domain *domain)
{
	bool last;

	mutex_lock(&dev->domains_lock);
	last = !--domain->handles;
	if (last)
		list_del(&domain->node);
	mutex_unlock(&dev->domains_lock);
	if (!last)
		return;
	if (domain->file)
		fput(domain->file);
	kfree(domain);
}

void hca_rdds_init(struct hca_ib_context *context)
{
	xa_init(&context->rdds);
}

/**
 * hca_rdd_find() - find a domain of a context and increase its user count
 * @context: context that owns the handle
 * @handle: handle of the uverbs object
 *
 * Context: process.
 * Return: the domain, or NULL if the context has no such handle.
 */
struct hca_rdd *hca_rdd_find(struct hca_ib_context *context, u32 handle)
{
	struct hca_rdd *rdd;

	xa_lock(&context->rdds); /* rdd_free() erases the entry before it frees the domain */
	rdd = xa_load(&context->rdds, handle);
	if (rdd && !refcount_inc_not_zero(&rdd->users))
		rdd = NULL;
	xa_unlock(&context->rdds);
	return rdd;
}

/* Increases the user count; the caller has a reference. Context: any. */
void hca_rdd_get(struct hca_rdd *rdd)
{
	refcount_inc(&rdd->users);
}

/* Decreases the user count. The last reference is always that of the handle. Context: any. */
void hca_rdd_put(struct hca_rdd *rdd)
{
	refcount_dec(&rdd->users);
}

/*
 * Gets a reference to the file that names the domain. Return: NULL if the command has no file, or
 * ERR_PTR: -EBADF (no such descriptor), -EINVAL (no regular file).
 */
static struct file *file_of(struct uverbs_attr_bundle *attrs)
{
	struct file *file;
	int fd, ret;

	if (!uverbs_attr_is_valid(attrs, HCA_ATTR_RDD_ALLOC_FILE))
		return NULL;
	ret = uverbs_get_raw_fd(&fd, attrs, HCA_ATTR_RDD_ALLOC_FILE);
	if (ret)
		return ERR_PTR(ret);
	file = fget(fd);
	if (!file)
		return ERR_PTR(-EBADF);
	if (S_ISREG(file_inode(file)->i_mode))
		return file;
	fput(file);
	return ERR_PTR(-EINVAL);
}

static int rdd_alloc(struct ib_uobject *uobject, struct file *file)
{
	struct hca_ib_context *context = to_hca_ib_context(uobject->context);
	struct hca_device *dev = to_hca_device(context->ib.device);
	struct hca_rdd *rdd;
	int ret = -ENOMEM;

	rdd = kmalloc(sizeof(*rdd), GFP_KERNEL_ACCOUNT);
	if (!rdd)
		return ret;
	rdd->domain = domain_get(dev, file);
	if (!rdd->domain)
		goto err_domain;
	refcount_set(&rdd->users, 1);
	ret = xa_insert(&context->rdds, uobject->id, rdd, GFP_KERNEL_ACCOUNT);
	if (ret)
		goto err_insert;
	uobject->object = rdd;
	return 0;

err_insert:
	domain_put(dev, rdd->domain);
err_domain:
	kfree(rdd);
	return ret;
}

static int UVERBS_HANDLER(HCA_METHOD_RDD_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobject = uverbs_attr_get_uobject(attrs, HCA_ATTR_RDD_ALLOC_HANDLE);
	struct ib_device *ib = uobject->context->device;
	struct file *file = file_of(attrs);
	int ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = hca_object_add(ib, HCA_OBJ_RDD);
	if (!ret) {
		ret = rdd_alloc(uobject, file);
		if (ret)
			hca_object_del(ib, HCA_OBJ_RDD);
	}
	if (file)
		fput(file); /* the domain has its own reference */
	return ret;
}

/*
 * Fails with -EBUSY while the domain has users. When a whole context is destroyed the core tries
 * again after it has destroyed the users.
 */
static int rdd_free(struct ib_uobject *uobject, enum rdma_remove_reason why,
		    struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_context *context = to_hca_ib_context(uobject->context);
	struct hca_rdd *rdd = uobject->object;

	if (!refcount_dec_if_one(&rdd->users))
		return -EBUSY;
	xa_erase(&context->rdds, uobject->id);
	domain_put(to_hca_device(context->ib.device), rdd->domain);
	kfree(rdd);
	hca_object_del(context->ib.device, HCA_OBJ_RDD);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_RDD_ALLOC,
			    UVERBS_ATTR_IDR(HCA_ATTR_RDD_ALLOC_HANDLE, HCA_OBJECT_RDD,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_RAW_FD(HCA_ATTR_RDD_ALLOC_FILE, UA_OPTIONAL));

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
