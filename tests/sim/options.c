// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcasim's command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>
#include "sim.h"
#include "tools/lib/message.h"
#include "tools/lib/options.h"
#include "tools/lib/probability.h"
#include "tools/lib/units.h"

const struct program program = { .name = "hcasim", .failure = 2, .misuse = 2 };

static const char usage[] =
	"usage: hcasim [OPTION]...\n"
	"\n"
	"Run random verbs programs on channel adapters joined by a bad network, and check all that\n"
	"comes of it. What is not given follows from the seed.\n"
	"\n"
	"      --seed S       the first seed (1)\n"
	"      --seeds N      so many seeds, one after the other (1)\n"
	"      --nodes N      channel adapters, 1 to 8\n"
	"      --ops N        steps of a program, up to 2^30\n"
	"      --drop P       probability that a packet is lost: 0.2 or 20%\n"
	"      --dup P        that it arrives twice\n"
	"      --reorder P    that it arrives late\n"
	"      --corrupt P    that one of its bits is wrong\n"
	"      --delay D      how long a packet takes: 800ns, 5us, 2ms; less than 1000s\n"
	"      --service S    rc, uc, ud, rd, xrc or mix (mix)\n"
	"      --fabric       packets through several switches instead: tables, cables and receivers\n"
	"                     change, and no buffer may stay occupied; takes --seed, --seeds, --ops\n"
	"      --carrier C    infiniband or iwarp (infiniband): RNICs that are joined by streams; iwarp\n"
	"                     takes --seed, --seeds, --nodes, --ops\n"
	"      --cut-each-octet  with iwarp: short programs, whose streams are cut at each octet, by\n"
	"                     FIN and RST; a seed is the number of a cut, and all follow that are left\n"
	"      --trace        print all that happens\n"
	"  -h, --help         print this\n"
	"\n"
	"Exit status: 0 all is right, 1 something is not, 2 wrong usage.\n";

static const struct {
	const char *name;
	u32 types;
} services[] = {
	{ "mix", BIT(IB_QPT_RC) | BIT(IB_QPT_UC) | BIT(IB_QPT_UD) | BIT(HCA_QPT_RD) |
		 BIT(IB_QPT_XRC_INI) },
	{ "rc", BIT(IB_QPT_RC) },
	{ "uc", BIT(IB_QPT_UC) },
	{ "ud", BIT(IB_QPT_UD) },
	{ "rd", BIT(HCA_QPT_RD) },
	{ "xrc", BIT(IB_QPT_XRC_INI) }, /* and its targets */
};

struct options {
	struct sim_options given;
};

static void help(void)
{
	fputs(usage, stdout);
}

static void set_chance(struct options *options, enum sim_fault fault, const char *name,
		       const char *value)
{
	const char *wrong;
	u32 chance;

	wrong = probability_parse(value, &chance);
	if (wrong)
		die_usage("--%s '%s' %s", name, value, wrong);
	options->given.chance[fault] = chance == U32_MAX ? 1ll << 32 : chance;
}

static void parse_drop(void *data, const char *value)
{
	set_chance(data, SIM_DROP, "drop", value);
}

static void parse_dup(void *data, const char *value)
{
	set_chance(data, SIM_DUP, "dup", value);
}

static void parse_reorder(void *data, const char *value)
{
	set_chance(data, SIM_REORDER, "reorder", value);
}

static void parse_corrupt(void *data, const char *value)
{
	set_chance(data, SIM_CORRUPT, "corrupt", value);
}

static void parse_delay(void *data, const char *value)
{
	struct options *options = data;
	const char *wrong;
	uint64_t ns;

	wrong = time_parse(value, &ns);
	if (wrong)
		die_usage("--delay '%s' %s", value, wrong);
	if (ns >= 1000ull * NSEC_PER_SEC)
		die_usage("--delay '%s' is not less than 1000s", value);
	options->given.delay_ns = ns;
}

static void parse_service(void *data, const char *value)
{
	struct options *options = data;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(services); i++)
		if (!strcmp(services[i].name, value)) {
			options->given.types = services[i].types;
			return;
		}
	die_usage("--service '%s' is none of rc, uc, ud, rd, xrc and mix", value);
}

static void parse_carrier(void *data, const char *value)
{
	struct options *options = data;

	options->given.iwarp = !strcmp(value, "iwarp");
	if (!options->given.iwarp && strcmp(value, "infiniband"))
		die_usage("--carrier '%s' is neither infiniband nor iwarp", value);
}

static const struct option_spec specs[] = {
	{ "seed", 0, OPTION_IS_NUMBER(given.seed, 0, U64_MAX) },
	{ "seeds", 0, OPTION_IS_NUMBER(given.seeds, 1, U64_MAX) },
	{ "nodes", 0, OPTION_IS_NUMBER(given.nodes, 1, SIM_MAX_NODES) },
	{ "ops", 0, OPTION_IS_NUMBER(given.ops, 0, 1 << 30) },
	{ "drop", 0, OPTION_IS_PARSED(parse_drop) },
	{ "dup", 0, OPTION_IS_PARSED(parse_dup) },
	{ "reorder", 0, OPTION_IS_PARSED(parse_reorder) },
	{ "corrupt", 0, OPTION_IS_PARSED(parse_corrupt) },
	{ "delay", 0, OPTION_IS_PARSED(parse_delay) },
	{ "service", 0, OPTION_IS_PARSED(parse_service) },
	{ "fabric", 0, OPTION_IS_FLAG(given.fabric) },
	{ "carrier", 0, OPTION_IS_PARSED(parse_carrier) },
	{ "cut-each-octet", 0, OPTION_IS_FLAG(given.cut) },
	{ "trace", 0, OPTION_IS_FLAG(given.trace) },
	{ "help", 'h', OPTION_IS_HELP(help) },
	{},
};

void sim_options_read(struct sim_options *given, int argc, char **argv)
{
	struct options options = { .given = { .seed = 1, .chance = { -1, -1, -1, -1 },
					      .delay_ns = -1, .ops = -1,
					      .types = services[0].types } };
	int end = options_read(specs, argc, argv, &options);

	if (end < argc)
		die_usage("'%s' is no option", argv[end]);
	if (options.given.cut && (!options.given.iwarp || !options.given.seed))
		die_usage("--cut-each-octet needs --carrier iwarp, and numbers its cuts from 1");
	if (!options.given.seeds)
		options.given.seeds = options.given.cut ? U64_MAX : 1;
	*given = options.given;
}
