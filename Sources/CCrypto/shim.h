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

/* The place of the first of `count` ciphers that hashes 24 bits to 24 bits as an address says, -1 where none does: the
   function ah of many keys. A NULL among the ciphers is passed over. */
static inline long ccrypto_aes128_find(EVP_CIPHER_CTX *const *ciphers, long count, unsigned int random,
                                       unsigned int hash) {
  unsigned char input[16] = {0}, output[16];
  input[13] = (unsigned char)(random >> 16);
  input[14] = (unsigned char)(random >> 8);
  input[15] = (unsigned char)random;
  for (long place = 0; place < count; place++) {
    if (ciphers[place] == NULL || ccrypto_aes128_block(ciphers[place], output, input) != 1) continue;
    if (((unsigned int)output[13] << 16 | (unsigned int)output[14] << 8 | output[15]) == hash) return place;
  }
  return -1;
}

/* AES-CCM as the link layer uses it: a nonce of 13 octets, a check of 4, one octet of additional data. A context is
   keyed once and serves one direction. NULL on failure. */
static inline EVP_CIPHER_CTX *ccrypto_ccm_new(const unsigned char *key, int seals) {
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  if (cipher == NULL) return NULL;
  if (EVP_CipherInit_ex(cipher, EVP_aes_128_ccm(), NULL, NULL, NULL, seals) != 1
      || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_IVLEN, 13, NULL) != 1
      || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, 4, NULL) != 1
      || EVP_CipherInit_ex(cipher, NULL, NULL, key, NULL, seals) != 1) {
    EVP_CIPHER_CTX_free(cipher);
    return NULL;
  }
  return cipher;
}

/* Packet counter and direction bit, then the initialization vector, each least significant octet first. */
static inline void ccrypto_ccm_nonce(unsigned char *nonce, unsigned long long counter, unsigned long long vector) {
  for (int index = 0; index < 5; index++) nonce[index] = (unsigned char)(counter >> (8 * index));
  for (int index = 0; index < 8; index++) nonce[5 + index] = (unsigned char)(vector >> (8 * index));
}

/* Encrypts in place and writes the check. 1 on success. */
static inline int ccrypto_ccm_seal(
    EVP_CIPHER_CTX *cipher, unsigned long long counter, unsigned long long vector, unsigned char header,
    unsigned char *octets, int count, unsigned char *check) {
  unsigned char nonce[13];
  int done = 0;
  ccrypto_ccm_nonce(nonce, counter, vector);
  return EVP_EncryptInit_ex(cipher, NULL, NULL, NULL, nonce) == 1
      && EVP_EncryptUpdate(cipher, NULL, &done, NULL, count) == 1
      && EVP_EncryptUpdate(cipher, NULL, &done, &header, 1) == 1
      && EVP_EncryptUpdate(cipher, octets, &done, octets, count) == 1 && done == count
      && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, 4, check) == 1;
}

/* Decrypts in place. 1 where the check is right; the octets are of no use otherwise. */
static inline int ccrypto_ccm_open(
    EVP_CIPHER_CTX *cipher, unsigned long long counter, unsigned long long vector, unsigned char header,
    unsigned char *octets, int count, const unsigned char *check) {
  unsigned char nonce[13], tag[4];
  int done = 0;
  ccrypto_ccm_nonce(nonce, counter, vector);
  for (int index = 0; index < 4; index++) tag[index] = check[index];
  int opened = EVP_DecryptInit_ex(cipher, NULL, NULL, NULL, nonce) == 1
      && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, 4, tag) == 1
      && EVP_DecryptUpdate(cipher, NULL, &done, NULL, count) == 1
      && EVP_DecryptUpdate(cipher, NULL, &done, &header, 1) == 1
      && EVP_DecryptUpdate(cipher, octets, &done, octets, count) == 1 && done == count;
  if (!opened) ERR_clear_error();
  return opened;
}

static inline void ccrypto_ccm_free(EVP_CIPHER_CTX *cipher) { EVP_CIPHER_CTX_free(cipher); }

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
