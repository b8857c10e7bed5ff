/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rates of links: number of lanes and speed of a lane. */
#ifndef TOPOLOGY_RATE_H
#define TOPOLOGY_RATE_H

#include <stdbool.h>
#include <stddef.h>

enum speed { SPEED_UNKNOWN, SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR };

struct rate {
	unsigned int width; /* 1, 2, 4, 8 or 12 lanes; 0: unknown */
	enum speed speed;
};

/* Bits for each enabled width and speed, as in PortInfo. */
struct rate_masks {
	unsigned int width; /* LinkWidthEnabled */
	unsigned int speed; /* LinkSpeedEnabled */
	unsigned int extended; /* LinkSpeedExtEnabled */
};

#define RATE_WIDTH_MAX 31u
#define RATE_SPEED_MAX 7u
#define RATE_EXTENDED_MAX 15u
#define RATE_EXTENDED_MASK 0xffu /* later standards have further bits */

/* Room for "12xFDR10" and the 0 at its end. */
#define RATE_TEXT 12

/* Writes "4xEDR" to @text, with "?" for what is unknown. Return: @text. */
const char *rate_format(const struct rate *rate, char text[RATE_TEXT]);

/* Parses the first @length octets of @text, as in 4xEDR. Return: false if there is no such rate. */
bool rate_parse(const char *text, size_t length, struct rate *rate);

/*
 * Parses a rate of a speed that is not known, as in 4xXDR, which a later standard may have. Return:
 * false if the syntax is another; else *@rate is the highest of that width.
 */
bool rate_parse_unknown(const char *text, size_t length, struct rate *rate);

/* Returns what a link runs at whose ends say this: the lower width, and the lower speed. */
struct rate rate_lower(const struct rate *a, const struct rate *b);

/* Returns the highest width and speed that both ends have enabled; 0 where they share none. */
struct rate rate_of_masks(const struct rate_masks *a, const struct rate_masks *b);

/* Returns the masks that enable a rate. No mask has FDR10, so QDR stands for it. */
struct rate_masks rate_to_masks(const struct rate *rate);

bool rate_equal(const struct rate *a, const struct rate *b);

#endif
