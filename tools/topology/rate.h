/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How fast a link is: lanes, and the speed of each. */
#ifndef TOPOLOGY_RATE_H
#define TOPOLOGY_RATE_H

#include <stdbool.h>
#include <stddef.h>

enum speed { SPEED_UNKNOWN, SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR };

struct rate {
	unsigned int width; /* 1, 2, 4, 8 or 12 lanes; 0: unknown */
	enum speed speed;
};

/* As in PortInfo: a bit for each width or speed that is enabled. */
struct rate_masks {
	unsigned int width; /* LinkWidthEnabled */
	unsigned int speed; /* LinkSpeedEnabled */
	unsigned int extended; /* LinkSpeedExtEnabled */
};

#define RATE_WIDTH_MAX 31u
#define RATE_SPEED_MAX 7u
#define RATE_EXTENDED_MAX 15u

/* Room for "12xFDR10". */
#define RATE_TEXT 12

/* "4xEDR", or "??" where something is unknown; in @text. Return: that. */
const char *rate_format(const struct rate *rate, char text[RATE_TEXT]);

/* The first @length octets of @text, as in 4xEDR. False: it is not written so. */
bool rate_parse(const char *text, size_t length, struct rate *rate);

/* The most that both ends have in common; 0 where there is nothing. */
struct rate rate_of_masks(const struct rate_masks *a, const struct rate_masks *b);

/* What is to be enabled for that rate; FDR10, which no mask has, is QDR. */
struct rate_masks rate_to_masks(const struct rate *rate);

bool rate_equal(const struct rate *a, const struct rate *b);

#endif
