// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl drops: records and shows which packets are dropped, where and why. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "tools/ctl/drop_tally.h"
#include "tools/ctl/guid.h"
#include "tools/ctl/kernel/drop_read.h"
#include "tools/ctl/kernel/drop_trace.h"
#include "tools/ctl/kernel/inventory.h"
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/select.h"
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

#define NS_BETWEEN 200000000 /* time in ns between two reads of the trace while drops are watched */

/* The state of "drops show". */
struct show {
	const struct command *command;
	const struct options *options;
	struct selection selection;
	uint64_t guid; /* node GUID of the selected device, if a device is selected */
	struct json_object *devices; /* all devices, which provide the name for each GUID */
	struct drop_reader reader;
	struct drop_tally tally;
	uint64_t reported; /* number of lost events that have already been printed */
	bool by_line; /* packets are printed one by one instead of counted */
	bool is_news; /* packets have been read since the last drops_refresh() */
};

static volatile sig_atomic_t stopped;

static void drops_stop(int number)
{
	(void)number;
	stopped = 1;
}

static int read_devices(struct show *show)
{
	json_object_put(show->devices);
	return inventory_devices(ALL_KINDS, NULL, &show->devices);
}

/*
 * Sets show->guid to the GUID of the selected device. Return: 0, or an exit status after printing a
 * message.
 */
static int drops_choose(struct show *show)
{
	struct json_object *chosen = json_object_get(show->devices), *guid;
	int status = select_devices(show->command, &show->selection, &chosen);

	if (!status && show->selection.text) {
		guid = json_object_object_get(json_object_array_get_idx(chosen, 0), "guid");
		guid_parse(json_object_get_string(guid), &show->guid);
	}
	json_object_put(chosen);
	return status;
}

static bool is_chosen(const struct show *show, const struct drop *drop)
{
	return !show->selection.text ||
	       (drop->node == show->guid && (!show->selection.name.has_number ||
					     drop->port == show->selection.name.number));
}

static void drops_handle(const struct drop *drop, void *arg)
{
	struct show *show = arg;

	if (!is_chosen(show, drop))
		return;
	/*
	 * The devices are read again, because the packet may be from a new device. They are read
	 * once for all packets between two calls of drops_refresh().
	 */
	if (show->by_line && !show->is_news)
		read_devices(show);
	show->is_news = true;
	if (show->by_line)
		drop_print(drop, show->devices, show->options);
	else
		drop_tally_add(&show->tally, drop);
}

static void drops_complain(const struct show *show)
{
	fflush(stdout);
	if (show->reader.wrong)
		print_message("%s: %" PRIu64 " lines of the trace are not understood; hca.ko may "
			      "be of another version", show->command->path, show->reader.wrong);
}

/* Shows the packets that were recorded since "drops on". */
static int show_recorded(struct show *show)
{
	const char *what = show->command->path;
	bool on;
	int status = drop_trace_is_on(what, DROP_INSTANCE, &on);

	if (status)
		return status;
	if (!on) {
		print_message("%s: drops are not recorded; begin with: hcactl drops on", what);
		return STATUS_REFUSED;
	}
	show->reader.fd = drop_trace_open(what, DROP_INSTANCE, "trace", 0);
	if (show->reader.fd < 0)
		return STATUS_REFUSED;
	if (!drop_read(&show->reader, drops_handle, show)) {
		print_message("%s: cannot read the trace: %m", what);
		status = STATUS_REFUSED;
	} else {
		drop_tally_print(&show->tally, show->reader.lost, show->devices, show->options);
		drops_complain(show);
	}
	close(show->reader.fd);
	return status;
}

static void catch_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	const struct sigaction action = { .sa_handler = drops_stop };
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
}

static void print_lost(struct show *show)
{
	uint64_t lost = show->reader.lost - show->reported;

	if (lost && show->options->json)
		printf("{\"lost\":%" PRIu64 "}\n", lost);
	else if (lost)
		printf("%" PRIu64 " more are not known: the kernel has not kept them\n", lost);
	show->reported = show->reader.lost;
}

/*
 * If packets are printed one by one, prints the number of newly lost events. Otherwise, replaces
 * the table on the terminal by a new one if packets have been read.
 */
static void drops_refresh(struct show *show)
{
	if (show->by_line) {
		print_lost(show);
	} else if (show->is_news) {
		fputs("\033[H\033[J", stdout);
		drop_tally_print(&show->tally, show->reader.lost, show->devices, show->options);
	}
	fflush(stdout);
	show->is_news = false;
}

/*
 * Checks that the instance still records hca_drop. The kernel removes the event when hca.ko is
 * unloaded.
 */
static int drops_check(const struct show *show, const char *instance)
{
	const char *what = show->command->path;
	bool on;
	int status = drop_trace_is_on(what, instance, &on);

	if (status || on)
		return status;
	print_message("%s: drops are not recorded any more; was hca.ko unloaded?", what);
	return STATUS_REFUSED;
}

/* Reads the packets that were recorded since the last call. */
static int drops_receive(struct show *show)
{
	if (!drop_read(&show->reader, drops_handle, show)) {
		print_message("%s: cannot read the trace: %m", show->command->path);
		return STATUS_REFUSED;
	}
	return show->is_news && !show->by_line ? read_devices(show) : 0;
}

/*
 * Shows packets while they are dropped, until a signal is received or standard output cannot be
 * written.
 */
static int drops_follow(struct show *show, const char *instance)
{
	const struct timespec between = { .tv_nsec = NS_BETWEEN };
	int status = 0;

	show->is_news = true; /* the first drops_refresh() prints an empty table */
	while (!status && !stopped && !ferror(stdout)) {
		drops_refresh(show);
		nanosleep(&between, NULL);
		status = drops_receive(show) ?: drops_check(show, instance);
	}
	drops_refresh(show);
	drops_complain(show);
	return status;
}

static int follow_trace(struct show *show, const char *instance)
{
	int status;

	show->reader.fd = drop_trace_open(show->command->path, instance, "trace_pipe", O_NONBLOCK);
	if (show->reader.fd < 0)
		return STATUS_REFUSED;
	status = drops_follow(show, instance);
	close(show->reader.fd);
	return status;
}

/*
 * Shows packets while they are dropped. Uses a tracing instance of its own, which does not disturb
 * the instance of "drops on".
 */
static int drops_watch(struct show *show)
{
	const char *what = show->command->path;
	char *instance = need_text(DROP_INSTANCE "-%d", (int)getpid());
	int status;

	catch_signals();
	show->by_line = show->options->json || !isatty(STDOUT_FILENO);
	status = drop_trace_start(what, instance);
	if (!status) {
		status = follow_trace(show, instance);
		status = drop_trace_stop(what, instance) ?: status;
	}
	free(instance);
	return status;
}

static int drops_show(const struct command *command, char **args, const struct options *options)
{
	struct show show = { .command = command, .options = options };
	const char *name = parse_optional_argument(&args);
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = select_parse(command, name, &show.selection) ?: read_devices(&show) ?:
		 drops_choose(&show);
	if (!status)
		status = options->watch ? drops_watch(&show) : show_recorded(&show);
	drop_tally_clear(&show.tally);
	json_object_put(show.devices);
	return status;
}

static int drops_on(const struct command *command, char **args, const struct options *options)
{
	(void)options;
	return parse_end(command, args) ? drop_trace_start(command->path, DROP_INSTANCE) :
					  STATUS_USAGE;
}

static int drops_off(const struct command *command, char **args, const struct options *options)
{
	(void)options;
	if (!parse_end(command, args))
		return STATUS_USAGE;
	drop_trace_sweep();
	return drop_trace_stop(command->path, DROP_INSTANCE);
}

enum { ON, OFF, SHOW };

static const char on_help[] =
	"  Record, from now on, which packets are dropped by ports and switches; what was\n"
	"  recorded before is forgotten.\n";

static const char off_help[] =
	"  Record no longer, and forget what was recorded.\n";

static const char show_help[] =
	"  Show what was dropped since \"drops on\": a line for each port and reason, with\n"
	"  how many packets, and of the last one LIDs, QPN, PSN and opcode. With NAME,\n"
	"  only at ports of that device; with NAME/PORT, as in hca0/1, only at this port.\n"
	"  With --watch, show what is dropped from now on, until it is interrupted: on a\n"
	"  terminal the table, as it grows; otherwise a line for each packet. That needs\n"
	"  no \"drops on\".\n";

static const struct command commands[] = {
	[ON] = {
		.name = "on",
		.path = "drops on",
		.arguments = "",
		.help = on_help,
		.run = drops_on,
	},
	[OFF] = {
		.name = "off",
		.path = "drops off",
		.arguments = "",
		.help = off_help,
		.run = drops_off,
	},
	[SHOW] = {
		.name = "show",
		.alias = "list",
		.path = "drops show",
		.arguments = "[NAME[/PORT]]",
		.help = show_help,
		.watch = true,
		.run = drops_show,
	},
	{}
};

const struct noun drops_noun = { .name = "drops", .commands = commands, .alone = &commands[SHOW] };
