/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The link's two state machines. */
#ifndef HCA_LINK_STATE_H
#define HCA_LINK_STATE_H

#include <linux/types.h>

struct hca_port;

/* Does the port want a link: is it neither disabled nor asleep? Context: any. */
bool hca_port_phys_enabled(const struct hca_port *port);

/**
 * hca_link_train() - bring a link up if both ends are willing
 * @port: either end, cabled; or with a way to elsewhere
 *
 * At the most lanes and the highest speed that both have enabled; without any it stays down. An end
 * that has missed flow-control packets has to see one first.
 *
 * Context: BH disabled; no lock held.
 */
void hca_link_train(struct hca_port *port);

/**
 * hca_link_retrain() - a link has failed, or has to be made anew
 * @port: the end that knows
 *
 * Both ends go down, as hca_port_link_down() has it, and train.
 * Context: BH disabled; no lock held; the engine is drained later.
 */
void hca_link_retrain(struct hca_port *port);

/**
 * hca_port_defer() - Active to ActDefer, LinkUp to Recovery
 * hca_port_resume() - and back, counting LinkErrorRecovery
 * @port: the port
 *
 * Another processor may have done so already, for the other end.
 * Context: BH disabled; no lock held. Return: false: it was in a third state, and is still.
 */
bool hca_port_defer(struct hca_port *port);
bool hca_port_resume(struct hca_port *port);

/*
 * ActiveTrigger, a data packet has arrived: if the port is Armed, and ActiveEnable says that the
 * neighbour has left Initialize, the port is Active, as its neighbour is (C4-134, IBA 7.2.7).
 * Context: BH disabled; no lock held.
 */
void hca_port_active_trigger(struct hca_port *port);

/* The name of a logical, of a physical state, for people. */
const char *hca_port_state_name(u8 state);
const char *hca_phys_state_name(u8 phys);

#endif
