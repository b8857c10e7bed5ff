/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Frames that only those who share a key can make. */
#ifndef HCA_PHY_ICV_H
#define HCA_PHY_ICV_H

#include <linux/types.h>

struct crypto_shash;

/* HMAC-SHA-256 with a key. Context: process. Return: ERR_PTR() of what the kernel's crypto says. */
struct crypto_shash *hca_icv_new(const u8 *key, unsigned int len);
void hca_icv_free(struct crypto_shash *hmac);

/* Write the tag of @len octets behind them: HCA_FRAME_TAG octets. Context: BH. Return: 0 or error. */
int hca_icv_append(struct crypto_shash *hmac, u8 *frame, unsigned int len);

/* Whether the tag behind @len octets is theirs. Context: BH. */
bool hca_icv_verify(struct crypto_shash *hmac, const u8 *frame, unsigned int len);

#endif
