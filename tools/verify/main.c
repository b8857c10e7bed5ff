// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcaverify verifies that an RDMA device behaves as the verbs specify. It checks each octet. */
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "tools/lib/message.h"

const struct program program = {
	.name = "hcaverify",
	.failure = STATUS_BAD,
	.misuse = STATUS_USAGE,
};

#define ROOM (1u << 20) /* octets of memory in addition to those of the largest messages */
#define LARGEST 4 /* number of messages of the largest size that fit into memory */

static bool is_chosen(const struct options *options, size_t service, size_t operation)
{
	return options->services >> service & 1 && options->operations >> operation & 1 &&
	       service_has(&services[service], &operations[operation]);
}

/* Returns whether the device's attributes allow the service. */
static bool device_has(const struct task *task)
{
	const struct end *end;

	for (end = task->ends; end < task->ends + 2; end++) {
		if (end->is_iwarp && task->service->type != IBV_QPT_RC)
			return lacking(OUTCOME_NO_SERVICE, "%s is iWARP, of reliable connections",
				       end->name);
		if (task->service->flags & SERVICE_XRC && !end_has_xrc(end))
			return lacking(OUTCOME_NO_SERVICE, "%s has no XRC (IBV_DEVICE_XRC)",
				       end->name);
		if (task->service->flags & SERVICE_DATAGRAM &&
		    task->options->min_size > end_mtu(end))
			return lacking(OUTCOME_NO_SERVICE, "%s has an MTU of %u", end->name,
				       end_mtu(end));
	}
	return true;
}

/* Returns whether the device's attributes allow the operation. */
static bool device_can(const struct task *task)
{
	const struct end *end;

	if (!device_has(task))
		return false;
	if (task->operation->flags & OPERATION_ANY && !task->able)
		return lacking(OUTCOME_NO_SERVICE, "nothing of it is there");
	for (end = task->ends; end < task->ends + 2; end++) {
		if (task->operation->requests[0] &&
		    task->operation->requests[0]->flags & VERB_ATOMIC && !end_has_atomics(end))
			return lacking(OUTCOME_NO_OPERATION, "%s has no atomics", end->name);
		if (task->operation->requests[0] &&
		    task->operation->requests[0]->flags & VERB_ATOMIC_WRITE &&
		    !end_has_atomic_write(end))
			return lacking(OUTCOME_NO_OPERATION, "%s has no Atomic Write", end->name);
		if (end->is_iwarp && task->options->expect &&
		    task->options->expect->provocation == PROVOKE_NO_RECEIVE)
			return lacking(OUTCOME_NO_OPERATION, "%s is iWARP, which has no RNR NAK",
				       end->name);
		if (task->operation->flags & OPERATION_WINDOW && !end_has_windows(end))
			return lacking(OUTCOME_NO_OPERATION, "%s has no memory windows of type 2",
				       end->name);
	}
	return true;
}

/*
 * Returns the outcome of a task. A service or operation that the device lacks is a failure if the
 * user has named it.
 */
static enum outcome result_of(const struct task *task)
{
	if ((outcome() == OUTCOME_NO_SERVICE && task->options->named_services) ||
	    (outcome() == OUTCOME_NO_OPERATION && task->options->named_operations))
		return OUTCOME_FAILED;
	return outcome();
}

static bool run_iteration(struct report *report, struct task *task, uint64_t messages)
{
	struct iteration iteration;
	uint32_t n = iteration_plan(&iteration, task, messages);
	bool good;

	report_iteration(report, &iteration, n);
	good = n ? iteration_run(&iteration) : wrong("there is no room for a message");
	iteration_free(&iteration);
	if (good)
		task->messages += n;
	return good;
}

/*
 * Returns whether the device supports an operation that the user has not chosen, but that the
 * operation "mix" may use.
 */
static bool can_do(struct report *report, struct task *task)
{
	outcome_clear();
	return device_can(task) && run_iteration(report, task, 1);
}

/* Verifies a task. @first of @all tasks have been verified before. */
static void run_task(struct report *report, struct task *task, unsigned int first, unsigned int all)
{
	uint64_t wanted = task->options->messages;
	bool good;

	outcome_clear();
	good = device_can(task);
	while (good && task->messages < wanted) {
		report_progress(report, task,
				(first * wanted + task->messages) * 100 / (all * wanted));
		good = run_iteration(report, task, wanted - task->messages);
	}
	report_task(report, task, result_of(task), outcome_reason());
}

static struct task task_of(const struct options *options, struct end *ends,
			   const struct pattern *pattern, size_t service, size_t operation)
{
	char purpose[64];

	snprintf(purpose, sizeof(purpose), "%s %s", services[service].name,
		 operations[operation].name);
	return (struct task){
		.options = options,
		.ends = ends,
		.pattern = pattern,
		.service = &services[service],
		.operation = &operations[operation],
		.group = service * num_operations + operation + 1,
		.rng = rng_seed(options->seed, purpose),
	};
}

/*
 * Verifies all chosen operations of a service. The operation "mix" uses the operations that have
 * succeeded. @first of @all tasks have been verified before. Return: @first plus the number of
 * tasks of this service.
 */
static unsigned int verify_service(struct report *report, const struct options *options,
				   struct end *ends, const struct pattern *pattern, size_t service,
				   unsigned int first, unsigned int all)
{
	bool has_mix = options->operations >> (num_operations - 1) & 1;
	uint32_t able = 0;
	size_t o;

	for (o = 0; o < num_operations; o++) {
		struct task task = task_of(options, ends, pattern, service, o);

		task.able = able;
		if (!service_has(&services[service], &operations[o]))
			continue;
		if (options->operations >> o & 1)
			run_task(report, &task, first++, all);
		else if (!has_mix || !can_do(report, &task))
			continue;
		if (outcome() == OUTCOME_OK)
			able |= 1u << o;
	}
	return first;
}

static int verify_all(const struct options *options, struct end *ends,
		      const struct pattern *pattern)
{
	struct report *report = report_begin(options, ends);
	unsigned int first = 0, all = 0;
	size_t s, o;

	for (s = 0; s < num_services; s++)
		for (o = 0; o < num_operations; o++)
			all += is_chosen(options, s, o);
	for (s = 0; s < num_services; s++)
		if (options->services >> s & 1)
			first = verify_service(report, options, ends, pattern, s, first, all);
	return report_end(report);
}

int main(int argc, char **argv)
{
	struct pattern pattern;
	struct options options;
	struct end ends[2] = {};
	int status = STATUS_BAD;

	options_parse(argc, argv, &options);
	pattern = pattern_of(options.seed);
	if (ends_open(ends, options.devices, options.cm) &&
	    ends_register(ends, &pattern, (size_t)LARGEST * options.max_size + ROOM))
		status = verify_all(&options, ends, &pattern);
	ends_close(ends);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %m");
	return status;
}
