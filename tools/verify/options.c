// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What the command line asks for. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "matrix.h"
#include "options.h"

#define MIB (1u << 20)
#define MAX_SIZE (64 * MIB)
#define MAX_MESSAGES 300000 /* so that numbers of messages stay what they are said to be */
#define MAX_DEPTH 1024

enum {
	OPTION_SERVICE = 256,
	OPTION_OP,
	OPTION_MESSAGES,
	OPTION_SIZE,
	OPTION_MTU,
	OPTION_DEPTH,
	OPTION_SEED,
	OPTION_TOLERATE,
	OPTION_EXPECT
};

static const struct option long_options[] = {
	{ "device", required_argument, NULL, 'd' },
	{ "device2", required_argument, NULL, 'D' },
	{ "service", required_argument, NULL, OPTION_SERVICE },
	{ "op", required_argument, NULL, OPTION_OP },
	{ "messages", required_argument, NULL, OPTION_MESSAGES },
	{ "size", required_argument, NULL, OPTION_SIZE },
	{ "mtu", required_argument, NULL, OPTION_MTU },
	{ "depth", required_argument, NULL, OPTION_DEPTH },
	{ "seed", required_argument, NULL, OPTION_SEED },
	{ "tolerate-loss", no_argument, NULL, OPTION_TOLERATE },
	{ "expect", required_argument, NULL, OPTION_EXPECT },
	{ "json", no_argument, NULL, 'j' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{}
};

static const char usage[] =
	"usage: hcaverify [OPTION]...\n"
	"\n"
	"Verify that an RDMA device moves data as the verbs say: between two ports, or a port and\n"
	"itself, all services and operations, every octet of all memory, and every completion.\n"
	"\n"
	"  -d, --device DEVICE[/PORT]   one end; default: the first port that is active\n"
	"  -D, --device2 DEVICE[/PORT]  the other end; default: that of -d or, without -d, the first\n"
	"                               active port of another device, if there is one\n"
	"      --service LIST           only these services, which must be there; see below\n"
	"      --op LIST                only these operations, which must be there; see below\n"
	"      --messages N             so many messages of each operation of each service (100)\n"
	"      --size MIN-MAX           of so many octets, with k or M for 2^10 or 2^20 (0-1M)\n"
	"      --mtu OCTETS             the path MTU: 256, 512, 1024, 2048 or 4096; default: any\n"
	"      --depth N                requests of a queue pair at a time (16)\n"
	"      --seed N                 what is random depends on it; default: another each time\n"
	"      --tolerate-loss          unreliable messages, and refusals, may be lost\n"
	"      --expect STATUS          requests must fail, the first with STATUS; see below\n"
	"  -j, --json                   print JSON\n"
	"  -v, --verbose                print what each iteration is like\n"
	"  -h, --help                   print this\n"
	"  -V, --version                print the version\n";

/* "hcaverify: " and a line. Return: the exit status. */
__attribute__((format(printf, 1, 2))) static int misused(const char *format, ...)
{
	va_list args;

	fputs("hcaverify: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("\nTry 'hcaverify --help'.\n", stderr);
	return STATUS_USAGE;
}

static void help(void)
{
	size_t i;

	fputs(usage, stdout);
	puts("\nServices:");
	for (i = 0; i < num_services; i++)
		printf("    %-12s%s%s\n", services[i].name, services[i].about,
		       services[i].flags & SERVICE_ONLY_NAMED ? "; only if it is named" : "");
	puts("Operations:");
	for (i = 0; i < num_operations; i++)
		printf("    %-12s%s\n", operations[i].name, operations[i].about);
	puts("Statuses:");
	printf("   ");
	for (i = 0; i < num_statuses; i++)
		printf(" %s", statuses[i].name);
	puts("\n\nExit status: 0 all is right, 1 something is not, 2 wrong usage.");
}

/* Digits, and up to @max; @end: what is behind them. */
static bool number(const char *text, uint64_t max, char **end, uint64_t *value)
{
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, end, 0);
	return !errno && *value <= max;
}

static bool whole_number(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	char *end;

	return number(text, max, &end, value) && !*end && *value >= min;
}

/* As number(), with a unit. */
static bool size(const char *text, char **end, uint32_t *octets)
{
	uint64_t value;

	if (!number(text, MAX_SIZE, end, &value))
		return false;
	if (**end == 'k' || **end == 'K')
		value <<= 10, ++*end;
	else if (**end == 'm' || **end == 'M')
		value <<= 20, ++*end;
	*octets = value;
	return value <= MAX_SIZE;
}

static bool parse_sizes(const char *text, struct options *options)
{
	char *end;

	if (!size(text, &end, &options->min_size))
		return false;
	if (!*end) {
		options->max_size = options->min_size;
		return true;
	}
	return *end == '-' && size(end + 1, &end, &options->max_size) && !*end &&
	       options->min_size <= options->max_size;
}

static const char *service_name(size_t i)
{
	return services[i].name;
}

static const char *operation_name(size_t i)
{
	return operations[i].name;
}

/* Names with commas between them. */
static int parse_list(const char *text, const char *what, const char *(*name)(size_t i), size_t n,
		      uint32_t *bits)
{
	const char *word = text;
	size_t i, length;

	*bits = 0;
	for (;; word += length + 1) {
		length = strcspn(word, ",");
		for (i = 0; i < n; i++)
			if (strlen(name(i)) == length && !strncmp(name(i), word, length))
				break;
		if (i == n)
			return misused("there is no %s '%.*s'", what, (int)length, word);
		*bits |= 1u << i;
		if (!word[length])
			return -1;
	}
}

static int parse_expect(const char *text, struct options *options)
{
	unsigned int i;

	for (i = 0; i < num_statuses; i++) {
		if (strcmp(statuses[i].name, text))
			continue;
		options->expect = &statuses[i];
		return -1;
	}
	return misused("--expect: there is no status '%s'", text);
}

static int parse_number(const char *text, const char *option, uint64_t min, uint64_t max,
			uint32_t *number)
{
	uint64_t value;

	if (!whole_number(text, min, max, &value))
		return misused("%s '%s' is not a number from %llu to %llu", option, text,
			       (unsigned long long)min, (unsigned long long)max);
	*number = value;
	return -1;
}

static int parse_option(int option, const char *word, struct options *options)
{
	switch (option) {
	case 'd':
	case 'D':
		options->devices[option == 'D'] = optarg;
		return -1;
	case OPTION_SERVICE:
		options->named_services = true;
		return parse_list(optarg, "service", service_name, num_services,
				  &options->services);
	case OPTION_OP:
		options->named_operations = true;
		return parse_list(optarg, "operation", operation_name, num_operations,
				  &options->operations);
	case OPTION_MESSAGES:
		return parse_number(optarg, "--messages", 1, MAX_MESSAGES, &options->messages);
	case OPTION_SIZE:
		return parse_sizes(optarg, options) ?
			       -1 :
			       misused("--size '%s' is not MIN-MAX, up to %uM", optarg,
				       MAX_SIZE / MIB);
	case OPTION_MTU:
		if (parse_number(optarg, "--mtu", 256, 4096, &options->mtu) >= 0)
			return STATUS_USAGE;
		return !(options->mtu & (options->mtu - 1)) ? -1 :
							      misused("--mtu %s is none", optarg);
	case OPTION_DEPTH:
		return parse_number(optarg, "--depth", 1, MAX_DEPTH, &options->depth);
	case OPTION_SEED:
		return whole_number(optarg, 0, UINT64_MAX, &options->seed) ?
			       -1 :
			       misused("--seed '%s' is not a number", optarg);
	case OPTION_TOLERATE:
		options->tolerate_loss = true;
		return -1;
	case OPTION_EXPECT:
		return parse_expect(optarg, options);
	case 'j':
		options->json = true;
		return -1;
	case 'v':
		options->verbose = true;
		return -1;
	case 'h':
		help();
		return STATUS_GOOD;
	case 'V':
		puts("hcaverify " PACKAGE_VERSION);
		return STATUS_GOOD;
	case ':':
		return misused("'%s' needs a value", word);
	default:
		return misused("'%s' is not understood", word);
	}
}

/* All that --expect can be asked of, where no operations are named; and only that. */
static int check_expected(struct options *options)
{
	uint32_t able = 0, reliable = 0;
	size_t i;

	for (i = 0; i < num_operations; i++)
		if (operations[i].flags & OPERATION_MAY_FAIL &&
		    (!options->expect->verbs ||
		     operations[i].requests[0]->flags & options->expect->verbs))
			able |= 1u << i;
	for (i = 0; i < num_services; i++)
		if (services[i].flags & SERVICE_RELIABLE)
			reliable |= 1u << i;
	if (options->named_operations && options->operations & ~able)
		return misused("--expect=%s is not for all of these operations",
			       options->expect->name);
	if (options->named_services && options->services & ~reliable)
		return misused("--expect is for reliable services");
	options->operations &= able;
	options->services &= reliable;
	return -1;
}

static int check_matrix(const struct options *options)
{
	size_t s, o;

	for (s = 0; s < num_services; s++)
		for (o = 0; o < num_operations; o++)
			if (options->services >> s & 1 && options->operations >> o & 1 &&
			    service_has(&services[s], &operations[o]))
				return -1;
	return misused("these services have no such operations");
}

int options_parse(int argc, char **argv, struct options *options)
{
	int option, status = -1;
	size_t i;

	*options = (struct options){
		.operations = (1u << num_operations) - 1,
		.messages = 100,
		.max_size = MIB,
		.depth = 16,
	};
	for (i = 0; i < num_services; i++)
		if (!(services[i].flags & SERVICE_ONLY_NAMED))
			options->services |= 1u << i;
	if (getrandom(&options->seed, sizeof(options->seed), GRND_INSECURE) < 0)
		options->seed = (uintptr_t)options;
	options->seed &= UINT32_MAX; /* so that people can type it */

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":d:D:jvhV", long_options, NULL)) != -1) {
		status = parse_option(option, argv[optind - 1], options);
		if (status >= 0)
			return status;
	}
	if (optind < argc)
		return misused("'%s' is one word too many", argv[optind]);
	if (options->expect)
		status = check_expected(options);
	return status >= 0 ? status : check_matrix(options);
}
