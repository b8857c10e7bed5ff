// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packs and parses the messages of SDP's port mapper protocol. */
#include "tools/sdpmap/wire.h"
#include <string.h>

/*
 * Offsets of the fields in octets. Octet 0 contains the fields Ver, MT and IPV, with Ver in the
 * highest bits (S2-A1).
 */
#define AT_PM_TIME 1
#define AT_AP_PORT 4
#define AT_CP_PORT 6
#define AT_HANDLE 8
#define AT_CP_ADDRESS 16
#define AT_AP_ADDRESS 32

#define IPV4_OCTETS 4

static uint64_t wire_get(const uint8_t *octets, unsigned int size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | *octets++;
	return value;
}

static void wire_put(uint8_t *octets, unsigned int size, uint64_t value)
{
	while (size--) {
		octets[size] = value;
		value >>= 8;
	}
}

/* Copies the valid octets of an address, and sets the rest to 0. */
static void copy_address(uint8_t *to, const uint8_t *from, unsigned int ip_version)
{
	memset(to, 0, SDPMAP_ADDRESS);
	memcpy(to, from, ip_version == 4 ? IPV4_OCTETS : SDPMAP_ADDRESS);
}

enum sdpmap_fault sdpmap_parse(struct sdpmap_message *message, const uint8_t *octets, size_t size)
{
	unsigned int ip_version;

	if (size != SDPMAP_OCTETS)
		return SDPMAP_FAULT_LENGTH;
	if (octets[0] >> 6)
		return SDPMAP_FAULT_VERSION;
	ip_version = octets[0] & 0xf;
	if (ip_version != 4 && ip_version != 6)
		return SDPMAP_FAULT_IP_VERSION;
	message->type = octets[0] >> 4 & 3;
	message->ip_version = ip_version;
	message->pm_time = octets[AT_PM_TIME];
	message->ap_port = wire_get(octets + AT_AP_PORT, 2);
	message->cp_port = wire_get(octets + AT_CP_PORT, 2);
	message->handle = wire_get(octets + AT_HANDLE, 8);
	copy_address(message->cp_address, octets + AT_CP_ADDRESS, ip_version);
	copy_address(message->ap_address, octets + AT_AP_ADDRESS, ip_version);
	return SDPMAP_OK;
}

void sdpmap_pack(const struct sdpmap_message *message, uint8_t *octets)
{
	memset(octets, 0, SDPMAP_OCTETS);
	octets[0] = message->type << 4 | message->ip_version;
	octets[AT_PM_TIME] = message->pm_time;
	wire_put(octets + AT_AP_PORT, 2, message->ap_port);
	wire_put(octets + AT_CP_PORT, 2, message->cp_port);
	wire_put(octets + AT_HANDLE, 8, message->handle);
	copy_address(octets + AT_CP_ADDRESS, message->cp_address, message->ip_version);
	copy_address(octets + AT_AP_ADDRESS, message->ap_address, message->ip_version);
}

static struct sdpmap_endpoint endpoint_of(unsigned int ip_version, const uint8_t *address,
					  uint16_t port)
{
	struct sdpmap_endpoint endpoint = { .ip_version = ip_version, .port = port };

	copy_address(endpoint.address, address, ip_version);
	return endpoint;
}

struct sdpmap_endpoint sdpmap_ap(const struct sdpmap_message *message)
{
	return endpoint_of(message->ip_version, message->ap_address, message->ap_port);
}

struct sdpmap_endpoint sdpmap_cp(const struct sdpmap_message *message)
{
	return endpoint_of(message->ip_version, message->cp_address, message->cp_port);
}
