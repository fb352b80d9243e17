/* The sensitivity of a run time: the critical path of a simulated run, the growth of the run
 * time with each parameter of the machine and each interval, and the tolerated latency.
 * One description of the tables drives text, JSON, XML, SQLite and the lists in
 * predictor-results(5).
 * SPDX-License-Identifier: MIT */
#ifndef PD_SENSITIVITY_H
#define PD_SENSITIVITY_H

#include "base/pd-time.h"
#include "reports/emit/pd-rows.h"

/* The parts of the critical path, whose sum is the run time. */
typedef struct
{
  const char *kind; /* "computation", "transfer", … */
  PdTime time;
} PdSensitivityPart;

typedef struct
{
  char *path;         /* as for --set; owned */
  const char *kind;   /* "latency", "per-byte", "overhead", "gap" or "speed" */
  const char *unit;   /* of @value: "s", "s/B" or "" */
  gdouble value;      /* in that unit; of a bandwidth its reciprocal */
  gdouble derivative; /* of the run time in seconds, if the parameter grows */
  gdouble elasticity; /* by how many percent the run time grows if it grows by one percent */
} PdSensitivityParameter;

typedef struct
{
  guint32 node;       /* of the interval tree */
  char *label;        /* for people; owned */
  PdTime on_path;     /* its computation on the critical path */
  PdTime derivative;  /* of the run time to the logarithm of the time of its computation */
  gdouble elasticity; /* derivative / run time */
} PdSensitivityInterval;

typedef struct
{
  char *path;         /* the parameter; owned */
  gdouble slowdown;   /* that is tolerated: 0.01 is 1 % */
  PdTime value;       /* up to which the parameter may grow */
  PdTime growth;      /* relative to its present value */
  PdTime linear;      /* the growth that the derivative promises … */
  gdouble at_linear;  /* … and the slowdown that is simulated there */
  gboolean is_linear; /* equal to the predicted slowdown: up to there the derivative holds */
} PdSensitivityTolerance;

typedef struct
{
  guint32 rank; /* of a message, its sender */
  guint32 peer; /* of a message, who receives it; else as @rank */
  const char *kind;
  guint32 node; /* of computation; else 0 */
  guint32 count;
  PdTime begin;
  PdTime end;
} PdSensitivitySegment;

#define PD_SENSITIVITY_UNKNOWN G_MAXUINT64

typedef struct
{
  PdTime makespan;
  guint32 rank;        /* that ends last */
  guint64 n_messages;  /* on the path, control messages included; or _UNKNOWN */
  guint64 n_ties;      /* places where two causes come to the same moment; or _UNKNOWN */
  GArray *parts;       /* PdSensitivityPart */
  GArray *parameters;  /* PdSensitivityParameter */
  GArray *intervals;   /* PdSensitivityInterval */
  GArray *tolerances;  /* PdSensitivityTolerance */
  GArray *segments;    /* PdSensitivitySegment, the critical path from the beginning */
  GStringChunk *kinds; /* (nullable): those of a stored one, and its units */
} PdSensitivity;

/**
 * pd_sensitivity_new:
 * Returns: (transfer full): one without rows.
 */
PdSensitivity *pd_sensitivity_new (void);

/**
 * pd_sensitivity_free:
 * @self: (nullable): the sensitivity
 */
void pd_sensitivity_free (PdSensitivity *self);

typedef struct
{
  PdRecord record;
  gsize rows; /* offset of its GArray in PdSensitivity */
} PdSensitivityTable;

/**
 * pd_sensitivity_get_table:
 * @i: from 0
 *
 * Returns: (nullable): a table; %NULL behind the last one.
 */
const PdSensitivityTable *pd_sensitivity_get_table (guint i);

/**
 * pd_sensitivity_fields:
 * Returns: (transfer none): those of its rows, without the keys.
 */
static inline const PdField *
pd_sensitivity_fields (const PdSensitivityTable *table)
{
  const PdField *field = table->record.fields;

  while (field->type == PD_FIELD_KEY)
    field++;
  return field;
}

/* ---- for people, and as CSV: one table that can be loaded as it is */

/**
 * pd_sensitivity_write_text:
 * @width: columns of the terminal
 * @all_with: (nullable): writes the end of the path only, and names this option for all of it
 * @out: the text is appended
 */
void pd_sensitivity_write_text (const PdSensitivity *self, guint width, const char *all_with,
                                GString *out);

/**
 * pd_sensitivity_append_csv_heading:
 * @out: the heading of the table that has all of the tables is appended
 */
void pd_sensitivity_append_csv_heading (GString *out);

/**
 * pd_sensitivity_append_csv:
 * @run: the number of the run
 * @out: its rows are appended: a column "table" says of which table each is, and what a
 *   table does not have is empty
 */
void pd_sensitivity_append_csv (const PdSensitivity *self, gint64 run, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdSensitivity, pd_sensitivity_free)

#endif
