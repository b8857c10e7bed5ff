// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Captures packets of ports through /dev/hca_tap. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "linux/hca_tap.h"
#include "source.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

#define DEVICE "/dev/hca_tap"
#define BUFFER_OCTETS (1u << 20)

struct tap {
	struct source source;
	int fd;
	const char **ports; /* names of the ports, indexed by the port numbers of /dev/hca_tap */
	/*
	 * @at: offset of the next record in the buffer; @octets: number of valid octets in the
	 * buffer
	 */
	size_t at, octets;
	uint64_t consumed; /* number of packets that next() has returned */
	/*
	 * number of packets that were captured before the first signal to stop; UINT64_MAX: no
	 * signal yet
	 */
	uint64_t all;
	char buffer[BUFFER_OCTETS] __attribute__((aligned(8)));
};

static volatile sig_atomic_t stopped;

static void tap_stop(int number)
{
	(void)number;
	stopped = 1;
}

/*
 * Installs the signal handlers. Signals are blocked except while the program waits, so that no
 * signal is missed. Return: the signal mask while the program waits.
 */
static sigset_t catch_signals(void)
{
	const struct sigaction action = { .sa_handler = tap_stop };
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &before);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return before;
}

static sigset_t while_waiting;

static void die_of_port(const char *text, int error)
{
	switch (error) {
	case ENODEV:
		die("%s: there is no such device", text);
	case ENXIO:
		die("%s: the device has no such port", text);
	case ENOENT:
		die("%s: the device has no such queue pair", text);
	case EOPNOTSUPP:
		die("%s: an RNIC has queue pairs, and other devices have ports", text);
	default:
		die("%s: %s", text, strerror(error));
	}
}

/* Parses what follows the '/': the number of a port, or qp and the number of a queue pair. */
static void parse_place(const char *text, const char *number, struct hca_tap_port *port,
			unsigned long *command)
{
	bool is_qp = !strncmp(number, "qp", 2);
	char *end;

	number += is_qp ? 2 : 0;
	port->port = strtoul(number, &end, 10);
	if (*number < '0' || *number > '9' || *end)
		die_usage("%s: has no port number behind the '/', nor qp and a number", text);
	if (is_qp)
		*command = HCA_TAP_ADD_RNIC;
}

static void add_port(struct tap *tap, const char *text, uint32_t directions)
{
	struct hca_tap_port port = { .port = 1, .directions = directions };
	const char *slash = strrchr(text, '/');
	size_t length = slash ? (size_t)(slash - text) : strlen(text);
	unsigned long command = HCA_TAP_ADD;
	int num;

	if (slash)
		parse_place(text, slash + 1, &port, &command);
	if (!length || length >= sizeof(port.device))
		die_usage("%s: is not a port, such as hca0/1", text);
	memcpy(port.device, text, length);
	num = ioctl(tap->fd, command, &port);
	/* An RNIC has no links, but connections. */
	if (num < 0 && errno == EOPNOTSUPP && command == HCA_TAP_ADD && port.port == 1) {
		command = HCA_TAP_ADD_RNIC;
		port.port = 0;
		num = ioctl(tap->fd, command, &port);
	}
	if (num < 0)
		die_of_port(text, errno);
	tap->source.has_streams |= command == HCA_TAP_ADD_RNIC;
	tap->ports[num] = text;
}

static bool is_stop_requested(void)
{
	sigset_t pending;

	sigpending(&pending);
	return stopped || sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM);
}

static struct hca_tap_statistics statistics_of(const struct tap *tap)
{
	struct hca_tap_statistics statistics = {};

	if (ioctl(tap->fd, HCA_TAP_STATISTICS, &statistics))
		die(DEVICE ": %s", strerror(errno));
	return statistics;
}

/*
 * Returns whether the capture ends. After the first signal, the packets that the kernel captured
 * before this signal are still read. A second signal ends the program.
 */
static bool is_stopped(struct tap *tap)
{
	if (tap->all == UINT64_MAX) {
		if (!is_stop_requested())
			return false;
		tap->all = statistics_of(tap).captured;
		sigprocmask(SIG_SETMASK, &while_waiting, NULL);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
	}
	return tap->consumed >= tap->all;
}

/*
 * Waits for records, and reads them into the buffer. Return: false if there will not be any more
 * records.
 */
static bool tap_fill(struct tap *tap)
{
	struct pollfd wait = { .fd = tap->fd, .events = POLLIN };
	struct timespec timeout;
	ssize_t octets;
	int ms;

	tap->at = 0;
	tap->octets = 0;
	while (!is_stopped(tap)) {
		octets = read(tap->fd, tap->buffer, sizeof(tap->buffer));
		if (octets >= 0) {
			tap->octets = octets;
			return octets;
		}
		if (errno != EAGAIN && errno != EINTR)
			die(DEVICE ": %s", strerror(errno));
		if (tap->all != UINT64_MAX)
			break;
		ms = tap->source.idle(tap->source.data);
		timeout = (struct timespec){ .tv_nsec = ms * 1000000l };
		ppoll(&wait, 1, ms < 0 ? NULL : &timeout, &while_waiting);
	}
	return false;
}

/* Sets the octets of a packet, which those of an RNIC have behind their place in the stream. */
static void set_octets(struct packet *packet, const struct hca_tap_record *record)
{
	u32 head = record->flow == HCA_TAP_STREAM ? sizeof(packet->stream) : 0;

	packet->is_stream = head;
	packet->is_flow = record->flow && !head;
	memcpy(&packet->stream, record + 1, head);
	packet->length = record->length - head;
	packet->captured = record->captured - head;
	packet->octets = (const u8 *)(record + 1) + head;
}

static bool tap_next(struct source *source, struct packet *packet)
{
	struct tap *tap = (struct tap *)source;
	const struct hca_tap_record *record;

	if (is_stopped(tap) || (tap->at == tap->octets && !tap_fill(tap)))
		return false;
	record = (const struct hca_tap_record *)(tap->buffer + tap->at);
	tap->consumed++;
	tap->at += sizeof(*record) + ((record->captured + 7) & ~7u);
	packet->time_ns = record->time_ns;
	packet->port = tap->ports[record->port];
	packet->interface = record->port;
	packet->direction = record->direction;
	packet->lost = record->lost;
	set_octets(packet, record);
	return true;
}

static uint64_t tap_lost(struct source *source)
{
	return statistics_of((struct tap *)source).lost;
}

static void tap_close(struct source *source)
{
	struct tap *tap = (struct tap *)source;

	close(tap->fd);
	free(tap->ports);
	free(tap);
}

struct source *tap_open(const struct options *options)
{
	struct hca_tap_setup setup = {
		.ring_octets = options->ring_octets,
		.snap_length = options->snap_length,
	};
	struct tap *tap = need(calloc(1, sizeof(*tap)));
	size_t i;

	tap->source.next = tap_next;
	tap->source.lost = tap_lost;
	tap->source.close = tap_close;
	tap->all = UINT64_MAX;
	tap->ports = calloc(options->num_ports, sizeof(*tap->ports));
	tap->fd = open(DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (tap->fd < 0)
		die(DEVICE ": %s%s", strerror(errno),
		    errno == ENOENT ? "; is the module hca loaded?" : "");
	if (ioctl(tap->fd, HCA_TAP_SETUP, &setup))
		die("a buffer of %u KiB: %s", setup.ring_octets >> 10, strerror(errno));
	while_waiting = catch_signals();
	for (i = 0; i < options->num_ports; i++)
		add_port(tap, options->ports[i],
			 options->directions | (options->flow ? HCA_TAP_FLOW : 0));
	fputs("listening at", stderr);
	for (i = 0; i < options->num_ports; i++)
		fprintf(stderr, " %s", options->ports[i]);
	fputc('\n', stderr);
	return &tap->source;
}
