// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Matches each received packet with the packet that another captured port has sent. */
#include "ends.h"
#include <stdlib.h>
#include <string.h>
#include "linux/hca_tap.h"
#include "mark.h"
#include "route.h"
#include "tools/lib/memory.h"
#include "tools/lib/rng.h"

/* Number of packets that are remembered. A packet may be remembered after its release. */
#define NUM_SIGHTINGS 4096
/* Number of lists of sent packets. The hash of a packet's octets selects its list. */
#define NUM_LISTS 4096

/* The largest number of sent packets that a received packet is compared with. */
#define MAX_COMPARED 64
/*
 * The largest number of wrong octets of a damaged packet. A fault of a cable inverts one bit, so a
 * packet that differs in more octets is another packet.
 */
#define MAX_WRONG_OCTETS 4

#define WAIT_NS 100000000

/*
 * A sighting is a packet that was captured at one port. Sightings are numbered from 1. The ring
 * contains the last NUM_SIGHTINGS of them.
 */
struct sighting {
	struct packet packet;
	u8 *octets;
	u64 older; /* number of the previous sighting in the list of this packet's hash */
	u64 arrival; /* for a sent packet: number of the sighting at the receiving port; 0: none */
	/* the port has sent the packet, and the list of its hash contains this sighting */
	bool is_sent;
};

struct ends {
	ends_release_fn *release;
	void *data;
	/*
	 * @first: number of the oldest sighting that is not released; @next: number of the next new
	 * sighting
	 */
	u64 first, next;
	/* number of the newest sighting just before which the capture has lost packets; 0: none */
	u64 gap;
	u64 now_ns;
	u64 newest[NUM_LISTS];
	struct route_table routes;
	struct sighting ring[NUM_SIGHTINGS];
};

struct ends *ends_new(ends_release_fn *release, void *data)
{
	struct ends *ends = need(calloc(1, sizeof(*ends)));

	ends->release = release;
	ends->data = data;
	ends->first = 1;
	ends->next = 1;
	return ends;
}

void ends_free(struct ends *ends)
{
	size_t i;

	if (!ends)
		return;
	for (i = 0; i < NUM_SIGHTINGS; i++)
		free(ends->ring[i].octets);
	free(ends);
}

static struct sighting *sighting_at(struct ends *ends, u64 number)
{
	return &ends->ring[number % NUM_SIGHTINGS];
}

static bool is_remembered(const struct ends *ends, u64 number)
{
	return number && ends->next - number <= NUM_SIGHTINGS;
}

/* --- release ------------------------------------------------------------------------------ */

static void set_peer(struct packet *packet, u16 interface, const char *port)
{
	packet->has_peer = true;
	packet->peer_interface = interface;
	packet->peer_port = port;
}

/*
 * Ends the wait for the arrival of a sent packet. If the capture has lost packets after this one,
 * the arrival may be among them, and nothing is marked. Otherwise the packet is marked as lost, or
 * its route as ROUTE_UNCAPTURED if the end of the route is not captured.
 */
static void give_up(struct ends *ends, u64 number, struct route *route)
{
	struct packet *packet = &sighting_at(ends, number)->packet;

	if (ends->gap > number)
		return;
	if (!route_has_peer(&ends->routes, route)) {
		route->state = ROUTE_UNCAPTURED;
		return;
	}
	packet->marks |= MARK_LOST;
	set_peer(packet, route->peer_interface, route->peer_port);
}

static bool has_waited(const struct ends *ends, const struct packet *packet,
		       const struct route *route)
{
	s64 waited = ends->now_ns - packet->time_ns;

	return waited > 0 && (u64)waited / 4 >= WAIT_NS / 4 + route->longest_ns;
}

/*
 * Returns whether a packet can be released. A sent packet can be released when it has arrived, when
 * it has waited long enough, or at once if the end of its route is not captured.
 */
static bool is_complete(struct ends *ends, u64 number)
{
	struct sighting *sighting = sighting_at(ends, number);
	struct route *route;

	if (!sighting->is_sent || sighting->arrival || sighting->packet.marks & MARK_LOST)
		return true;
	route = route_get(&ends->routes, &sighting->packet);
	if (route->state == ROUTE_UNCAPTURED)
		return true;
	if (!has_waited(ends, &sighting->packet, route))
		return false;
	give_up(ends, number, route);
	return true;
}

/*
 * If the peer of a sent packet is unknown, sets it to the port where other packets from the same
 * port to the same destination LID have arrived.
 */
static void note_destination(struct ends *ends, struct sighting *sighting)
{
	const struct route *route;

	if (!sighting->is_sent || sighting->packet.has_peer)
		return;
	route = route_get(&ends->routes, &sighting->packet);
	if (route_has_peer(&ends->routes, route))
		set_peer(&sighting->packet, route->peer_interface, route->peer_port);
}

static void release_first(struct ends *ends)
{
	struct sighting *sighting = sighting_at(ends, ends->first++);
	bool is_shown;

	note_destination(ends, sighting);
	is_shown = ends->release(ends->data, &sighting->packet);
	if (sighting->arrival)
		sighting_at(ends, sighting->arrival)->packet.is_shown = is_shown;
	/* FPDUs, which are long, are not compared with later ones. */
	if (sighting->packet.is_stream) {
		free(sighting->octets);
		sighting->octets = NULL;
	}
}

static void release_complete(struct ends *ends)
{
	while (ends->first < ends->next && is_complete(ends, ends->first))
		release_first(ends);
}

/* --- arrivals ----------------------------------------------------------------------------- */

static u64 hash_of(const struct packet *packet)
{
	u64 hash = packet->length, octets;
	u32 at, rest;

	for (at = 0; at < packet->captured; at += sizeof(octets)) {
		rest = packet->captured - at;
		octets = 0;
		memcpy(&octets, packet->octets + at, rest < sizeof(octets) ? rest : sizeof(octets));
		hash = rng_mix(hash ^ octets);
	}
	return hash;
}

/*
 * Returns whether a received packet can be compared with the sent packet @sent. This requires that
 * different ports have captured them, and that their lengths are equal.
 */
static bool is_comparable(const struct sighting *sent, const struct packet *received)
{
	const struct packet *packet = &sent->packet;

	return sent->is_sent && packet->interface != received->interface &&
	       packet->length == received->length && packet->captured == received->captured;
}

static bool is_equal(const struct packet *a, const struct packet *b)
{
	return !memcmp(a->octets, b->octets, a->captured);
}

static bool is_nearly_equal(const struct packet *a, const struct packet *b)
{
	unsigned int wrong = 0;
	u32 i;

	for (i = 0; i < a->captured && wrong <= MAX_WRONG_OCTETS; i++)
		wrong += a->octets[i] != b->octets[i];
	return wrong <= MAX_WRONG_OCTETS;
}

/*
 * How well a received packet fits a sent packet with equal octets, from worst to best: not at all;
 * as a second arrival; as the first arrival; as the first arrival, and at the port where the route
 * is known to end.
 */
enum fit { NO_FIT, FITS_AGAIN, FITS, FITS_ROUTE };

static enum fit fit_of(struct ends *ends, struct sighting *sent, const struct packet *received)
{
	const struct route *route;

	if (sent->packet.marks & MARK_DAMAGED)
		return NO_FIT;
	if (sent->arrival)
		return sent->packet.peer_interface == received->interface ? FITS_AGAIN : NO_FIT;
	route = route_get(&ends->routes, &sent->packet);
	return route->state == ROUTE_KNOWN && route->peer_interface == received->interface ?
	       FITS_ROUTE : FITS;
}

/*
 * Returns the number of the sent packet that a received packet fits best; 0 if it does not fit any.
 * If several sent packets fit equally well, the newest one is returned. @number is the newest
 * sighting in the list of the received packet's hash. Sets *best to the quality of the fit.
 */
static u64 find_sent(struct ends *ends, const struct packet *received, u64 number, enum fit *best)
{
	struct sighting *sent;
	unsigned int compared;
	u64 found = 0;
	enum fit fit;

	*best = NO_FIT;
	for (compared = 0; is_remembered(ends, number) && compared < MAX_COMPARED; compared++) {
		sent = sighting_at(ends, number);
		if (is_comparable(sent, received) && is_equal(&sent->packet, received)) {
			fit = fit_of(ends, sent, received);
			if (fit > *best) {
				*best = fit;
				found = number;
			}
		}
		number = sent->older;
	}
	return found;
}

static void ends_arrive(struct ends *ends, u64 sent_number, u64 number)
{
	struct sighting *sent = sighting_at(ends, sent_number);
	struct packet *received = &sighting_at(ends, number)->packet;

	sent->arrival = number;
	sent->packet.has_arrived = true;
	sent->packet.arrived_ns = received->time_ns;
	sent->packet.marks |= received->marks;
	set_peer(&sent->packet, received->interface, received->port);
	set_peer(received, sent->packet.interface, sent->packet.port);
	route_learn(&ends->routes, &sent->packet, received);
}

/*
 * Marks a second arrival of a packet as a duplicate. It is not marked if the capture has lost
 * packets after the packet was sent, because one of the lost packets may be a retransmission.
 */
static void arrive_again(struct ends *ends, u64 sent_number, struct packet *received)
{
	const struct packet *sent = &sighting_at(ends, sent_number)->packet;

	if (ends->gap > sent_number)
		return;
	received->marks = MARK_DUPLICATE;
	set_peer(received, sent->interface, sent->port);
}

/*
 * Finds the sent packet that has arrived as the damaged packet @received, and marks both packets.
 * Only sent packets that wait for their arrival are compared.
 */
static void arrive_damaged(struct ends *ends, struct packet *received)
{
	struct sighting *sent;
	unsigned int compared;
	u64 number = ends->next;

	for (compared = 0; number > ends->first && compared < MAX_COMPARED; compared++) {
		sent = sighting_at(ends, --number);
		if (!is_comparable(sent, received) || sent->arrival ||
		    sent->packet.marks & MARK_LOST ||
		    !is_nearly_equal(&sent->packet, received))
			continue;
		sent->packet.marks |= MARK_LOST | MARK_DAMAGED;
		set_peer(&sent->packet, received->interface, received->port);
		received->marks |= MARK_DAMAGED;
		set_peer(received, sent->packet.interface, sent->packet.port);
		return;
	}
}

static void ends_receive(struct ends *ends, u64 number, u64 list)
{
	struct packet *received = &sighting_at(ends, number)->packet;
	enum fit fit;
	u64 sent = find_sent(ends, received, list, &fit);
	bool cut;

	if (fit >= FITS)
		ends_arrive(ends, sent, number);
	else if (fit == FITS_AGAIN)
		arrive_again(ends, sent, received);
	else if (packet_fault(received, &cut))
		arrive_damaged(ends, received);
}

/* --- sightings ---------------------------------------------------------------------------- */

static void copy_packet(struct sighting *sighting, const struct packet *packet)
{
	free(sighting->octets);
	*sighting = (struct sighting){ .packet = *packet };
	sighting->octets = need(malloc(packet->captured + 1));
	memcpy(sighting->octets, packet->octets, packet->captured);
	sighting->packet.octets = sighting->octets;
	if (packet->mad)
		sighting->packet.mad = sighting->octets + (packet->mad - packet->octets);
}

/*
 * Adds a sent packet to the list of its hash, or finds the sent packet of a received one.
 * Flow-control packets are not compared, because many of them are equal.
 */
static void ends_compare(struct ends *ends, u64 number)
{
	struct sighting *sighting = sighting_at(ends, number);
	const struct packet *packet = &sighting->packet;
	u64 *list = &ends->newest[hash_of(packet) % NUM_LISTS];

	if (!packet->has_lrh || !packet->direction)
		return;
	if (packet->direction == HCA_TAP_IN) {
		ends_receive(ends, number, *list);
		return;
	}
	sighting->is_sent = true;
	route_note_source(&ends->routes, packet);
	sighting->older = *list;
	*list = number;
}

void ends_add(struct ends *ends, const struct packet *packet)
{
	u64 number = ends->next;

	if (number - ends->first == NUM_SIGHTINGS)
		release_first(ends);
	ends->next++;
	copy_packet(sighting_at(ends, number), packet);
	if (packet->lost)
		ends->gap = number;
	ends_compare(ends, number);
	ends->now_ns = packet->time_ns;
	release_complete(ends);
}

void ends_advance(struct ends *ends, u64 now_ns)
{
	ends->now_ns = now_ns;
	release_complete(ends);
}

void ends_flush(struct ends *ends)
{
	while (ends->first < ends->next)
		release_first(ends);
}

bool ends_are_waiting(const struct ends *ends)
{
	return ends->first < ends->next;
}
