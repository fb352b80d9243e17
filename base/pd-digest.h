/* A digest of a file's bytes, by which one that was exchanged or changed is recognised. Not
 * against forgers. Plain C, without GLib: record/ uses it, too. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIGEST_H
#define PD_DIGEST_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PD_DIGEST_LANES 4
#define PD_DIGEST_BLOCK (PD_DIGEST_LANES * sizeof (uint64_t))

/* All zero is the digest of nothing. Lanes do not depend on each other, so that a processor works
 * on all at once. */
typedef struct
{
  uint64_t lanes[PD_DIGEST_LANES];
  uint64_t n; /* bytes */
} PdDigest;

/**
 * pd_digest_step:
 * Returns: @state with @word in it: an exclusive or, the product with an odd number (the golden
 *   ratio's, Knuth, The Art of Computer Programming, 6.4) and a rotation. Each can be undone, so
 *   states that differ stay different. Of use to the others here only.
 */
static inline uint64_t
pd_digest_step (uint64_t state, uint64_t word)
{
  state = (state ^ word) * UINT64_C (0x9e3779b97f4a7c15);
  return state << 29 | state >> 35;
}

/**
 * pd_digest_add_block:
 * @block: %PD_DIGEST_BLOCK bytes; words of it have the lowest byte first on all machines
 */
static inline void
pd_digest_add_block (PdDigest *self, const unsigned char *block)
{
  for (int lane = 0; lane < PD_DIGEST_LANES; lane++)
    {
      uint64_t word;
      memcpy (&word, block + (size_t) lane * sizeof word, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      word = __builtin_bswap64 (word);
#endif
      self->lanes[lane] = pd_digest_step (self->lanes[lane], word);
    }
}

/**
 * pd_digest_add:
 * @n: a multiple of %PD_DIGEST_BLOCK, but for the last bytes of all
 *
 * The bytes follow those that were added before.
 */
static inline void
pd_digest_add (PdDigest *self, const void *bytes, size_t n)
{
  const unsigned char *at = bytes;
  unsigned char rest[PD_DIGEST_BLOCK] = { 0 };

  self->n += n;
  for (; n >= PD_DIGEST_BLOCK; n -= PD_DIGEST_BLOCK, at += PD_DIGEST_BLOCK)
    pd_digest_add_block (self, at);
  if (n == 0)
    return;
  memcpy (rest, at, n);
  pd_digest_add_block (self, rest);
}

/**
 * pd_digest_get:
 * Returns: one number for all bytes that were added, and for how many they are.
 */
static inline uint64_t
pd_digest_get (const PdDigest *self)
{
  uint64_t sum = pd_digest_step (0, self->n);

  for (int lane = 0; lane < PD_DIGEST_LANES; lane++)
    sum = pd_digest_step (sum, self->lanes[lane]);
  return sum ^ sum >> 32;
}

/**
 * pd_digest_file:
 * @path: a file that is complete
 * (out) @value: its digest
 *
 * Returns: 0; -1 with errno if it cannot be read.
 */
static inline int
pd_digest_file (const char *path, uint64_t *value)
{
  unsigned char bytes[256 * PD_DIGEST_BLOCK];
  PdDigest digest = { { 0 }, 0 };
  FILE *file = fopen (path, "rbe");

  if (file == NULL)
    return -1;
  for (size_t n; (n = fread (bytes, 1, sizeof bytes, file)) > 0;)
    pd_digest_add (&digest, bytes, n);
  int failed = ferror (file);
  fclose (file);
  *value = pd_digest_get (&digest);
  return failed ? -1 : 0;
}

#endif
