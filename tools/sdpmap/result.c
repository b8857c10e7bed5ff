// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints the results of --query. */
#include "tools/sdpmap/result.h"
#include <inttypes.h>
#include <stdio.h>
#include "tools/sdpmap/address.h"

static void print_lifetime(uint8_t pm_time)
{
	uint64_t lifetime = sdpmap_lifetime(pm_time);

	if (lifetime == SDPMAP_FOREVER)
		puts(", permanently");
	else if (!lifetime)
		puts(", for one connection");
	else
		printf(", for %" PRIu64 ".%02" PRIu64 " s\n", lifetime / 1000,
		       lifetime % 1000 / 10);
}

void result_print(const struct result *result)
{
	char text[ADDRESS_TEXT];

	printf("%s: ", address_text(&result->mapping.service, text));
	switch (result->state) {
	case SDPMAP_ACCEPTED:
		printf("SDP at %s", address_text(&result->mapping.sdp, text));
		print_lifetime(result->mapping.pm_time);
		break;
	case SDPMAP_DENIED:
		puts("no SDP: connect by TCP");
		break;
	default:
		printf("no answer from %s to %u requests: connect by TCP\n",
		       address_text(&result->mapper, text), result->tries);
	}
}

static void print_endpoint(const char *prefix, const struct sdpmap_endpoint *endpoint)
{
	char text[ADDRESS_TEXT];

	printf("\"%saddress\": \"%s\", \"%sport\": %u, ", prefix, address_host(endpoint, text),
	       prefix, endpoint->port);
}

void result_print_json(const struct result *result, bool is_first)
{
	static const char *const results[] = {
		[SDPMAP_ACCEPTED] = "accept",
		[SDPMAP_DENIED] = "deny",
		[SDPMAP_NO_ANSWER] = "no-answer",
	};

	fputs(is_first ? "[\n  { " : ",\n  { ", stdout);
	print_endpoint("", &result->mapping.service);
	printf("\"result\": \"%s\", ", results[result->state]);
	if (result->state == SDPMAP_ACCEPTED) {
		print_endpoint("sdp_", &result->mapping.sdp);
		printf("\"pm_time\": %u, ", result->mapping.pm_time);
	}
	print_endpoint("mapper_", &result->mapper);
	printf("\"tries\": %u }", result->tries);
}
