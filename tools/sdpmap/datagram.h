/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Receives and sends the datagrams of a server. An answer is sent from the address that received
 * the request.
 */
#ifndef HCA_TOOLS_SDPMAP_DATAGRAM_H
#define HCA_TOOLS_SDPMAP_DATAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/address.h"
#include "tools/sdpmap/wire.h"

/**
 * struct datagram - a received datagram
 * @octets: contents of the datagram, cut off after SDPMAP_OCTETS + 1 octets
 * @size: number of valid octets in @octets; 0: the datagram must not be answered
 * @from: source address
 * @to: destination address, which becomes the source address of the answer
 */
struct datagram {
	uint8_t octets[SDPMAP_OCTETS + 1];
	size_t size;
	struct address from, to;
};

/**
 * datagram_socket() - make a UDP socket for receiving datagrams
 * @address: address and port to which the socket is bound
 *
 * Return: the descriptor of the socket, which is non-blocking; or -1 with errno.
 */
int datagram_socket(const struct address *address);

/**
 * datagram_receive() - receive a datagram
 * @fd: descriptor of a socket from datagram_socket()
 * @datagram: set to the datagram. If it is a multicast or broadcast, its @size is 0, so that it is
 *            not answered.
 *
 * Return: whether a datagram was received.
 */
bool datagram_receive(int fd, struct datagram *datagram);

/**
 * datagram_answer() - answer a datagram
 * @fd: descriptor of the socket that has received the datagram
 * @datagram: the received datagram
 * @octets: the answer, of SDPMAP_OCTETS octets
 *
 * Return: true; or false with errno set.
 */
bool datagram_answer(int fd, const struct datagram *datagram, const uint8_t *octets);

#endif
