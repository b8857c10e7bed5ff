// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * PortSamplesControl, PortSamplesResult and PortSamplesResultExtended: measurement of how much
 * counters increase in an interval (req C4-324 to C4-335). Each managed port has one sampling
 * mechanism; that of port 0 of a switch can sample any port of the switch. Some counters are sums
 * over all CPUs. Their samples may not be exact if packets are being processed.
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "link/tx/timing.h"
#include "sma/agent_port.h"
#include "sma/attribute.h"
#include "sma/samples.h"
#include "wire/field.h"

#define HCA_SAMPLES 15

enum hca_sample_status {
	HCA_SAMPLE_DONE = 0,
	HCA_SAMPLE_STARTING = 1, /* waiting until the delay SampleStart has passed */
	HCA_SAMPLE_RUNNING = 2, /* waiting until SampleInterval has passed */
};

/* The writable fields of PortSamplesControl. */
struct hca_sample_control {
	u8 opcode;
	u8 port_select;
	u32 start; /* ticks */
	u32 interval; /* ticks */
	u16 tag;
	u16 select[HCA_SAMPLES]; /* CounterSelect codes */
};

struct hca_samples {
	spinlock_t lock; /* leaf lock, BH disabled; protects all members below */
	struct hca_sample_control control;
	struct hca_port *port; /* sampled port */
	u8 status; /* enum hca_sample_status */
	/*
	 * While status is RUNNING: values of the counters at the start; when DONE: the differences.
	 */
	u64 value[HCA_SAMPLES];
	struct hrtimer timer;
};

#define HCA_TICK_NS (1u << HCA_WAIT_TICK_SHIFT)
/* Code of a tick of 256 symbol times; a symbol time is 4 ns (2.5 Gb/s) here at any link speed. */
#define HCA_TICK_CODE 0xff

#define FIELD(name, octet, bits) HCA_FIELD(struct hca_sample_control, name, octet, 0, bits)

static const struct hca_field hca_sample_control_fields[] = {
	FIELD(opcode, 0, 8),	  FIELD(port_select, 1, 8),  FIELD(start, 28, 32),
	FIELD(interval, 32, 32),  FIELD(tag, 36, 16),	     FIELD(select[0], 38, 16),
	FIELD(select[1], 40, 16), FIELD(select[2], 42, 16),  FIELD(select[3], 44, 16),
	FIELD(select[4], 46, 16), FIELD(select[5], 48, 16),  FIELD(select[6], 50, 16),
	FIELD(select[7], 52, 16), FIELD(select[8], 54, 16),  FIELD(select[9], 56, 16),
	FIELD(select[10], 58, 16), FIELD(select[11], 60, 16), FIELD(select[12], 62, 16),
	FIELD(select[13], 64, 16), FIELD(select[14], 66, 16),
};

#undef FIELD

/* Read-only fields of PortSamplesControl that describe the mechanism (req C4-327, C4-329). */
struct hca_sample_mechanism {
	u8 tick;
	u8 counter_width; /* code of the counters' width; 4: 32 bits */
	u32 counter_masks0_to_9; /* three bits for each of the counters 0 to 9 */
	u16 counter_masks10_to_14; /* three bits for each of the counters 10 to 14 */
	__be64 option_mask;
};

#define FIELD(name, octet, bit, bits) HCA_FIELD(struct hca_sample_mechanism, name, octet, bit, bits)

static const struct hca_field hca_sample_mechanism_fields[] = {
	FIELD(tick, 2, 0, 8),
	FIELD(counter_width, 3, 5, 3),
	FIELD(counter_masks0_to_9, 4, 2, 30),
	FIELD(counter_masks10_to_14, 8, 1, 15),
	FIELD(option_mask, 12, 0, 64),
};

#undef FIELD

static const struct hca_field hca_sample_status_field[] = {
	HCA_FIELD(struct hca_samples, status, 11, 6, 2),
};

static const struct hca_field hca_sample_result_fields[] = {
	HCA_FIELD(struct hca_samples, control.tag, 0, 0, 16),
	HCA_FIELD(struct hca_samples, status, 3, 6, 2),
};

/* The supported codes of CounterSelect, and the bits of OptionMask that advertise the codes. */
static const struct {
	u16 code;
	u8 counter; /* enum hca_counter */
	u8 option; /* bit of OptionMask; 0: the counter is mandatory */
	bool of_vl; /* bits 8 to 11 of the code select the VL */
} hca_sample_events[] = {
	{ 0x0001, HCA_CTR_XMIT_DATA },
	{ 0x0002, HCA_CTR_RCV_DATA },
	{ 0x0003, HCA_CTR_XMIT_PACKETS },
	{ 0x0004, HCA_CTR_RCV_PACKETS },
	{ 0x0005, HCA_CTR_XMIT_WAIT },
	{ 0x4005, HCA_CTR_LOCAL_PHYSICAL_ERRORS, 6 },
	{ 0x4006, HCA_CTR_MALFORMED_PACKET_ERRORS, 7 },
	{ 0x4007, HCA_CTR_BUFFER_OVERRUN_ERRORS, 8 },
	{ 0x4008, HCA_CTR_DLID_MAPPING_ERRORS, 9 },
	{ 0x4009, HCA_CTR_VL_MAPPING_ERRORS, 10 },
	{ 0x400a, HCA_CTR_LOOPING_ERRORS, 11 },
	{ 0x400b, HCA_CTR_INACTIVE_DISCARDS, 12 },
	{ 0x400c, HCA_CTR_NEIGHBOR_MTU_DISCARDS, 13 },
	{ 0x400d, HCA_CTR_SW_LIFETIME_DISCARDS, 14 },
	{ 0x400e, HCA_CTR_SW_HOQ_DISCARDS, 15 },
	{ 0x400f, HCA_CTR_OPCODE_PACKETS, 16 },
	{ 0x4010, HCA_CTR_OPCODE_DATA, 17 },
	{ 0x4011, HCA_CTR_XMIT_FLOW_PACKETS, 18 },
	{ 0x4012, HCA_CTR_RCV_FLOW_PACKETS, 19 },
	{ 0x4015, HCA_CTR_FLOW_UPDATE_ERRORS_VL, 22, true },
	{ 0x4016, HCA_CTR_XMIT_WAIT_VL, 23, true },
	{ 0x4030, HCA_CTR_CONGESTION_VL, 48, true },
};

#define HCA_EVENT_VL(code) ((code) >> 8 & 0xf)
#define HCA_EVENT_VLS 0x0f00

static u64 sample_options(void)
{
	u64 options = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_sample_events); i++)
		if (hca_sample_events[i].option)
			options |= 1ull << hca_sample_events[i].option;
	return options;
}

/* Returns the value of the counter that a code of CounterSelect selects; 0: unsupported code. */
static u64 sample_read(const struct hca_port *port, u16 code)
{
	u16 vl_code = code & ~HCA_EVENT_VLS;
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_sample_events); i++) {
		if (hca_sample_events[i].of_vl && hca_sample_events[i].code == vl_code)
			return hca_counter_read(port, hca_sample_events[i].counter +
							      HCA_EVENT_VL(code));
		if (!hca_sample_events[i].of_vl && hca_sample_events[i].code == code)
			return hca_counter_read(port, hca_sample_events[i].counter);
	}
	return 0;
}

static void samples_wait(struct hca_samples *samples, u8 status, u32 ticks)
{
	samples->status = status;
	hrtimer_start(&samples->timer, ns_to_ktime(ktime_get_ns() + (u64)ticks * HCA_TICK_NS),
		      HRTIMER_MODE_ABS_SOFT);
}

static enum hrtimer_restart samples_expired(struct hrtimer *timer)
{
	struct hca_samples *samples = container_of(timer, struct hca_samples, timer);
	bool begins;
	int i;

	spin_lock(&samples->lock);
	begins = samples->status == HCA_SAMPLE_STARTING;
	for (i = 0; i < HCA_SAMPLES; i++)
		samples->value[i] = sample_read(samples->port, samples->control.select[i]) -
				    (begins ? 0 : samples->value[i]);
	if (begins)
		samples_wait(samples, HCA_SAMPLE_RUNNING, samples->control.interval);
	else
		samples->status = HCA_SAMPLE_DONE;
	spin_unlock(&samples->lock);
	return HRTIMER_NORESTART;
}

/*
 * Returns the sampling mechanism of a managed port, and allocates it if necessary. Returns NULL if
 * there is no memory.
 */
static struct hca_samples *samples_get(struct hca_port *home)
{
	struct hca_samples *samples = READ_ONCE(home->agent->samples);

	if (samples)
		return samples;
	samples = kzalloc(sizeof(*samples), GFP_ATOMIC | __GFP_NOWARN);
	if (!samples)
		return NULL;
	spin_lock_init(&samples->lock);
	samples->port = home;
	hrtimer_setup(&samples->timer, samples_expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	spin_lock(&home->lock);
	if (!home->agent->samples) {
		/* Publish the structure after its initialization, for readers without the lock. */
		smp_store_release(&home->agent->samples, samples);
		samples = NULL;
	}
	spin_unlock(&home->lock);
	kfree(samples);
	return home->agent->samples;
}

void hca_samples_free(struct hca_port *port)
{
	if (!port->agent->samples)
		return;
	hrtimer_cancel(&port->agent->samples->timer);
	kfree(port->agent->samples);
	port->agent->samples = NULL;
}

/*
 * Returns the port that PortSelect selects; NULL: none. In a CA, only the port where the MAD
 * arrived can be sampled (req C4-338).
 */
static struct hca_port *samples_port(const struct hca_mad_request *rq, u8 select)
{
	if (rq->node->type != RDMA_NODE_IB_SWITCH && select != rq->arrival)
		return NULL;
	return hca_node_port(rq->node, select);
}

static void samples_describe(u8 *out)
{
	const struct hca_sample_mechanism mechanism = {
		.tick = HCA_TICK_CODE,
		.counter_width = 4,
		/* one octal digit per counter; 3: the counter can sample all quantities */
		.counter_masks0_to_9 = 03333333333,
		.counter_masks10_to_14 = 033333,
		.option_mask = cpu_to_be64(sample_options()),
	};

	hca_fields_pack(hca_sample_mechanism_fields, ARRAY_SIZE(hca_sample_mechanism_fields),
			&mechanism, out);
}

u16 hca_port_samples_control_get(struct hca_mad_request *rq)
{
	struct hca_samples *samples = samples_get(rq->home);

	if (!samples)
		return IB_MGMT_MAD_STATUS_BUSY;
	samples_describe(rq->out);
	spin_lock(&samples->lock);
	hca_fields_pack(hca_sample_control_fields, ARRAY_SIZE(hca_sample_control_fields),
			&samples->control, rq->out);
	hca_fields_pack(hca_sample_status_field, ARRAY_SIZE(hca_sample_status_field), samples,
			rq->out);
	spin_unlock(&samples->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/*
 * Starts a sampling. While a sampling is running, a Set changes nothing, and its response contains
 * the values of the running sampling.
 */
u16 hca_port_samples_control_set(struct hca_mad_request *rq)
{
	struct hca_samples *samples = samples_get(rq->home);
	struct hca_sample_control control;
	struct hca_port *port;

	hca_fields_unpack(hca_sample_control_fields, ARRAY_SIZE(hca_sample_control_fields), rq->in,
			  &control);
	port = samples_port(rq, control.port_select);
	if (!port)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	if (!samples)
		return IB_MGMT_MAD_STATUS_BUSY;
	spin_lock(&samples->lock);
	if (samples->status == HCA_SAMPLE_DONE) {
		samples->control = control;
		samples->port = port;
		memset(samples->value, 0, sizeof(samples->value));
		samples_wait(samples, HCA_SAMPLE_STARTING, control.start);
	}
	spin_unlock(&samples->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/* Fills in a result. Its counters begin at bit @bit of the attribute and have @width bits each. */
static u16 samples_show(struct hca_mad_request *rq, unsigned int bit, unsigned int width)
{
	struct hca_samples *samples = samples_get(rq->home);
	unsigned int i;

	if (!samples)
		return IB_MGMT_MAD_STATUS_BUSY;
	spin_lock(&samples->lock);
	hca_fields_pack(hca_sample_result_fields, ARRAY_SIZE(hca_sample_result_fields), samples,
			rq->out);
	for (i = 0; i < HCA_SAMPLES && samples->status == HCA_SAMPLE_DONE; i++)
		hca_field_put(rq->out, bit + i * width, width,
			      min(samples->value[i], U64_MAX >> (64 - width)));
	spin_unlock(&samples->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_port_samples_result_get(struct hca_mad_request *rq)
{
	return samples_show(rq, 32, 32);
}

u16 hca_port_samples_result_ext_get(struct hca_mad_request *rq)
{
	hca_field_put(rq->out, 32, 2, 2); /* ExtendedWidth: 64 bits */
	return samples_show(rq, 64, 64);
}
