/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The integrity check value (ICV) of authenticated frames: HMAC-SHA-256, cut to HCA_FRAME_TAG
 * octets.
 */
#ifndef HCA_PHY_ICV_H
#define HCA_PHY_ICV_H

#include <linux/types.h>

struct crypto_shash;

/**
 * hca_icv_new() - allocate an HMAC with a key
 * @key: the key; copied
 * @len: octets of @key
 *
 * Context: process.
 * Return: the HMAC, or an ERR_PTR() of the kernel's crypto API.
 */
struct crypto_shash *hca_icv_new(const u8 *key, unsigned int len);

/**
 * hca_icv_free() - free an HMAC
 * @hmac: HMAC of hca_icv_new()
 *
 * Context: process.
 */
void hca_icv_free(struct crypto_shash *hmac);

/**
 * hca_icv_append() - append the tag to a frame
 * @hmac: the HMAC with the key of the link
 * @frame: the frame, followed by room for HCA_FRAME_TAG octets
 * @len: octets of the frame without the tag
 *
 * Context: BH.
 * Return: 0, or an error of the kernel's crypto API.
 */
int hca_icv_append(struct crypto_shash *hmac, u8 *frame, unsigned int len);

/**
 * hca_icv_verify() - check the tag of a frame
 * @hmac: the HMAC with the key of the link
 * @frame: the frame, followed by HCA_FRAME_TAG octets of tag
 * @len: octets of the frame without the tag
 *
 * Context: BH.
 * Return: true if the tag is right; false if it is wrong or could not be computed.
 */
bool hca_icv_verify(struct crypto_shash *hmac, const u8 *frame, unsigned int len);

#endif
