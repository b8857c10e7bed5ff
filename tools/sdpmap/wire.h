/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The messages of SDP's port mapper protocol. */
#ifndef HCA_TOOLS_SDPMAP_WIRE_H
#define HCA_TOOLS_SDPMAP_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/endpoint.h"

#define SDPMAP_OCTETS 48 /* size of a message of any type in octets (S2-098) */
#define SDPMAP_PORT 3935 /* default UDP port of the port mapper (S2-307) */

/**
 * enum sdpmap_type - the type of a message, which is the value of its field MT (S2-100)
 * @SDPMAP_REQ: PMReq, the request of a client for the SDP address of a service
 * @SDPMAP_ACCEPT: PMAccept, the reply of the server if the service has an SDP address
 * @SDPMAP_ACK: PMAck, the confirmation of the client that it has received PMAccept
 * @SDPMAP_DENY: PMDeny, the reply of the server if the service does not have an SDP address
 */
enum sdpmap_type { SDPMAP_REQ, SDPMAP_ACCEPT, SDPMAP_ACK, SDPMAP_DENY };

/**
 * struct sdpmap_message - the fields of a message
 * @type: MT
 * @ip_version: IPV, which is the IP version of both addresses: 4 or 6
 * @pm_time: PmTime of PMAccept, which sdpmap_lifetime() converts
 * @ap_port: ApPort, which is the port of the service or, in a reply, its SDP port
 * @cp_port: CpPort, which is the port from which the client will connect
 * @handle: AssocHandle, which distinguishes the transactions of a client
 * @cp_address: CpIPAddr, which is the address of the client
 * @ap_address: ApIPAddr, which is the address of the server
 */
struct sdpmap_message {
	enum sdpmap_type type;
	uint8_t ip_version;
	uint8_t pm_time;
	uint16_t ap_port, cp_port;
	uint64_t handle;
	uint8_t cp_address[SDPMAP_ADDRESS], ap_address[SDPMAP_ADDRESS];
};

/**
 * enum sdpmap_fault - the reason why octets are not a valid message
 * @SDPMAP_OK: the message is valid
 * @SDPMAP_FAULT_LENGTH: the length is not 48 octets
 * @SDPMAP_FAULT_VERSION: Ver is not 0
 * @SDPMAP_FAULT_IP_VERSION: IPV is neither 4 nor 6
 */
enum sdpmap_fault {
	SDPMAP_OK,
	SDPMAP_FAULT_LENGTH,
	SDPMAP_FAULT_VERSION,
	SDPMAP_FAULT_IP_VERSION,
};

/**
 * sdpmap_parse() - parse a message
 * @message: set if the message is valid; the unused octets of an IPv4 address are set to 0 (S2-101)
 * @octets: the received octets
 * @size: number of received octets
 */
enum sdpmap_fault sdpmap_parse(struct sdpmap_message *message, const uint8_t *octets, size_t size);

/**
 * sdpmap_pack() - pack a message
 * @message: the fields of the message
 * @octets: set to the message, which has SDPMAP_OCTETS octets
 */
void sdpmap_pack(const struct sdpmap_message *message, uint8_t *octets);

/**
 * sdpmap_ap() - the endpoint that consists of ApIPAddr and ApPort of a message
 * @message: the fields of the message
 */
struct sdpmap_endpoint sdpmap_ap(const struct sdpmap_message *message);

/**
 * sdpmap_cp() - the endpoint that consists of CpIPAddr and CpPort of a message
 * @message: the fields of the message
 */
struct sdpmap_endpoint sdpmap_cp(const struct sdpmap_message *message);

#endif
