// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The columns of /proc/net/sdp. */
#include "tools/stat/column.h"
#include <string.h>

const struct column_spec columns[NUM_COLUMNS] = {
	[COLUMN_STATE] = { "State", "STATE", "state", COLUMN_TEXT, true },
	[COLUMN_RECV_Q] = { "Recv-Q", "RECV-Q", "recv_q", COLUMN_NUMBER, true },
	[COLUMN_SEND_Q] = { "Send-Q", "SEND-Q", "send_q", COLUMN_NUMBER, true },
	[COLUMN_LOCAL] = { "Local", "LOCAL", "local", COLUMN_NAME, true },
	[COLUMN_PEER] = { "Peer", "PEER", "peer", COLUMN_NAME, true },
	[COLUMN_UID] = { "UID", "UID", "uid", COLUMN_NUMBER, true },
	[COLUMN_INODE] = { "Inode", "INODE", "inode", COLUMN_NUMBER, true },
	[COLUMN_DEVICE] = { "Device", "DEVICE", "device", COLUMN_TEXT, true },
	[COLUMN_QPN] = { "QPN", "QPN", "qpn", COLUMN_NUMBER, true },
	[COLUMN_SEND_MODE] = { "Send-Mode", "SEND-MODE", "send_mode", COLUMN_TEXT },
	[COLUMN_RECV_MODE] = { "Recv-Mode", "RECV-MODE", "recv_mode", COLUMN_TEXT },
	[COLUMN_CREDITS] = { "Credits", "CREDITS", "credits", COLUMN_NUMBER },
	[COLUMN_BUFFERS] = { "Buffers", "BUFFERS", "buffers", COLUMN_NUMBER },
	[COLUMN_PEER_SIZE] = { "Peer-Size", "PEER-SIZE", "peer_size", COLUMN_NUMBER },
	[COLUMN_ADVERTISED] = { "Advertised", "ADVERTISED", "advertised", COLUMN_NUMBER },
	[COLUMN_OFFERED] = { "Offered", "OFFERED", "offered", COLUMN_NUMBER },
	[COLUMN_SENT] = { "Sent", "SENT", "sent", COLUMN_NUMBER },
	[COLUMN_RECEIVED] = { "Received", "RECEIVED", "received", COLUMN_NUMBER },
};

enum column column_find(const char *title)
{
	enum column column = 0;

	while (column < NUM_COLUMNS && strcmp(columns[column].title, title))
		column++;
	return column;
}
