// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The integrity check value (ICV) of authenticated frames: HMAC-SHA-256, cut to HCA_FRAME_TAG
 * octets.
 */
#include "phy/icv.h"
#include <crypto/algapi.h>
#include <crypto/hash.h>
#include <crypto/sha2.h>
#include <linux/err.h>
#include <linux/string.h>
#include "phy/frame.h"

struct crypto_shash *hca_icv_new(const u8 *key, unsigned int len)
{
	struct crypto_shash *hmac = crypto_alloc_shash("hmac(sha256)", 0, 0);
	int err;

	if (IS_ERR(hmac))
		return hmac;
	err = crypto_shash_setkey(hmac, key, len);
	if (err) {
		crypto_free_shash(hmac);
		return ERR_PTR(err);
	}
	return hmac;
}

void hca_icv_free(struct crypto_shash *hmac)
{
	crypto_free_shash(hmac);
}

static int icv_digest(struct crypto_shash *hmac, const u8 *frame, unsigned int len, u8 *full)
{
	SHASH_DESC_ON_STACK(desc, hmac);
	int err;

	desc->tfm = hmac;
	err = crypto_shash_digest(desc, frame, len, full);
	shash_desc_zero(desc);
	return err;
}

int hca_icv_append(struct crypto_shash *hmac, u8 *frame, unsigned int len)
{
	u8 full[SHA256_DIGEST_SIZE];
	int err = icv_digest(hmac, frame, len, full);

	if (!err)
		memcpy(frame + len, full, HCA_FRAME_TAG);
	return err;
}

bool hca_icv_verify(struct crypto_shash *hmac, const u8 *frame, unsigned int len)
{
	u8 full[SHA256_DIGEST_SIZE];

	return !icv_digest(hmac, frame, len, full) &&
	       !crypto_memneq(frame + len, full, HCA_FRAME_TAG);
}
