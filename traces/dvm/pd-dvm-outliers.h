/* Times of a recording that stand out among those recorded in the same place.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_OUTLIERS_H
#define PD_DVM_OUTLIERS_H

#include "traces/dvm/pd-dvm-reader.h"

/* The outliers among the times recorded in a place. A time x among n >= 8, with median m and
 * MAD = median |x - m|, is an outlier if
 *
 *     |x - m| > 10 * max (1.4826 MAD, 1 us)    and    x > 4 m or x < m / 4,
 *
 * where 1 us is the resolution of the recorder's clock. Outliers count only if they are at most
 * n / 4, and together are off by at least 1 % of the program time. The first time of a place may
 * have any length: it includes the first access to memory and code. 1.4826 MAD estimates the
 * standard deviation: B. Iglewicz, D. Hoaglin, How to Detect and Handle Outliers, 1993. They set
 * the limit at 3.5 for normal distributions; times of computers have longer tails.
 *
 * Judged are the times inside functions whose work does not depend on the amount of data they
 * move, and the computation of portions of parallel loops, by place and number of iterations.
 * Sequential computation is not judged: its work may depend on the branch taken. */

/* The treatment of outliers. */
typedef enum
{
  PD_DVM_OUTLIERS_KEEP,   /* nothing */
  PD_DVM_OUTLIERS_MEDIAN, /* each becomes the median of its place */
  PD_DVM_OUTLIERS_CLIP,   /* each becomes the nearest time that is no outlier */
} PdDvmOutlierRule;

/* The outliers of one place. */
typedef struct
{
  const char *name; /* of the function, without call_; of a loop "dopl_" */
  const char *file;
  gint64 line;
  gboolean is_loop; /* computation of portions of a loop; else time inside the function */
  guint64 n;        /* times recorded there */
  guint64 n_outliers;
  PdTime median;
  PdTime farthest; /* the outlier that is off most, */
  guint64 number;  /* … and its call_ record among all header lines */
  gint64 excess;   /* picoseconds that outliers take beyond the median; < 0: they lack them */
  guint64 off;     /* picoseconds that they are off by, up and down */
  gint64 change;   /* picoseconds that the place takes more because of the rule */
} PdDvmOutlierPlace;

typedef struct _PdDvmOutliers PdDvmOutliers;

/**
 * pd_dvm_outliers_new:
 * @reader: a reader nothing was read from, in use until pd_dvm_outliers_finish()
 *
 * Returns: (transfer full): no times yet.
 */
PdDvmOutliers *pd_dvm_outliers_new (PdDvmReader *reader);

/**
 * pd_dvm_outliers_free:
 * @self: (nullable): the outliers
 */
void pd_dvm_outliers_free (PdDvmOutliers *self);

/**
 * pd_dvm_outliers_add:
 * @call: the current call of the reader
 *
 * Takes its times; every call of the trace must be given, in order. Needs 16 bytes for each
 * time that is judged.
 */
void pd_dvm_outliers_add (PdDvmOutliers *self, const PdDvmCall *call);

/**
 * pd_dvm_outliers_finish:
 * @rule: what becomes of outliers
 * @decoded: whether the decoded times are judged, not the recorded ones
 *
 * Judges the times; the reader is not used any more.
 */
void pd_dvm_outliers_finish (PdDvmOutliers *self, PdDvmOutlierRule rule, gboolean decoded);

/**
 * pd_dvm_outliers_get_corrections:
 * @self: finished
 *
 * Returns: (transfer none) (element-type PdDvmCorrection): what the rule makes of the outliers,
 *   for pd_dvm_reader_set_corrections().
 */
const GArray *pd_dvm_outliers_get_corrections (const PdDvmOutliers *self);

/**
 * pd_dvm_outliers_get_places:
 * @self: finished
 *
 * Returns: (transfer none) (element-type PdDvmOutlierPlace): the places with outliers, those
 *   that are off most first.
 */
const GArray *pd_dvm_outliers_get_places (const PdDvmOutliers *self);

/**
 * pd_dvm_outliers_get_change:
 * @self: finished
 *
 * Returns: picoseconds that the program takes more because of the rule.
 */
gint64 pd_dvm_outliers_get_change (const PdDvmOutliers *self);

/**
 * pd_dvm_outliers_get_variance:
 * @self: finished
 *
 * Returns: the variance, in ps^2, of the sum of all times of the judged places, estimated from the
 *   scatter of each, see pd_batches_get_variance(); outliers count as the nearest time that is
 * none.
 */
gdouble pd_dvm_outliers_get_variance (const PdDvmOutliers *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvmOutliers, pd_dvm_outliers_free)

#endif
