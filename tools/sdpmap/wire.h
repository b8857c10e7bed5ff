/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Messages of SDP's port mapper protocol in wire format. */
#ifndef HCA_TOOLS_SDPMAP_WIRE_H
#define HCA_TOOLS_SDPMAP_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/endpoint.h"

#define SDPMAP_OCTETS 48 /* of a message, whatever its type is (S2-098) */
#define SDPMAP_PORT 3935 /* of UDP, by default (S2-307) */

/**
 * enum sdpmap_type - MT, the type of a message (S2-100)
 * @SDPMAP_REQ: PMReq: a client asks for the SDP address of a service
 * @SDPMAP_ACCEPT: PMAccept: the server has one
 * @SDPMAP_ACK: PMAck: the client has received PMAccept
 * @SDPMAP_DENY: PMDeny: the server has none
 */
enum sdpmap_type { SDPMAP_REQ, SDPMAP_ACCEPT, SDPMAP_ACK, SDPMAP_DENY };

/**
 * struct sdpmap_message - the fields of a message
 * @type: MT
 * @ip_version: IPV, of both addresses: 4 or 6
 * @pm_time: PmTime, of PMAccept (sdpmap_lifetime())
 * @ap_port: ApPort: the port of the service, or that of SDP
 * @cp_port: CpPort: the port that the client will connect from
 * @handle: AssocHandle, which tells transactions of a client from each other
 * @cp_address: CpIPAddr: the client's address
 * @ap_address: ApIPAddr: the server's address
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
 * enum sdpmap_fault - what is wrong with octets that are no message
 * @SDPMAP_OK: nothing
 * @SDPMAP_FAULT_LENGTH: they are more or fewer than 48
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
 * sdpmap_parse() - the message that octets are
 * @message: set if they are one; what is not valid of an IPv4 address is 0 in it (S2-101)
 * @octets: what was received
 * @size: how many octets were received
 */
enum sdpmap_fault sdpmap_parse(struct sdpmap_message *message, const uint8_t *octets, size_t size);

/**
 * sdpmap_pack() - the octets of a message
 * @message: the message
 * @octets: where SDPMAP_OCTETS octets are written
 */
void sdpmap_pack(const struct sdpmap_message *message, uint8_t *octets);

/**
 * sdpmap_ap() - ApIPAddr and ApPort of a message
 * @message: the message
 */
struct sdpmap_endpoint sdpmap_ap(const struct sdpmap_message *message);

/**
 * sdpmap_cp() - CpIPAddr and CpPort of a message
 * @message: the message
 */
struct sdpmap_endpoint sdpmap_cp(const struct sdpmap_message *message);

#endif
