// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The records of SDP sockets that may still become TCP sockets. */
#include "tools/sdp/pending.h"
#include <string.h>
#include <sys/stat.h>

/* Records of sockets, indexed by descriptor. Pages of unused records do not occupy memory. */
static struct pending table[PENDING_DESCRIPTORS];

static bool is_recordable(int fd)
{
	return fd >= 0 && fd < PENDING_DESCRIPTORS;
}

static uint64_t inode_of(int fd)
{
	struct stat status;

	return fstat(fd, &status) || !S_ISSOCK(status.st_mode) ? 0 : status.st_ino;
}

bool pending_add(int fd, int domain)
{
	struct pending *pending;
	unsigned int i;

	if (!is_recordable(fd))
		return false;
	pending = &table[fd];
	pending->domain = domain;
	pending->is_bound = false;
	pending->num_options = 0;
	for (i = 0; i < PENDING_OPTIONS; i++)
		pending->options[i].complete = false;
	pending->inode = inode_of(fd);
	return true;
}

struct pending *pending_find(int fd)
{
	struct pending *pending;
	uint64_t inode;

	if (!is_recordable(fd))
		return NULL;
	pending = &table[fd];
	inode = pending->inode;
	return inode && inode == inode_of(fd) ? pending : NULL;
}

void pending_remove(struct pending *pending)
{
	pending->inode = 0;
}

/*
 * Returns whether the value of an option contains a pointer or a descriptor. Such a value may be
 * invalid when the option is later copied to the TCP socket.
 */
static bool refers_to_more(int level, int name)
{
	static const int names[] = { SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF,
				     SO_ATTACH_REUSEPORT_EBPF };
	unsigned int i;

	if (level != SOL_SOCKET)
		return false;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i] == name)
			return true;
	return false;
}

void pending_record(struct pending *pending, int level, int name, const void *value,
		    socklen_t length)
{
	struct pending_option *option;
	unsigned int index;

	if (length > PENDING_VALUE || refers_to_more(level, name))
		return;
	index = atomic_fetch_add(&pending->num_options, 1);
	if (index >= PENDING_OPTIONS)
		return;
	option = &pending->options[index];
	option->level = level;
	option->name = name;
	option->length = length;
	if (length)
		memcpy(option->value, value, length);
	option->complete = true;
}
