/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A topology as text that topology_read() and other programs read. */
#ifndef TOPOLOGY_WRITE_H
#define TOPOLOGY_WRITE_H

#include <stdio.h>
#include "topology.h"

/* A net file of ibsim: names and rates as they are; LIDs, and GUIDs of ports, are not in it. */
void topology_write_net(FILE *file, const struct topology *topology);

/* What ibnetdiscover(8) would print; names are made of GUIDs. */
void topology_write_discover(FILE *file, const struct topology *topology);

#endif
