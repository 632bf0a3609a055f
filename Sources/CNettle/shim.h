#ifndef SHOEBOX_CNETTLE_SHIM_H
#define SHOEBOX_CNETTLE_SHIM_H

#include <nettle/hmac.h>
#include <nettle/version.h>
#include <stddef.h>
#include <stdint.h>

// HMAC-SHA256 (RFC 2104) of a message in one call; the context is a macro in C, and the last function has
// another signature in Nettle 4.
static inline void hmac_sha256_of(const uint8_t *key, size_t key_length, const uint8_t *message,
                                  size_t message_length, uint8_t code[SHA256_DIGEST_SIZE]) {
  struct hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key_length, key);
  hmac_sha256_update(&context, message_length, message);
#if NETTLE_VERSION_MAJOR >= 4
  hmac_sha256_digest(&context, code);
#else
  hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, code);
#endif
}

#endif
