// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reliable datagram domains (req V3-321, V3-322), a uverbs object type of this driver. The address
 * of struct hca_domain identifies a domain. A queue pair or EE context of a domain is a user of the
 * handle that it was created with (req V3-152).
 *
 * Contexts that name the same file share a domain (req V3-150). The file must be open for writing:
 * the permission to read a file is not enough to join a domain. A domain stores the identity of the
 * file, and holds no reference to the file. The file system can therefore be unmounted. A later
 * file with the same inode number has another generation.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include "verbs/ib/ca_device.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

void hca_domains_init(struct hca_ca_device *dev)
{
	mutex_init(&dev->domains_lock);
	INIT_LIST_HEAD(&dev->domains);
}

static bool rdd_domain_is_of(const struct hca_domain *domain, const struct hca_file_id *id)
{
	return domain->id.inode == id->inode && domain->id.device == id->device &&
	       domain->id.generation == id->generation && domain->id.magic == id->magic;
}

/*
 * Finds the domain of a file. The caller holds domains_lock. The search visits all shared domains,
 * HCA_MAX_RDD at most. It delays only the allocation and freeing of other domains.
 */
static struct hca_domain *rdd_domain_find(struct hca_ca_device *dev, const struct hca_file_id *id)
{
	struct hca_domain *domain;

	list_for_each_entry(domain, &dev->domains, node)
		if (rdd_domain_is_of(domain, id))
			return domain;
	return NULL;
}

/*
 * Adds a handle to the domain of the file, or to a new domain if the file has none or if @id is
 * NULL. Return: the domain; NULL if there is no memory.
 */
static struct hca_domain *rdd_domain_get(struct hca_ca_device *dev, const struct hca_file_id *id)
{
	struct hca_domain *new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT), *domain;

	if (!new)
		return NULL;
	INIT_LIST_HEAD(&new->node);
	mutex_lock(&dev->domains_lock);
	domain = id ? rdd_domain_find(dev, id) : NULL;
	if (!domain) {
		swap(domain, new);
		if (id) {
			domain->id = *id;
			list_add(&domain->node, &dev->domains);
		}
	}
	domain->handles++;
	mutex_unlock(&dev->domains_lock);
	kfree(new);
	return domain;
}

static void rdd_domain_put(struct hca_ca_device *dev, struct hca_domain *domain)
{
	bool last;

	mutex_lock(&dev->domains_lock);
	last = !--domain->handles;
	if (last)
		list_del(&domain->node);
	mutex_unlock(&dev->domains_lock);
	if (last)
		kfree(domain);
}

/**
 * hca_rdd_find() - find a handle of a domain, and increase the user count of the handle
 * @context: context that owns the handle
 * @handle: number of the handle
 *
 * Context: process.
 * Return: the handle, or NULL if the context has no such handle.
 */
struct hca_rdd *hca_rdd_find(struct hca_ib_context *context, u32 handle)
{
	struct hca_rdd *rdd;

	xa_lock(&context->rdds); /* rdd_free() erases the handle before it frees the handle */
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
 * Identifies a file by the attributes that its file system has cached, without waiting for a server
 * or for a process.
 */
static int rdd_identify_file(const struct file *file, struct hca_file_id *id)
{
	const struct inode *inode = file_inode(file);
	struct kstat stat;
	int ret;

	if (!S_ISREG(inode->i_mode))
		return -EINVAL;
	if (!(file->f_mode & FMODE_WRITE))
		return -EACCES;
	ret = vfs_getattr(&file->f_path, &stat, STATX_INO, AT_STATX_DONT_SYNC);
	if (ret)
		return ret;
	*id = (struct hca_file_id){ .device = stat.dev, .inode = stat.ino,
				    .generation = inode->i_generation,
				    .magic = inode->i_sb->s_magic };
	return 0;
}

/*
 * Return: 0; -EBADF (the descriptor is not open), -EINVAL (not a regular file), -EACCES (not open
 * for writing).
 */
static int rdd_identify_descriptor(struct uverbs_attr_bundle *attrs, struct hca_file_id *id)
{
	struct file *file;
	int fd, ret;

	ret = uverbs_get_raw_fd(&fd, attrs, HCA_ATTR_RDD_ALLOC_FILE);
	if (ret)
		return ret;
	file = fget(fd);
	if (!file)
		return -EBADF;
	ret = rdd_identify_file(file, id);
	fput(file);
	return ret;
}

static int rdd_alloc(struct ib_uobject *uobject, const struct hca_file_id *id)
{
	struct hca_ib_context *context = to_hca_ib_context(uobject->context);
	struct hca_ca_device *dev = to_hca_ca_device(context->ib.device);
	struct hca_rdd *rdd;
	int ret = -ENOMEM;

	rdd = kmalloc(sizeof(*rdd), GFP_KERNEL_ACCOUNT);
	if (!rdd)
		return ret;
	rdd->domain = rdd_domain_get(dev, id);
	if (!rdd->domain)
		goto err_domain;
	refcount_set(&rdd->users, 1);
	ret = xa_insert(&context->rdds, uobject->id, rdd, GFP_KERNEL_ACCOUNT);
	if (ret)
		goto err_insert;
	uobject->object = rdd;
	return 0;

err_insert:
	rdd_domain_put(dev, rdd->domain);
err_domain:
	kfree(rdd);
	return ret;
}

static int UVERBS_HANDLER(HCA_METHOD_RDD_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobject = uverbs_attr_get_uobject(attrs, HCA_ATTR_RDD_ALLOC_HANDLE);
	bool shared = uverbs_attr_is_valid(attrs, HCA_ATTR_RDD_ALLOC_FILE);
	struct hca_user *user = to_hca_ib_context(uobject->context)->user;
	struct ib_device *ib = uobject->context->device;
	struct hca_file_id id;
	int ret;

	ret = shared ? rdd_identify_descriptor(attrs, &id) : 0;
	if (ret)
		return ret;
	ret = hca_user_object_add(ib, user, HCA_OBJ_RDD);
	if (ret)
		return ret;
	ret = rdd_alloc(uobject, shared ? &id : NULL);
	if (ret)
		hca_user_object_del(ib, user, HCA_OBJ_RDD);
	return ret;
}

/*
 * Fails with -EBUSY while the handle has users. When a whole context is destroyed, the RDMA core
 * tries again after it has destroyed the users.
 */
static int rdd_free(struct ib_uobject *uobject, enum rdma_remove_reason why,
		    struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_context *context = to_hca_ib_context(uobject->context);
	struct hca_rdd *rdd = uobject->object;

	if (!refcount_dec_if_one(&rdd->users))
		return -EBUSY;
	xa_erase(&context->rdds, uobject->id);
	rdd_domain_put(to_hca_ca_device(context->ib.device), rdd->domain);
	kfree(rdd);
	hca_user_object_del(context->ib.device, context->user, HCA_OBJ_RDD);
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
