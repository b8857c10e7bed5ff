/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Datagrams of a server, each of which is answered from the address that it was sent to. */
#ifndef HCA_TOOLS_SDPMAP_DATAGRAM_H
#define HCA_TOOLS_SDPMAP_DATAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/address.h"
#include "tools/sdpmap/wire.h"

/**
 * struct datagram - a datagram that was received
 * @octets: what it has, but for what is behind one octet more than a message has
 * @size: octets of @octets that are set
 * @from: where it came from
 * @to: the address that it was sent to, which can be that of an answer
 */
struct datagram {
	uint8_t octets[SDPMAP_OCTETS + 1];
	size_t size;
	struct address from, to;
};

/**
 * datagram_socket() - a UDP socket that datagrams are received from
 * @address: the address and port that it is bound to
 *
 * Return: its descriptor, which does not block, or -1 with errno.
 */
int datagram_socket(const struct address *address);

/**
 * datagram_receive() - receive a datagram
 * @fd: the socket
 * @datagram: where it is stored
 *
 * Return: whether there was one. The @size of one that was sent to many hosts is 0, so that it has
 * no answer.
 */
bool datagram_receive(int fd, struct datagram *datagram);

/**
 * datagram_answer() - answer a datagram
 * @fd: the socket that it was received from
 * @datagram: the datagram
 * @octets: the answer, of SDPMAP_OCTETS octets
 *
 * Return: whether the answer was sent; else errno is set.
 */
bool datagram_answer(int fd, const struct datagram *datagram, const uint8_t *octets);

#endif
