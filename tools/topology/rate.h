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

/* Masks of the enabled widths and speeds, as in PortInfo. */
struct rate_masks {
	unsigned int width; /* LinkWidthEnabled */
	unsigned int speed; /* LinkSpeedEnabled */
	unsigned int extended; /* LinkSpeedExtEnabled */
};

#define RATE_WIDTH_MAX 31u
#define RATE_SPEED_MAX 7u
#define RATE_EXTENDED_MAX 15u
#define RATE_EXTENDED_MASK 0xffu /* mask that includes bits of later standards */

/* Octets of the longest text, "12xFDR10" with the 0 at its end, and more. */
#define RATE_TEXT 12

/* Writes a rate, as in "4xEDR"; "??" if it is unknown. Return: @text. */
const char *rate_format(const struct rate *rate, char text[RATE_TEXT]);

/* Parses the first @length octets of @text, as in 4xEDR. Return: false if there is no such rate. */
bool rate_parse(const char *text, size_t length, struct rate *rate);

/*
 * Parses a rate with an unknown speed of a later standard, as in 4xXDR. *@rate is set to the
 * highest known rate of that width.
 * Return: false if the syntax differs.
 */
bool rate_parse_unknown(const char *text, size_t length, struct rate *rate);

/* Returns the lower width and the lower speed of the rates of a link's two ends. */
struct rate rate_lower(const struct rate *a, const struct rate *b);

/*
 * Returns the highest width and speed that both ends have enabled; each is 0 if the ends have none
 * in common.
 */
struct rate rate_of_masks(const struct rate_masks *a, const struct rate_masks *b);

/*
 * Returns the masks that enable a rate. The masks do not have a bit for FDR10, so QDR stands for
 * FDR10.
 */
struct rate_masks rate_to_masks(const struct rate *rate);

bool rate_equal(const struct rate *a, const struct rate *b);

#endif
