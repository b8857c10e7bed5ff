// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Converts the address of a link's remote end from and to text. Finds network namespaces. */
#define _GNU_SOURCE
#include "tools/ctl/address.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

#define NETNS_FOLDER "/run/netns"

int netns_open(const char *netns)
{
	char *path;
	int fd;

	if (strchr(netns, '/'))
		path = need(strdup(netns));
	else
		path = need_text(NETNS_FOLDER "/%s", netns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		print_message("netns '%s': %s: %m", netns, path);
	free(path);
	return fd;
}

char *netns_name(uint32_t inode)
{
	DIR *folder = opendir(NETNS_FOLDER);
	const struct dirent *entry;
	char *name = NULL;
	struct stat file;

	while (folder && !name && (entry = readdir(folder)))
		if (!fstatat(dirfd(folder), entry->d_name, &file, 0) && file.st_ino == inode)
			name = need(strdup(entry->d_name));
	if (folder)
		closedir(folder);
	if (!name)
		name = need_text("net:[%" PRIu32 "]", inode);
	return name;
}

static void address_enter(int netns)
{
	if (setns(netns, CLONE_NEWNET))
		die("cannot enter a network namespace: %m");
	close(netns);
}

/*
 * Resolves a name in the current network namespace, because the names of hosts and interfaces
 * depend on the namespace. Return: 0, or an error code EAI_* of getaddrinfo().
 */
static int address_resolve(const char *host, const char *port, struct addrinfo **found)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV };

	return getaddrinfo(host, port, &hints, found);
}

static int resolve_in_namespace(int netns, const char *host, const char *port,
				struct addrinfo **found)
{
	int here = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), err;

	if (here < 0)
		die("/proc/self/ns/net: %m");
	address_enter(netns);
	err = address_resolve(host, port, found);
	address_enter(here);
	return err;
}

/*
 * Splits "[::1]:7000" in place. *host is set to "::1". Return: the port, "7000"; NULL if the syntax
 * is wrong.
 */
static char *address_split(char **host)
{
	char *colon = strrchr(*host, ':');

	if (!colon || colon == *host || !colon[1])
		return NULL;
	*colon = '\0';
	if (**host == '[' && colon[-1] == ']') {
		colon[-1] = '\0';
		++*host;
	} else if (strchr(*host, ':')) {
		return NULL; /* an IPv6 address must be in brackets */
	}
	return **host ? colon + 1 : NULL;
}

static int address_find_in_namespace(const char *text, const char *host, const char *port,
				     const char *netns, union address *address)
{
	struct addrinfo *found = NULL;
	int err, fd = netns ? netns_open(netns) : -1;

	if (netns && fd < 0)
		return STATUS_REFUSED;
	err = netns ? resolve_in_namespace(fd, host, port, &found) :
		      address_resolve(host, port, &found);
	if (err) {
		print_message("remote '%s': %s", text,
			      err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err));
		return STATUS_REFUSED;
	}
	memcpy(address, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return 0;
}

int address_find(const struct command *command, const char *text, const char *netns,
		 union address *address)
{
	char *copy = need(strdup(text)), *host = copy, *port = address_split(&host);
	int status;

	if (port)
		status = address_find_in_namespace(text, host, port, netns, address);
	else
		status = usage_error(command, "remote '%s' is not HOST:PORT; as in 192.0.2.1:7000 "
				     "or [2001:db8::1]:7000", text);
	free(copy);
	return status;
}

const char *address_text(const union address *address, char *text)
{
	char host[INET6_ADDRSTRLEN];

	if (address->any.sa_family == AF_INET) {
		inet_ntop(AF_INET, &address->in.sin_addr, host, sizeof(host));
		snprintf(text, ADDRESS_TEXT, "%s:%u", host, ntohs(address->in.sin_port));
		return text;
	}
	inet_ntop(AF_INET6, &address->in6.sin6_addr, host, sizeof(host));
	if (address->in6.sin6_scope_id)
		snprintf(text, ADDRESS_TEXT, "[%s%%%" PRIu32 "]:%u", host,
			 address->in6.sin6_scope_id, ntohs(address->in6.sin6_port));
	else
		snprintf(text, ADDRESS_TEXT, "[%s]:%u", host, ntohs(address->in6.sin6_port));
	return text;
}

const char *station_text(const uint8_t *octets, char *text)
{
	snprintf(text, ADDRESS_TEXT, "%02x:%02x:%02x:%02x:%02x:%02x", octets[0], octets[1],
		 octets[2], octets[3], octets[4], octets[5]);
	return text;
}
