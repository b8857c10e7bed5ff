/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An open file of /dev/hca_tap, which is a capture. */
#ifndef HCA_CONTROL_TAP_FILE_H
#define HCA_CONTROL_TAP_FILE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include "capture/capture.h"

#define HCA_TAP_MAX_PORTS 1024 /* of a capture; queue pairs of RNICs count as ports */
#define HCA_TAP_KEPT_TAPS 4 /* how many taps of a port or an RNIC are reserved for root */

struct tap_file {
	struct hca_capture capture; /* capture.ring is NULL before HCA_TAP_SETUP or HCA_TAP_ADD */
	wait_queue_head_t wait;
	/*
	 * Serializes read() and ioctl(); acquired before the control mutex. A wait for the lock can
	 * be interrupted, since its holder may wait for memory of the process.
	 */
	struct mutex lock;
	bool ready; /* @capture is initialized; read without the lock */
	kuid_t user; /* user that has opened the file */
	/* The control mutex guards the fields below. */
	struct list_head entry; /* entry of tap_files */
	struct list_head taps; /* struct hca_tap, of ports */
	struct list_head rnic_taps; /* struct hca_rnic_tap */
	u16 num_taps; /* number of taps added so far, and thus the number of the next one */
	unsigned int live; /* number of taps attached to a device; read without the mutex */
};

static inline struct tap_file *hca_tap_file_of(struct hca_capture *capture)
{
	return container_of(capture, struct tap_file, capture);
}

/* Count a tap that is being attached. Context: the control mutex held. Return: its number. */
static inline int hca_tap_file_begun(struct tap_file *file)
{
	WRITE_ONCE(file->live, file->live + 1);
	return file->num_taps++;
}

/*
 * Report that a tap was detached and has written its last record. Context: the control mutex held.
 */
static inline void hca_tap_file_ended(struct tap_file *file)
{
	smp_store_release(&file->live, file->live - 1);
	wake_up_interruptible_poll(&file->wait, EPOLLIN | EPOLLHUP);
}

#endif
