// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads the identity of this machine. */
#include "tools/ctl/identity.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "tools/ctl/guid.h"
#include "tools/lib/message.h"

/* Reads the first line of a file. The line is empty if the file cannot be read. */
static void read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");

	*line = '\0';
	if (!file)
		return;
	if (fgets(line, size, file))
		line[strcspn(line, " \t\r\n")] = '\0';
	fclose(file);
}

bool identity_guid(const char *name, uint64_t *guid)
{
	char machine_id[128], node_seed[256];
	const char *seed = getenv(NODE_SEED_VARIABLE);

	read_line(MACHINE_ID_FILE, machine_id, sizeof(machine_id));
	/* The file contains "uninitialized" until the first boot under systemd has ended. */
	if (!*machine_id || !strcmp(machine_id, "uninitialized")) {
		if (getrandom(guid, sizeof(*guid), 0) != sizeof(*guid))
			die("no random number from the kernel: %m");
		*guid = guid_from_bits(*guid);
		return false;
	}

	if (!seed) {
		read_line(NODE_SEED_FILE, node_seed, sizeof(node_seed));
		seed = node_seed;
	}
	*guid = guid_derive(machine_id, seed, name);
	return true;
}
