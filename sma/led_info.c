// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* LedInfo: the LED that identifies the node to a person beside it (req C4-249). */
#include <linux/kernel.h>
#include "sma/attribute.h"

#define HCA_LED_MASK_ON 0x80

u16 hca_led_info_get(struct hca_mad_request *rq)
{
	rq->out[0] = READ_ONCE(rq->node->led) ? HCA_LED_MASK_ON : 0;
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_led_info_set(struct hca_mad_request *rq)
{
	WRITE_ONCE(rq->node->led, rq->in[0] & HCA_LED_MASK_ON);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
