/* Numbers of few bytes, the lowest first, in memory that goes on behind them. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BYTES_H
#define PD_BYTES_H

#include <glib.h>
#include <string.h>

/**
 * pd_bytes_load:
 * @at: 8 bytes, however they are aligned
 *
 * Returns: the number that they are.
 */
static inline guint64
pd_bytes_load (const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, sizeof value);
  return GUINT64_FROM_LE (value);
}

/**
 * pd_bytes_load_low:
 * @at: 8 bytes that may be read
 * @n: how many of them the number has, 0 to 8
 *
 * Returns: the number; 0 for 0 bytes.
 */
static inline guint64
pd_bytes_load_low (const guint8 *at, guint n)
{
  static const guint64 masks[] = {
    0,
    G_GUINT64_CONSTANT (0xff),
    G_GUINT64_CONSTANT (0xffff),
    G_GUINT64_CONSTANT (0xffffff),
    G_GUINT64_CONSTANT (0xffffffff),
    G_GUINT64_CONSTANT (0xffffffffff),
    G_GUINT64_CONSTANT (0xffffffffffff),
    G_GUINT64_CONSTANT (0xffffffffffffff),
    G_MAXUINT64,
  };

  return pd_bytes_load (at) & masks[n];
}

#endif
