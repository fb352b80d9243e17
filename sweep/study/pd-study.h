/* A study: fixed parameters, axes, and the points on these axes. A
 * study of the command line and one of a file are the same.
 *
 * Points are numbered from 0 in an order that depends on the study only: in a
 * product the last axis varies fastest. The meaning of parameters for predictions is
 * not known here.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_H
#define PD_STUDY_H

#include <glib.h>

#define PD_STUDY_ERROR (pd_study_error_quark ())
typedef enum
{
  PD_STUDY_ERROR_FORMAT,  /* a study file: not XML, not of this form, a version that is not known */
  PD_STUDY_ERROR_VALUES,  /* values of an axis: none, not of the form, twice the same name */
  PD_STUDY_ERROR_SIZE,    /* more points than the limit, or none */
  PD_STUDY_ERROR_DIFFERS, /* not the study that was expected */
  PD_STUDY_ERROR_OPEN,    /* a file cannot be read */
} PdStudyError;

/**
 * pd_study_error_quark:
 * Returns: the domain of #PdStudyError.
 */
GQuark pd_study_error_quark (void);

/* More points are refused without an explicit limit. */
#define PD_STUDY_DEFAULT_LIMIT G_GINT64_CONSTANT (10000000)
/* No study has more: a point is named by 32 bits. */
#define PD_STUDY_MAX_POINTS G_GINT64_CONSTANT (4000000000)
/* A Sobol sequence has no more dimensions here. */
#define PD_STUDY_MAX_AXES 21

/* The kind of the values of an axis. */
typedef enum
{
  PD_AXIS_WORD,   /* names, files, lists */
  PD_AXIS_NUMBER, /* with their size in base units */
  PD_AXIS_GRID,   /* processor counts and grids; their size is the number of processors */
  PD_N_AXIS_KINDS,
} PdAxisKind;

/**
 * pd_axis_kind_name:
 * Returns: "word", "number" or "grid".
 */
const char *pd_axis_kind_name (PdAxisKind kind);

typedef enum
{
  PD_SCALE_NONE, /* values are listed */
  PD_SCALE_LINEAR,
  PD_SCALE_LOGARITHMIC,
} PdScale;

/* One axis. */
typedef struct
{
  char *name;
  PdAxisKind kind;
  char *unit;       /* base unit of @numbers: "s", "B", "B/s", "s/B" or "" */
  GPtrArray *texts; /* (element-type utf8): the values, as a prediction gets them */
  GArray *numbers;  /* (element-type gdouble): their size in @unit; 0 of words */
  PdScale scale;    /* of a range that only a sample takes values from */
  char *range;      /* (nullable): that range, as it was written */
  gdouble from;     /* its ends, in the unit @suffix */
  gdouble to;
  char *suffix;      /* (nullable) */
  gboolean integral; /* its values are whole numbers */
} PdAxis;

/* A parameter that does not vary. */
typedef struct
{
  char *name;
  char *value;
} PdParameter;

typedef enum
{
  PD_POINTS_PRODUCT, /* every combination */
  PD_POINTS_LIST,    /* these ones */
  PD_POINTS_SOBOL,   /* a sample that fills the space */
} PdPointsKind;

typedef struct _PdStudy PdStudy;

/* The meanings of names of parameters for predictions. */
typedef struct
{
  /* Whether @axis->name is one whose values are not of the general form (see
   * pd_study_add_axis()); then appends those of @text to @axis, and sets its kind. On an
   * error sets @error, and returns TRUE. */
  gboolean (*expand) (const PdStudy *study, const char *text, PdAxis *axis, GError **error);
} PdStudyNames;

/**
 * pd_study_new:
 * @names: (nullable): what names mean; stays the caller's
 *
 * Returns: (transfer full): a study without parameters and axes.
 */
PdStudy *pd_study_new (const PdStudyNames *names);

/**
 * pd_study_free:
 * @self: (nullable): the study
 */
void pd_study_free (PdStudy *self);

/**
 * pd_study_set:
 * @name: of a parameter
 * @value: of it
 * @error: return location for %PD_STUDY_ERROR_VALUES: it has been given already
 *
 * Fixes a parameter.
 */
gboolean pd_study_set (PdStudy *self, const char *name, const char *value, GError **error);

/**
 * pd_study_add_axis:
 * @name: of a parameter
 * @text: values: elements separated by ";" or, without any, by ","; each a value or
 *   a range "A:B:linN", "A:B:logN", "A:B:+STEP", "A:B:xFACTOR". The unit of the last
 *   holds for numbers without one. One range "A:B:lin" or "A:B:log" alone is for a
 *   sample
 * @error: return location for %PD_STUDY_ERROR_VALUES or _SIZE
 *
 * Adds an axis, faster than those before.
 */
gboolean pd_study_add_axis (PdStudy *self, const char *name, const char *text, GError **error);

/**
 * pd_study_add_axis_values:
 * @values: (array length=n): taken as they are
 * @n: 0 of a study that is a list of points
 * @error: return location for %PD_STUDY_ERROR_VALUES
 *
 * As pd_study_add_axis().
 */
gboolean pd_study_add_axis_values (PdStudy *self, const char *name, const char *const *values,
                                   guint n, GError **error);

/**
 * pd_study_add_point:
 * @values: (array length=n): one for each axis
 * @error: return location for %PD_STUDY_ERROR_VALUES
 *
 * Makes the study a list of points, and adds one.
 */
gboolean pd_study_add_point (PdStudy *self, const char *const *values, guint n, GError **error);

/**
 * pd_study_set_sample:
 * @text: "sobol:N" or "sobol:N:SEED"
 * @error: return location for %PD_STUDY_ERROR_VALUES
 *
 * Makes the study a sample of N points; SEED (0) shifts the sequence.
 */
gboolean pd_study_set_sample (PdStudy *self, const char *text, GError **error);

/**
 * pd_study_set_per_processor:
 * Whether results of each processor are kept too.
 */
void pd_study_set_per_processor (PdStudy *self, gboolean per_processor);

/**
 * pd_study_complete:
 * @limit: the most points there may be
 * @error: return location for %PD_STUDY_ERROR_VALUES or _SIZE
 *
 * Makes the points; the study does not change any more.
 */
gboolean pd_study_complete (PdStudy *self, gint64 limit, GError **error);

/* ---- of a complete study */

/**
 * pd_study_get_n_points:
 * Returns: the number of points.
 */
gint64 pd_study_get_n_points (const PdStudy *self);

/**
 * pd_study_get_n_axes:
 * Returns: the number of axes; also while there are more to come.
 */
guint pd_study_get_n_axes (const PdStudy *self);

/**
 * pd_study_get_axis:
 * @i: less than pd_study_get_n_axes()
 *
 * Returns: (transfer none): the axis; also while there are more to come.
 */
const PdAxis *pd_study_get_axis (const PdStudy *self, guint i);

/**
 * pd_study_find_axis:
 * Returns: (transfer none) (nullable): the axis of that name.
 */
const PdAxis *pd_study_find_axis (const PdStudy *self, const char *name);

/**
 * pd_study_get_parameters:
 * Returns: (transfer none) (element-type PdParameter): those that do not vary,
 *   sorted by name once the study is complete.
 */
const GArray *pd_study_get_parameters (const PdStudy *self);

/**
 * pd_study_find:
 * Returns: (transfer none) (nullable): the value of a parameter that does not vary.
 */
const char *pd_study_find (const PdStudy *self, const char *name);

/**
 * pd_study_get_kind:
 * Returns: how the points are made.
 */
PdPointsKind pd_study_get_kind (const PdStudy *self);

/**
 * pd_study_get_per_processor:
 * Returns: whether results of each processor are kept too.
 */
gboolean pd_study_get_per_processor (const PdStudy *self);

/**
 * pd_study_get_value:
 * @point: less than pd_study_get_n_points()
 * @axis: less than pd_study_get_n_axes()
 *
 * Returns: the number of its value among those of the axis.
 */
guint32 pd_study_get_value (const PdStudy *self, gint64 point, guint axis);

/**
 * pd_study_get_text:
 * Returns: (transfer none): that value.
 */
const char *pd_study_get_text (const PdStudy *self, gint64 point, guint axis);

/**
 * pd_study_describe_point:
 * Returns: (transfer full): "procs=4x2 network/latency=1us".
 */
char *pd_study_describe_point (const PdStudy *self, gint64 point);

/**
 * pd_study_is_done_by:
 * @shard: from 1
 * @n_shards: 1 or more
 *
 * Returns: whether @point belongs to that share of the points.
 */
static inline gboolean
pd_study_is_done_by (gint64 point, gint64 shard, gint64 n_shards)
{
  return point % n_shards == shard - 1;
}

/**
 * pd_study_compare:
 * @expected: what a file holds
 * @error: return location for %PD_STUDY_ERROR_DIFFERS, which says in what
 *
 * Returns: whether @self is the same study.
 */
gboolean pd_study_compare (const PdStudy *self, const PdStudy *expected, GError **error);

/* ---- as XML, schemas/study.rng */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdStudy, pd_study_free)

#endif
