/* Numbers with units, as people write them in options, machine descriptions
 * and inline machines, and the reverse for tables.
 * SPDX-License-Identifier: MIT */
#ifndef PD_UNITS_H
#define PD_UNITS_H

#include "base/pd-time.h"

G_BEGIN_DECLS

#define PD_UNITS_ERROR (pd_units_error_quark ())
typedef enum
{
  PD_UNITS_ERROR_SYNTAX, /* not a number, or text after it */
  PD_UNITS_ERROR_UNIT,   /* the unit is missing, unknown, or of another kind */
  PD_UNITS_ERROR_RANGE,  /* negative, not finite or too large */
} PdUnitsError;

/**
 * pd_units_error_quark:
 * Returns: the domain of #PdUnitsError.
 */
GQuark pd_units_error_quark (void);

/* The quantity of a number. */
typedef enum
{
  PD_UNIT_TIME,     /* ps ns us ms s min h            -> PdTime.ps, gint64 */
  PD_UNIT_PER_BYTE, /* a time unit per byte           -> gdouble, ps per byte */
  PD_UNIT_BYTES,    /* B kB MB GB TB KiB MiB GiB TiB  -> gint64, bytes; bare = bytes */
  PD_UNIT_RATE,     /* B/s kB/s ... GiB/s, bit/s ... Gbit/s -> gdouble, bytes per second */
  PD_UNIT_COUNT,    /* bare integer                   -> gint64 */
  PD_UNIT_RATIO,    /* bare number                    -> gdouble */
  PD_UNIT_SHAPE,    /* "8x8x4": not a number; by pd_units_parse_shape() */
} PdUnit;

/* The extents of a box, each at least 1. */
#define PD_SHAPE_MAX 6
typedef struct
{
  guint n; /* 0 = absent */
  gint64 extents[PD_SHAPE_MAX];
} PdShape;

/* A parsed number: integral kinds fill @i, the others @d. */
typedef struct
{
  gint64 i;
  gdouble d;
} PdNumber;

/**
 * pd_units_parse:
 * @unit: the expected quantity
 * @text: a number with its unit, "7us", "16KiB", "0.004us" (per byte),
 *   "12.5GB/s"; blanks around and between are accepted. SI (kB = 1000) and IEC
 *   (KiB = 1024) prefixes are distinct. A bare 0 needs no unit.
 * @number: (out): written only on success
 * @error: return location for a #PdUnitsError; the message quotes @text and
 *   gives the expected form
 *
 * Times and per-byte times share the units of time; a per-byte time may be
 * written with "/B" after it. Nothing here is ever negative.
 *
 * Returns: %TRUE on success.
 */
gboolean pd_units_parse (PdUnit unit, const char *text, PdNumber *number, GError **error);

/**
 * pd_units_parse_shape:
 * @text: 1 to %PD_SHAPE_MAX counts of 1 to 16777216 with "x" between, "8x8x4"
 * @shape: (out): written only on success
 * @error: return location for a #PdUnitsError
 *
 * Returns: %TRUE on success.
 */
gboolean pd_units_parse_shape (const char *text, PdShape *shape, GError **error);

/**
 * pd_units_format_shape:
 * Returns: (transfer full): "8x8x4"; "none" if it is absent.
 */
char *pd_units_format_shape (const PdShape *shape);

/**
 * pd_units_suffix:
 * @text: a number with its unit
 *
 * Returns: the part of @text after the number, "" if there is none; for lists
 *   whose last element's unit holds for all.
 */
const char *pd_units_suffix (const char *text);

/**
 * pd_units_format:
 * @unit: what @number counts
 * @number: the number
 *
 * For people: "7 us", "16 KiB", "4 ns/B". Exact for what pd_units_parse()
 * accepts in at most 6 digits.
 *
 * Returns: (transfer full): text that pd_units_parse() reads back.
 */
char *pd_units_format (PdUnit unit, PdNumber number);

G_END_DECLS

#endif
