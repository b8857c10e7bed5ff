// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints results and progress. */
#include "report.h"
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "tools/lib/memory.h"

#define BAR 30 /* characters of the progress bar */

struct report {
	const struct options *options;
	struct json_object *object, *results;
	bool has_bar;
	unsigned int verified, failed;
};

static const char *const results[] = {
	[OUTCOME_OK] = "ok",
	[OUTCOME_FAILED] = "failed",
	[OUTCOME_NO_SERVICE] = "skipped",
	[OUTCOME_NO_OPERATION] = "skipped",
};

static const char *const waitings[] = {
	[WAIT_POLL] = "polled",
	[WAIT_EVENT] = "events",
	[WAIT_SOLICITED] = "solicited events",
};

struct report *report_begin(const struct options *options, const struct end ends[2])
{
	struct report *report = need(calloc(1, sizeof(*report)));
	struct json_object *names;
	int i;

	report->options = options;
	report->has_bar = isatty(STDERR_FILENO);
	if (!options->json) {
		printf("%s and %s, seed %" PRIu64 "\n%-8s%-12s%9s%14s  %s\n", ends[0].name,
		       ends[1].name, options->seed, "service", "operation", "messages", "octets",
		       "result");
		return report;
	}
	report->object = json_object_new_object();
	names = json_object_new_array();
	for (i = 0; i < 2; i++)
		json_object_array_add(names, json_object_new_string(ends[i].name));
	report->results = json_object_new_array();
	json_object_object_add(report->object, "ends", names);
	json_object_object_add(report->object, "seed", json_object_new_uint64(options->seed));
	json_object_object_add(report->object, "results", report->results);
	return report;
}

static void erase_bar(const struct report *report)
{
	if (!report->has_bar)
		return;
	fprintf(stderr, "\r%*s\r", 60, "");
	fflush(stderr);
}

void report_progress(struct report *report, const struct task *task, unsigned int percent)
{
	unsigned int i;

	if (!report->has_bar)
		return;
	fprintf(stderr, "\r%-8s%-12s[", task->service->name, task->operation->name);
	for (i = 0; i < BAR; i++)
		fputc(i < percent * BAR / 100 ? '#' : '.', stderr);
	fprintf(stderr, "] %3u%%", percent);
	fflush(stderr);
}

void report_iteration(struct report *report, const struct iteration *iteration, uint32_t messages)
{
	const struct shape *shape = &iteration->shape;

	if (!report->options->verbose)
		return;
	erase_bar(report);
	fprintf(stderr,
		"%s %s: %u messages, %u connections, MTU %u, up to %u octets, %u segments, "
		"%u inline, %u reads, PSN %#x, %s%s%s%s%s\n",
		iteration->task->service->name, iteration->task->operation->name, messages,
		shape->connections, shape->mtu, shape->max_length, shape->max_sge,
		shape->max_inline, shape->reads, shape->psn, waitings[shape->waiting],
		shape->signal_all ? ", all signaled" : "",
		shape->late_receives ? ", late receives" : "", shape->grh ? ", GRH" : "",
		shape->one_way ? ", one way" : "");
}

static void print_row(const struct task *task, enum outcome result, const char *reason)
{
	printf("%-8s%-12s%9" PRIu64 "%14" PRIu64 "  %s", task->service->name, task->operation->name,
	       task->messages, task->octets, results[result]);
	if (task->lost)
		printf(", %" PRIu64 " lost", task->lost);
	printf("%s%s\n", *reason ? ": " : "", reason);
	fflush(stdout);
}

static void add_result(struct report *report, const struct task *task, enum outcome result,
		       const char *reason)
{
	struct json_object *row = json_object_new_object();

	json_object_object_add(row, "service", json_object_new_string(task->service->name));
	json_object_object_add(row, "operation", json_object_new_string(task->operation->name));
	json_object_object_add(row, "messages", json_object_new_uint64(task->messages));
	json_object_object_add(row, "octets", json_object_new_uint64(task->octets));
	json_object_object_add(row, "lost", json_object_new_uint64(task->lost));
	json_object_object_add(row, "result", json_object_new_string(results[result]));
	if (*reason)
		json_object_object_add(row, "reason", json_object_new_string(reason));
	json_object_array_add(report->results, row);
}

void report_task(struct report *report, const struct task *task, enum outcome result,
		 const char *reason)
{
	report->verified += result == OUTCOME_OK;
	report->failed += result == OUTCOME_FAILED;
	erase_bar(report);
	if (report->options->json)
		add_result(report, task, result, reason);
	else
		print_row(task, result, reason);
}

int report_end(struct report *report)
{
	bool good = report->verified && !report->failed;

	if (report->options->json) {
		puts(json_object_to_json_string_ext(
			report->object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(report->object);
	} else if (!report->verified && !report->failed) {
		puts("nothing could be verified");
	}
	free(report);
	return good ? STATUS_GOOD : STATUS_BAD;
}
