// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the command line of hcaverify. */
#include "options.h"
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include "arena.h"
#include "matrix.h"
#include "tools/lib/message.h"
#include "tools/lib/number.h"
#include "tools/lib/options.h"

#define MIB (1u << 20)
#define MAX_SIZE (64 * MIB)
/* maximum of --messages; the message numbers of a task then fit into ORIGIN_GROUP_SHIFT bits */
#define MAX_MESSAGES 300000
#define MAX_DEPTH 1024
/* The first try and seven retries, of 1.07 s each, end before the 10 s of PATIENCE (run.c) do. */
#define MAX_ACK_TIMEOUT 18

#define HELP_COLUMNS 80

static const char usage[] =
	"usage: hcaverify [OPTION]...\n"
	"\n"
	"Verify that an RDMA device moves data as the verbs say: between two ports, or a\n"
	"port and itself, all services and operations, every octet of all memory, and\n"
	"every completion.\n"
	"\n"
	"  -d, --device DEVICE[/PORT]   one end; default: the first port that is active\n"
	"  -D, --device2 DEVICE[/PORT]  the other end; default: that of -d or, if it is\n"
	"                               not given, the first active port of another\n"
	"                               device, if there is one\n"
	"      --service LIST           only these services, which must be there; see\n"
	"                               below\n"
	"      --op LIST                only these operations, which must be there; see\n"
	"                               below\n"
	"      --messages N             so many messages of each operation of each\n"
	"                               service (100)\n"
	"      --size MIN-MAX           of so many octets, with k or M for 2^10 or 2^20\n"
	"                               (0-1M)\n"
	"      --mtu OCTETS             the path MTU: 256, 512, 1024, 2048 or 4096;\n"
	"                               default: any\n"
	"      --depth N                requests of a queue pair at a time (16)\n"
	"      --segments N             scatter/gather segments of a request or a receive\n"
	"                               at most (32)\n"
	"      --ack-timeout N          a packet that is not acknowledged is sent again\n"
	"                               after 4.096 us * 2^N (14)\n"
	"      --cm                     make reliable connections by rdma_cm, as between\n"
	"                               iWARP devices without this, too\n"
	"      --seed N                 what is random depends on it; default: another\n"
	"                               each time\n"
	"      --tolerate-loss          unreliable messages, and refusals, may be lost\n"
	"      --expect STATUS          requests must fail, the first with STATUS; see\n"
	"                               below\n"
	"  -j, --json                   print JSON\n"
	"  -v, --verbose                print what each iteration is like\n"
	"  -h, --help                   print this\n"
	"  -V, --version                print the version\n";

/* Prints the names of all statuses in lines. */
static void print_statuses(void)
{
	size_t i, column = 0, length;

	for (i = 0; i < num_statuses; i++) {
		length = 1 + strlen(statuses[i].name);
		if (column && column + length > HELP_COLUMNS) {
			putchar('\n');
			column = 0;
		}
		column += printf("%s %s", column ? "" : "   ", statuses[i].name);
	}
	putchar('\n');
}

static void options_help(void)
{
	size_t i;

	fputs(usage, stdout);
	puts("\nServices:");
	for (i = 0; i < num_services; i++)
		printf("    %-12s%s%s\n", services[i].name, services[i].about,
		       services[i].flags & SERVICE_ONLY_NAMED ? "; only if it is named" : "");
	puts("Operations:");
	for (i = 0; i < num_operations; i++)
		printf("    %-14s%s\n", operations[i].name, operations[i].about);
	puts("Statuses:");
	print_statuses();
	puts("\nExit status: 0 all is right, 1 something is not, 2 wrong usage.");
}

/* Parses a number with an optional unit. */
static bool scan_size(const char *text, char **end, uint32_t *octets)
{
	uint64_t value;

	if (!number_scan(text, 0, end, &value) || value > MAX_SIZE)
		return false;
	if (**end == 'k' || **end == 'K')
		value <<= 10, ++*end;
	else if (**end == 'm' || **end == 'M')
		value <<= 20, ++*end;
	*octets = value;
	return value <= MAX_SIZE;
}

static bool scan_sizes(const char *text, struct options *options)
{
	char *end;

	if (!scan_size(text, &end, &options->min_size))
		return false;
	options->max_size = options->min_size;
	if (!*end)
		return true;
	return *end == '-' && scan_size(end + 1, &end, &options->max_size) && !*end &&
	       options->min_size <= options->max_size;
}

static void parse_sizes(void *data, const char *value)
{
	if (!scan_sizes(value, data))
		die_usage("--size '%s' is not MIN-MAX, up to %uM", value, MAX_SIZE / MIB);
}

static const char *service_name(size_t i)
{
	return services[i].name;
}

static const char *operation_name(size_t i)
{
	return operations[i].name;
}

/* Parses names separated by commas. Return: a bit for the index of each name. */
static uint32_t parse_list(const char *text, const char *what, const char *(*name)(size_t i),
			   size_t n)
{
	uint32_t bits = 0;
	size_t i, length;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		for (i = 0; i < n; i++)
			if (strlen(name(i)) == length && !strncmp(name(i), text, length))
				break;
		if (i == n)
			die_usage("there is no %s '%.*s'", what, (int)length, text);
		bits |= 1u << i;
		if (!text[length])
			return bits;
	}
}

static void parse_services(void *data, const char *value)
{
	struct options *options = data;

	options->named_services = true;
	options->services = parse_list(value, "service", service_name, num_services);
}

static void parse_operations(void *data, const char *value)
{
	struct options *options = data;

	options->named_operations = true;
	options->operations = parse_list(value, "operation", operation_name, num_operations);
}

static void parse_mtu(void *data, const char *value)
{
	uint64_t mtu;

	if (!number_parse_range(value, 0, 256, 4096, &mtu))
		die_usage("--mtu '%s' is not a number from 256 to 4096", value);
	if (mtu & (mtu - 1))
		die_usage("--mtu %s is none", value);
	((struct options *)data)->mtu = mtu;
}

static void parse_expect(void *data, const char *value)
{
	unsigned int i;

	for (i = 0; i < num_statuses && strcmp(statuses[i].name, value); i++)
		;
	if (i == num_statuses)
		die_usage("--expect: there is no status '%s'", value);
	((struct options *)data)->expect = &statuses[i];
}

#define NUMBER(member, least, most)                                                                \
	.kind = OPTION_NUMBER, OPTION_SETS(struct options, member), .min = least, .max = most

static const struct option_spec specs[] = {
	{ "device", 'd', OPTION_IS_TEXT(devices[0]) },
	{ "device2", 'D', OPTION_IS_TEXT(devices[1]) },
	{ "service", 0, OPTION_IS_PARSED(parse_services) },
	{ "op", 0, OPTION_IS_PARSED(parse_operations) },
	{ "messages", 0, OPTION_IS_NUMBER(messages, 1, MAX_MESSAGES) },
	{ "size", 0, OPTION_IS_PARSED(parse_sizes) },
	{ "mtu", 0, OPTION_IS_PARSED(parse_mtu) },
	{ "depth", 0, OPTION_IS_NUMBER(depth, 1, MAX_DEPTH) },
	{ "segments", 0, OPTION_IS_NUMBER(segments, 1, MAX_SEGMENTS) },
	{ "ack-timeout", 0, OPTION_IS_NUMBER(ack_timeout, 1, MAX_ACK_TIMEOUT) },
	{ "cm", 0, OPTION_IS_FLAG(cm) },
	{ "seed", 0, OPTION_IS_NUMBER(seed, 0, UINT64_MAX) },
	{ "tolerate-loss", 0, OPTION_IS_FLAG(tolerate_loss) },
	{ "expect", 0, OPTION_IS_PARSED(parse_expect) },
	{ "json", 'j', OPTION_IS_FLAG(json) },
	{ "verbose", 'v', OPTION_IS_FLAG(verbose) },
	{ "help", 'h', OPTION_IS_HELP(options_help) },
	{ "version", 'V', OPTION_IS_VERSION },
	{},
};

/* Checks the operations for --expect. If the user has named none, selects all that can fail. */
static void check_expected(struct options *options)
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
		die_usage("--expect=%s is not for all of these operations", options->expect->name);
	if (options->named_services && options->services & ~reliable)
		die_usage("--expect is for reliable services");
	options->operations &= able;
	options->services &= reliable;
}

static void check_matrix(const struct options *options)
{
	size_t s, o;

	for (s = 0; s < num_services; s++)
		for (o = 0; o < num_operations; o++)
			if (options->services >> s & 1 && options->operations >> o & 1 &&
			    service_has(&services[s], &operations[o]))
				return;
	die_usage("these services have no such operations");
}

void options_parse(int argc, char **argv, struct options *options)
{
	int first;
	size_t i;

	*options = (struct options){
		.operations = (1u << num_operations) - 1,
		.messages = 100,
		.max_size = MIB,
		.depth = 16,
		.segments = MAX_SEGMENTS,
		.ack_timeout = 14,
	};
	for (i = 0; i < num_services; i++)
		if (!(services[i].flags & SERVICE_ONLY_NAMED))
			options->services |= 1u << i;
	if (getrandom(&options->seed, sizeof(options->seed), GRND_INSECURE) < 0)
		options->seed = (uintptr_t)options;
	options->seed &= UINT32_MAX; /* a short seed is easier to type */

	first = options_read(specs, argc, argv, options);
	if (first < argc)
		die_usage("'%s' is one word too many", argv[first]);
	if (options->expect)
		check_expected(options);
	check_matrix(options);
}
