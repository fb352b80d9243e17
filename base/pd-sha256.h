/* SHA-256 (FIPS 180-4), by the processor's own instructions where it has them.
 *
 * Why not a library's: the sum of a trace is all that is computed of it where it comes from the
 * folder of parsed traces. 256 MB take 0.14 s here and 1.4 s with GChecksum, the only one of the
 * libraries that are used anyway. Nettle (0.20 s) and OpenSSL (0.18 s) would be a dependency
 * more, of libpredictor-comsys too, for that alone.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHA256_H
#define PD_SHA256_H

#include <glib.h>

G_BEGIN_DECLS

#define PD_SHA256_SIZE 32

/* A sum under way; on the stack. */
typedef struct
{
  guint32 state[8];
  guint64 n_bytes;
  guint8 rest[64]; /* of the last block */
} PdSha256;

/**
 * pd_sha256_init:
 * @self: (out caller-allocated): of no bytes
 */
void pd_sha256_init (PdSha256 *self);

/**
 * pd_sha256_update:
 * @data: (array length=n): further bytes
 * @n: how many
 */
void pd_sha256_update (PdSha256 *self, gconstpointer data, gsize n);

/**
 * pd_sha256_finish:
 * @digest: (array length=32) (out caller-allocated): the sum of all bytes
 */
void pd_sha256_finish (PdSha256 *self, guint8 *digest);

/**
 * pd_sha256_finish_text:
 * Returns: (transfer full): the sum of all bytes, as 64 hexadecimal digits in lower case.
 */
char *pd_sha256_finish_text (PdSha256 *self);

/**
 * pd_sha256_of:
 * @data: (array length=n): the bytes
 * @n: how many
 *
 * Returns: (transfer full): their sum, as pd_sha256_finish_text() gives it.
 */
char *pd_sha256_of (gconstpointer data, gsize n);

/* The sum of a file that another thread makes. */
typedef struct _PdSha256File PdSha256File;

/**
 * pd_sha256_file_begin:
 * @path: a file
 *
 * Begins to sum @path beside the caller, who reads it for another purpose. A small file is summed
 * at the end only, and so is any where the system has no thread left.
 *
 * Returns: (transfer full): the sum under way.
 */
PdSha256File *pd_sha256_file_begin (const char *path);

/**
 * pd_sha256_file_end:
 * @self: (transfer full): a sum under way
 *
 * Returns: (transfer full) (nullable): the sum as text, or %NULL with errno if the file cannot be
 *   read.
 */
char *pd_sha256_file_end (PdSha256File *self);

/**
 * pd_sha256_file_stop:
 * @self: (transfer full) (nullable): a sum under way, to be given up
 *
 * Does not wait for the rest of the file.
 */
void pd_sha256_file_stop (PdSha256File *self);

G_END_DECLS

#endif
