/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Datagrams of a server. Each is answered from the address that it was sent to. */
#ifndef HCA_TOOLS_SDPMAP_DATAGRAM_H
#define HCA_TOOLS_SDPMAP_DATAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/address.h"
#include "tools/sdpmap/wire.h"

/**
 * struct datagram - a received datagram
 * @octets: its contents, cut to one octet more than a message has
 * @size: number of valid octets of @octets; 0: the datagram must not be answered
 * @from: source address
 * @to: destination address, which is the source address of the answer
 */
struct datagram {
	uint8_t octets[SDPMAP_OCTETS + 1];
	size_t size;
	struct address from, to;
};

/**
 * datagram_socket() - make a UDP socket for receiving datagrams
 * @address: the address and port that the socket is bound to
 *
 * Return: the descriptor of the socket, which is non-blocking; or -1 with errno.
 */
int datagram_socket(const struct address *address);

/**
 * datagram_receive() - receive a datagram
 * @fd: the socket
 * @datagram: the place for the datagram
 *
 * Return: whether a datagram was received. The @size of a multicast or broadcast datagram is 0, so
 * that it is not answered.
 */
bool datagram_receive(int fd, struct datagram *datagram);

/**
 * datagram_answer() - answer a datagram
 * @fd: the socket that the datagram was received from
 * @datagram: the datagram
 * @octets: the answer, of SDPMAP_OCTETS octets
 *
 * Return: whether the answer was sent; otherwise errno is set.
 */
bool datagram_answer(int fd, const struct datagram *datagram, const uint8_t *octets);

#endif
