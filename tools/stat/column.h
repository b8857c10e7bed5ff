/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The columns of /proc/net/sdp. */
#ifndef HCA_TOOLS_STAT_COLUMN_H
#define HCA_TOOLS_STAT_COLUMN_H

#include <stdbool.h>

enum column {
	COLUMN_STATE,
	COLUMN_RECV_Q,
	COLUMN_SEND_Q,
	COLUMN_LOCAL,
	COLUMN_PEER,
	COLUMN_UID,
	COLUMN_INODE,
	COLUMN_DEVICE,
	COLUMN_QPN,
	COLUMN_SEND_MODE,
	COLUMN_RECV_MODE,
	COLUMN_CREDITS,
	COLUMN_BUFFERS,
	COLUMN_PEER_SIZE,
	COLUMN_ADVERTISED,
	COLUMN_OFFERED,
	COLUMN_SENT,
	COLUMN_RECEIVED,
	NUM_COLUMNS,
};

enum column_kind { COLUMN_TEXT, COLUMN_NUMBER, COLUMN_NAME };

/* The properties of a column. */
struct column_spec {
	const char *title; /* title of the column in /proc/net/sdp */
	const char *heading; /* title of the column in a table */
	const char *key; /* key of the column in JSON */
	enum column_kind kind; /* kind of the column's values; COLUMN_NAME: an address and a port */
	/* all versions of the kernel module have the column, so the file must have it */
	bool is_needed;
};

extern const struct column_spec columns[NUM_COLUMNS];

/**
 * column_find() - find the column with a title
 * @title: title of a column in /proc/net/sdp
 *
 * Return: the column; NUM_COLUMNS if the title is unknown.
 */
enum column column_find(const char *title);

#endif
