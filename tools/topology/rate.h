/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rates of links, which consist of the number of lanes and the speed of a lane. */
#ifndef TOPOLOGY_RATE_H
#define TOPOLOGY_RATE_H

#include <stdbool.h>
#include <stddef.h>

enum speed { SPEED_UNKNOWN, SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR };

struct rate {
	unsigned int width; /* number of lanes: 1, 2, 4, 8 or 12; 0: unknown */
	enum speed speed;
};

/* Masks of the enabled widths and speeds, in the format of PortInfo */
struct rate_masks {
	unsigned int width; /* LinkWidthEnabled */
	unsigned int speed; /* LinkSpeedEnabled */
	unsigned int extended; /* LinkSpeedExtEnabled */
};

#define RATE_WIDTH_MAX 31u
#define RATE_SPEED_MAX 7u
#define RATE_EXTENDED_MAX 15u
/* mask of all extended speeds, including unknown ones of later standards */
#define RATE_EXTENDED_MASK 0xffu

/* Size in octets of a rate's text, of which the longest is "12xFDR10" */
#define RATE_TEXT 12

/* Writes a rate, as in "4xEDR", or "??" if the rate is unknown. Return: @text. */
const char *rate_format(const struct rate *rate, char text[RATE_TEXT]);

/*
 * Parses a rate, as in "4xEDR", which is the first @length octets of @text. Return: true; or false
 * if these octets are not a known rate.
 */
bool rate_parse(const char *text, size_t length, struct rate *rate);

/*
 * Parses a rate whose speed is unknown because it is of a later standard, as in "4xXDR". *@rate is
 * set to the highest known speed with this width. Return: false if the syntax differs.
 */
bool rate_parse_unknown(const char *text, size_t length, struct rate *rate);

/* Returns a rate with the lower of two widths and the lower of two speeds. */
struct rate rate_lower(const struct rate *a, const struct rate *b);

/*
 * Returns the highest width and the highest speed that both ports of a link have enabled. The width
 * or the speed is 0 if the ports have none in common.
 */
struct rate rate_of_masks(const struct rate_masks *a, const struct rate_masks *b);

/*
 * Returns the masks that enable a rate. FDR10 becomes QDR, because the masks do not have a bit for
 * FDR10. An unknown width becomes 4x, and an unknown speed SDR.
 */
struct rate_masks rate_to_masks(const struct rate *rate);

bool rate_equal(const struct rate *a, const struct rate *b);

#endif
