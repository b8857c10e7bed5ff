// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The services of this host, which are the listening SDP sockets that the rules allow. */
#include "tools/sdpmap/services.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/sdp/file.h"
#include "tools/sdpmap/address.h"
#include "tools/sdpmap/listener.h"
#include "tools/sdpmap/local.h"

#define LINE_OCTETS 256

/* Return value of sdp_rules_find() if no rule of a file matches. */
#define NO_RULE ((enum sdp_use)(SDP_USE_MAP + 1))

void services_add_rules(struct services *services, const char *path)
{
	struct sdp_rules *rules;

	services->rules = grow(services->rules, services->num_rules, sizeof(*rules));
	rules = &services->rules[services->num_rules++];
	free(file_read(path, rules));
	rules->otherwise = NO_RULE;
	/*
	 * Only rules for all programs are kept, because the program of a listening socket is
	 * unknown.
	 */
	sdp_rules_select(rules, "");
}

void services_renew(struct services *services)
{
	services->is_read = false;
	local_renew();
}

static void read_listeners(struct services *services, FILE *file)
{
	struct sdpmap_endpoint listener;
	char line[LINE_OCTETS];

	while (fgets(line, sizeof(line), file)) {
		if (!sdpmap_listener_parse(&listener, line))
			continue;
		services->listeners = grow(services->listeners, services->count, sizeof(listener));
		services->listeners[services->count++] = listener;
	}
}

/* Prints a message when the list of sockets becomes readable or unreadable. */
static void services_report(struct services *services, int error)
{
	if (error == services->error)
		return;
	services->error = error;
	if (!error)
		print_message("%s can be read again", services->path);
	else
		print_message("cannot read %s, so that all requests are denied: %s%s",
			      services->path, strerror(error),
			      error == ENOENT && !strcmp(services->path, SERVICES_LIST) ?
				      "; it is there once hca_sdp.ko is loaded" :
				      "");
}

static void read_list(struct services *services)
{
	FILE *file = fopen(services->path, "re");
	int error = file ? 0 : errno;

	services_free(services);
	if (file) {
		read_listeners(services, file);
		error = ferror(file) ? EIO : 0;
		fclose(file);
	}
	services_report(services, error);
	services->is_read = true;
}

/*
 * Returns whether the rules allow a service. The first rule that matches decides. Files are
 * searched in the order in which they were added.
 */
static bool services_allows(const struct services *services, const struct sdpmap_endpoint *service)
{
	struct address address = address_of(service);
	enum sdp_use use = NO_RULE;
	unsigned int i;

	for (i = 0; i < services->num_rules && use == NO_RULE; i++)
		use = sdp_rules_find(&services->rules[i], SDP_ROLE_SERVER, &address.any);
	return use != SDP_USE_TCP;
}

bool services_listens(void *context, const struct sdpmap_endpoint *service)
{
	struct services *services = context;
	size_t i;

	if (!services_allows(services, service))
		return false;
	if (!services->is_read)
		read_list(services);
	for (i = 0; i < services->count; i++)
		if (sdpmap_listener_serves(&services->listeners[i], service, local_has))
			return true;
	return false;
}

void services_free(struct services *services)
{
	free(services->listeners);
	services->listeners = NULL;
	services->count = 0;
}
