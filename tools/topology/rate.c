// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Rates of links, which consist of the number of lanes and the speed of a lane. */
#include "rate.h"
#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/*
 * Widths in rising order. @bit is the bit of a width in LinkWidthEnabled. @enabled is the mask that
 * enables a width together with its usual lower widths.
 */
static const struct {
	unsigned int lanes, bit, enabled;
} widths[] = {
	{ 1, 1, 1 }, { 2, 16, 17 }, { 4, 2, 3 }, { 8, 4, 7 }, { 12, 8, 11 },
};

/* Speeds in rising order. A port that enables a speed also enables the lower ones. */
static const struct {
	const char *name;
	/* masks (LinkSpeedEnabled, LinkSpeedExtEnabled) with this speed as the highest */
	unsigned int speed, extended;
} speeds[] = {
	[SDR] = { "SDR", 1, 0 },
	[DDR] = { "DDR", 3, 0 },
	[QDR] = { "QDR", 7, 0 },
	[FDR10] = { "FDR10", 7, 0 },
	[FDR] = { "FDR", 7, 1 },
	[EDR] = { "EDR", 7, 3 },
	[HDR] = { "HDR", 7, 7 },
	[NDR] = { "NDR", 7, 15 },
};

const char *rate_format(const struct rate *rate, char text[RATE_TEXT])
{
	if (rate->width && rate->speed)
		snprintf(text, RATE_TEXT, "%ux%s", rate->width % 100, speeds[rate->speed].name);
	else
		strcpy(text, "??");
	return text;
}

bool rate_parse(const char *text, size_t length, struct rate *rate)
{
	char wanted[RATE_TEXT];
	size_t i;

	for (i = 0; i < COUNT(widths); i++)
		for (rate->speed = SDR; rate->speed < COUNT(speeds); rate->speed++) {
			rate->width = widths[i].lanes;
			rate_format(rate, wanted);
			if (strlen(wanted) == length && !memcmp(wanted, text, length))
				return true;
		}
	*rate = (struct rate){};
	return false;
}

bool rate_parse_unknown(const char *text, size_t length, struct rate *rate)
{
	const char *cross = memchr(text, 'x', length), *end = text + length, *at;
	char width[4];
	size_t i;

	if (!cross || cross + 1 == end)
		return false;
	for (at = cross + 1; at < end; at++)
		if (!(*at >= 'A' && *at <= 'Z') && !(*at >= '0' && *at <= '9'))
			return false;
	for (i = 0; i < COUNT(widths); i++) {
		int digits = snprintf(width, sizeof(width), "%u", widths[i].lanes % 100);

		if (digits == cross - text && !memcmp(width, text, digits)) {
			*rate = (struct rate){ widths[i].lanes, COUNT(speeds) - 1 };
			return true;
		}
	}
	return false;
}

struct rate rate_lower(const struct rate *a, const struct rate *b)
{
	return (struct rate){
		.width = a->width < b->width ? a->width : b->width,
		.speed = a->speed < b->speed ? a->speed : b->speed,
	};
}

/*
 * Returns whether the highest bit of @enabled is also the highest bit of @all; false if @all is 0.
 */
static bool is_highest(unsigned int enabled, unsigned int all)
{
	return all && (enabled & all) > all / 2 && enabled / 2 < all;
}

struct rate rate_of_masks(const struct rate_masks *a, const struct rate_masks *b)
{
	unsigned int extended = a->extended & b->extended, speed = a->speed & b->speed;
	unsigned int width = a->width & b->width;
	struct rate rate = {};
	enum speed s;
	size_t i;

	for (i = 0; i < COUNT(widths); i++)
		if (width & widths[i].bit)
			rate.width = widths[i].lanes;
	for (s = SDR; s < COUNT(speeds); s++) {
		if (s == FDR10)
			continue;
		if (extended ? is_highest(speeds[s].extended, extended) :
			       !speeds[s].extended && is_highest(speeds[s].speed, speed))
			rate.speed = s;
	}
	return rate;
}

struct rate_masks rate_to_masks(const struct rate *rate)
{
	struct rate_masks masks = { .speed = speeds[rate->speed ?: SDR].speed,
				    .extended = speeds[rate->speed ?: SDR].extended };
	size_t i;

	for (i = 0; i < COUNT(widths); i++)
		if (widths[i].lanes == (rate->width ?: 4))
			masks.width = widths[i].enabled;
	return masks;
}

bool rate_equal(const struct rate *a, const struct rate *b)
{
	return a->width == b->width && a->speed == b->speed;
}
