/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The state machines of a link: logical (PortState) and physical (PortPhysicalState). */
#ifndef HCA_LINK_STATE_STATE_H
#define HCA_LINK_STATE_STATE_H

#include <linux/types.h>

struct hca_port;

/**
 * hca_port_link_up() - bring a port to the states Initialize and LinkUp
 * @port: the port
 *
 * Width and speed are the best ones that the port itself has enabled.
 * Context: process or BH; no lock held.
 */
void hca_port_link_up(struct hca_port *port);

/**
 * hca_port_link_down() - take a port to Down and LinkDownDefault when its physical link has failed
 * @port: the port
 *
 * Counts LinkDowned, and raises PORT_ERROR if the port was Active or ActDefer.
 * Context: process or BH; no lock held.
 */
void hca_port_link_down(struct hca_port *port);

/**
 * hca_port_set_state() - apply PortState of a Set(PortInfo)
 * @port: the port
 * @state: IB_PORT_DOWN retrains the link; IB_PORT_ARMED is reached from Initialize or Armed;
 *         IB_PORT_ACTIVE from Armed, Active or ActDefer; IB_PORT_NOP changes nothing
 *
 * Raises PORT_ACTIVE and PORT_ERROR.
 * Context: BH disabled; no lock held.
 * Return: 0, or -EINVAL for a transition that does not exist (IBA PortInfo.PortState).
 */
int hca_port_set_state(struct hca_port *port, u8 state);

/**
 * hca_port_set_phys_state() - apply PortPhysicalState of a Set(PortInfo)
 * @port: the port
 * @phys: Polling retrains the link; Disabled and Sleep take it down and keep it down;
 *        HCA_PHYS_NOP changes nothing
 *
 * Context: BH disabled; no lock held.
 * Return: 0; -EINVAL for any other state.
 */
int hca_port_set_phys_state(struct hca_port *port, u8 phys);

/**
 * hca_link_train() - bring a link up if both ends are enabled
 * @port: either end; it has a cable, or a phy to a remote port
 *
 * The link gets the largest width and the highest speed that both ends have enabled; without a
 * common width and speed it stays Down. A port whose flow-control watchdog has expired must receive
 * a flow-control packet first.
 *
 * Context: BH disabled; no lock held.
 */
void hca_link_train(struct hca_port *port);

/**
 * hca_link_retrain() - take a failed link Down, and retrain it
 * @port: the end that has found the failure
 *
 * Both ends go Down as described for hca_port_link_down().
 * Context: BH disabled; no lock held; hca_engine_run() must follow.
 */
void hca_link_retrain(struct hca_port *port);

/**
 * hca_port_defer() - take a port from Active to ActDefer, and from LinkUp to Recovery
 * @port: the port
 *
 * Another processor may have done this already, on behalf of the other end.
 * Context: BH disabled; no lock held.
 * Return: true if the port is in ActDefer now; false if it was neither Active nor in ActDefer.
 */
bool hca_port_defer(struct hca_port *port);

/**
 * hca_port_resume() - take a port from ActDefer to Active, and count LinkErrorRecovery
 * @port: the port
 *
 * Another processor may have done this already, on behalf of the other end.
 * Context: BH disabled; no lock held.
 * Return: true if the port is Active now; false if it was neither in ActDefer nor Active.
 */
bool hca_port_resume(struct hca_port *port);

/*
 * Process ActiveTrigger, the arrival of a data packet. It makes an Armed port Active if
 * ActiveEnable is true, that is, if the peer has left Initialize (IBA 7.2.7, req C4-134). Context:
 * BH disabled; no lock held.
 */
void hca_port_active_trigger(struct hca_port *port);

/* Name of a logical state, for messages. */
const char *hca_port_state_name(u8 state);

/* Name of a physical state, for messages. */
const char *hca_phys_state_name(u8 phys);

#endif
