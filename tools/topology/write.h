/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes a topology as text that topology_read() and other programs read. */
#ifndef TOPOLOGY_WRITE_H
#define TOPOLOGY_WRITE_H

#include <stdio.h>
#include "topology.h"

/* Writes a net file of ibsim. It has names and rates, but neither LIDs nor GUIDs of ports. */
void topology_write_net(FILE *file, const struct topology *topology);

/* Writes a topology in the format of ibnetdiscover(8). Names consist of a type and a GUID. */
void topology_write_discover(FILE *file, const struct topology *topology);

#endif
