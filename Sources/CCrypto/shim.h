/* libcrypto as Swift needs it: everything that takes and gives plain octets, so that no pointer of Swift's
   outlives a call and no object of libcrypto's crosses the border except one keyed cipher. */
#pragma once
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>

/* An AES-128 cipher that is keyed once and encrypts any number of blocks; NULL on failure. */
static inline EVP_CIPHER_CTX *ccrypto_aes128_new(const unsigned char *key) {
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  if (cipher == NULL) return NULL;
  if (EVP_EncryptInit_ex(cipher, EVP_aes_128_ecb(), NULL, key, NULL) != 1
      || EVP_CIPHER_CTX_set_padding(cipher, 0) != 1) {
    EVP_CIPHER_CTX_free(cipher);
    return NULL;
  }
  return cipher;
}

static inline int ccrypto_aes128_block(EVP_CIPHER_CTX *cipher, unsigned char *output, const unsigned char *input) {
  int count = 0;
  return EVP_EncryptUpdate(cipher, output, &count, input, 16) == 1 && count == 16;
}

static inline void ccrypto_aes128_free(EVP_CIPHER_CTX *cipher) { EVP_CIPHER_CTX_free(cipher); }

/* scalar * point on P-256, or scalar * generator where point is NULL. Points are x and y, scalars and coordinates
   32 octets each, most significant first. 0 where the scalar is not in 1...n-1 or the point is not on the curve. */
static inline int ccrypto_p256_multiply(
    const unsigned char *scalar, const unsigned char *point, unsigned char *output) {
  int done = 0;
  unsigned char encoded[65];
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  BN_CTX *context = BN_CTX_secure_new();
  BIGNUM *number = BN_bin2bn(scalar, 32, NULL);
  EC_POINT *result = group ? EC_POINT_new(group) : NULL;
  EC_POINT *factor = group ? EC_POINT_new(group) : NULL;
  if (group && context && number && result && factor && !BN_is_zero(number)
      && BN_cmp(number, EC_GROUP_get0_order(group)) < 0) {
    BN_set_flags(number, BN_FLG_CONSTTIME);
    if (point == NULL) {
      done = EC_POINT_mul(group, result, number, NULL, NULL, context) == 1;
    } else {
      encoded[0] = POINT_CONVERSION_UNCOMPRESSED;
      for (int index = 0; index < 64; index++) encoded[index + 1] = point[index];
      done = EC_POINT_oct2point(group, factor, encoded, 65, context) == 1
          && EC_POINT_is_on_curve(group, factor, context) == 1
          && EC_POINT_mul(group, result, NULL, factor, number, context) == 1;
    }
    done = done && EC_POINT_is_at_infinity(group, result) == 0
        && EC_POINT_point2oct(group, result, POINT_CONVERSION_UNCOMPRESSED, encoded, 65, context) == 65;
    if (done)
      for (int index = 0; index < 64; index++) output[index] = encoded[index + 1];
  }
  ERR_clear_error();
  OPENSSL_cleanse(encoded, sizeof encoded);
  EC_POINT_free(factor);
  EC_POINT_clear_free(result);
  BN_clear_free(number);
  BN_CTX_free(context);
  EC_GROUP_free(group);
  return done;
}
