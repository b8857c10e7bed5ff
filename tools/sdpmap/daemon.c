// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The daemon, which answers clients until a signal ends it. */
#include "tools/sdpmap/daemon.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "tools/lib/message.h"
#include "tools/sdpmap/clock.h"
#include "tools/sdpmap/datagram.h"
#include "tools/sdpmap/listen.h"
#include "tools/sdpmap/server.h"

/*
 * Largest number of datagrams that a socket receives before the list of listening SDP sockets is
 * read again. This limits the cost of a flood of datagrams.
 */
#define BATCH 64

static struct sdpmap_server server;
static volatile sig_atomic_t ending;

static void on_signal(int signal)
{
	ending = signal;
}

/*
 * Installs the handlers of SIGTERM and SIGINT. Both signals are blocked except while the daemon
 * waits. Return: the signal mask for ppoll().
 */
static sigset_t catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t blocked, waiting;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	sigprocmask(SIG_BLOCK, &blocked, &waiting);
	sigdelset(&waiting, SIGTERM);
	sigdelset(&waiting, SIGINT);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	return waiting;
}

static void set_up(struct options *options)
{
	server = (struct sdpmap_server){
		.table = { .max_per_client = options->max_per_client, .timeout = options->timeout },
		.rate = { .limit = options->alarm },
		.pm_time = options->pm_time,
		.listens = services_listens,
		.context = &options->services,
	};
	if (getrandom(&server.table.seed, sizeof(server.table.seed), 0) < 0)
		die_errno("there are no random numbers");
	sdpmap_table_init(&server.table, options->max_open);
}

static const char *const outcomes[] = {
	[SDPMAP_HAS_ACCEPTED] = "PMAccept",
	[SDPMAP_HAS_DENIED] = "PMDeny",
	[SDPMAP_HAS_QUENCHED] = "no answer, since too many transactions of this client are open",
	[SDPMAP_HAS_ENDED] = "PMAck, which ends a transaction",
	[SDPMAP_HAS_NO_STATE] = "PMAck of no open transaction",
	[SDPMAP_IS_REPLY] = "PMAccept or PMDeny, which are not for a server",
	[SDPMAP_IS_MALFORMED] = "no message of this protocol",
};

static void daemon_report(const struct datagram *datagram, enum sdpmap_outcome outcome)
{
	struct sdpmap_endpoint from = address_endpoint(&datagram->from), service;
	char texts[2][ADDRESS_TEXT];
	struct sdpmap_message message;

	address_text(&from, texts[0]);
	if (sdpmap_parse(&message, datagram->octets, datagram->size)) {
		print_message("from %s: %s", texts[0], outcomes[outcome]);
		return;
	}
	service = sdpmap_ap(&message);
	print_message("from %s, about %s: %s", texts[0], address_text(&service, texts[1]),
		      outcomes[outcome]);
}

/* Sends an answer. A failure is ignored, because the client repeats its request. */
static void daemon_answer(int fd, const struct datagram *datagram,
			  const struct sdpmap_message *reply, bool verbose)
{
	uint8_t octets[SDPMAP_OCTETS];

	sdpmap_pack(reply, octets);
	if (!datagram_answer(fd, datagram, octets) && verbose)
		print_message("the answer cannot be sent: %s", strerror(errno));
}

static void report_alarm(uint64_t before)
{
	if (server.alarms != before)
		print_message("there were more than %" PRIu64 " requests within a second (--alarm): %u transactions are open",
			      server.rate.limit, server.table.count);
}

static void daemon_receive(int fd, const struct options *options)
{
	uint64_t alarms = server.alarms;
	struct sdpmap_endpoint from;
	struct sdpmap_message reply;
	enum sdpmap_outcome outcome;
	struct datagram datagram;
	unsigned int i;

	for (i = 0; i < BATCH && datagram_receive(fd, &datagram); i++) {
		from = address_endpoint(&datagram.from);
		outcome = sdpmap_server_receive(&server, clock_ms(), &from, datagram.octets,
						datagram.size, &reply);
		if (options->verbose)
			daemon_report(&datagram, outcome);
		if (outcome == SDPMAP_HAS_ACCEPTED || outcome == SDPMAP_HAS_DENIED)
			daemon_answer(fd, &datagram, &reply, options->verbose);
	}
	report_alarm(alarms);
}

static void daemon_serve(struct options *options, struct pollfd *polled, unsigned int count,
			 const sigset_t *waiting)
{
	int64_t due = sdpmap_server_expire(&server, clock_ms());
	struct timespec timeout = { due / 1000, due % 1000 * 1000000 };
	unsigned int i;

	if (ppoll(polled, count, due < 0 ? NULL : &timeout, waiting) < 0) {
		if (errno != EINTR)
			die_errno("cannot wait for requests");
		return;
	}
	services_renew(&options->services);
	for (i = 0; i < count; i++)
		if (polled[i].revents)
			daemon_receive(polled[i].fd, options);
}

static void report_end(void)
{
	print_message("ends by %s: %" PRIu64 " PMAccept, %" PRIu64 " PMDeny, %" PRIu64 " requests not answered, %" PRIu64 " repeated, %" PRIu64 " transactions without PMAck, %" PRIu64 " datagrams discarded",
		      ending == SIGTERM ? "SIGTERM" : "SIGINT",
		      server.outcomes[SDPMAP_HAS_ACCEPTED], server.outcomes[SDPMAP_HAS_DENIED],
		      server.outcomes[SDPMAP_HAS_QUENCHED], server.duplicates, server.expired,
		      server.outcomes[SDPMAP_HAS_NO_STATE] + server.outcomes[SDPMAP_IS_REPLY] +
			      server.outcomes[SDPMAP_IS_MALFORMED]);
}

void daemon_run(struct options *options)
{
	struct pollfd polled[OPTIONS_ADDRESSES];
	sigset_t waiting = catch_signals();
	unsigned int count, i;

	set_up(options);
	count = listen_at(options, polled);
	while (!ending)
		daemon_serve(options, polled, count, &waiting);
	report_end();
	for (i = 0; i < count; i++)
		close(polled[i].fd);
	services_free(&options->services);
	sdpmap_table_free(&server.table);
}
