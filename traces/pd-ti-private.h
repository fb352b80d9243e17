/* Inside of the reader of time-independent traces. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_PRIVATE_H
#define PD_TI_PRIVATE_H

#include "traces/pd-mp-trace.h"
#include "traces/pd-numbers.h"
#include "traces/pd-pending.h"

G_BEGIN_DECLS

/* What SimGrid writes for the constants of its MPI. */
#define PD_TI_ANY_SOURCE_TRACED (-333) /* a rank that is none: what its tracer makes of it */
#define PD_TI_ANY_SOURCE        (-555)
#define PD_TI_PROC_NULL         (-666)
#define PD_TI_ANY_TAG           (-444)

/* The longest name of an action. */
#define PD_TI_MAX_NAME 24

typedef struct
{
  PdPending pending;
  guint32 n_any;        /* of the pending ones have completed in a Waitany; which is unknown */
  guint8 element_size;  /* bytes, where a line has no type; 0 = of a byte */
  guint8 seen : 1;      /* it has a line */
  guint8 has_begun : 1; /* it has an "init" */
  guint8 has_ended : 1; /* it has a "finalize" */
} PdTiRank;

typedef struct _PdTiAction PdTiAction;

typedef struct
{
  const char *name; /* of the file, for messages */
  gint64 line;
  PdMessages *messages;
  PdProgramBuilder *builder;
  guint32 n_ranks;
  PdTiRank *ranks;
  guint32 rank; /* whose line it is */
  PdTiRank *own;
  const PdTiAction *action;
  GArray *counts;   /* gint64 */
  GArray *slots;    /* guint32 */
  guint64 n_listed; /* requests in lists of actions so far */
  gboolean incomplete;
} PdTi;

/* The rest of a line. */
typedef struct
{
  const char *p;
  const char *end;
} PdTiFields;

struct _PdTiAction
{
  char name[PD_TI_MAX_NAME + 1]; /* in lower case */
  gboolean (*read) (PdTi *self, PdTiFields *fields, GError **error);
  PdActionKind kind;
  PdCollKind op;
  gboolean has_request; /* of collective operations */
};

/* ---- pd-ti-fields.c */

static inline gboolean
pd_ti_is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* Whether there is a further field; fields->p is at it then. */
static inline gboolean
pd_ti_has_more (PdTiFields *fields)
{
  while (fields->p < fields->end && pd_ti_is_blank (*fields->p))
    fields->p++;
  return fields->p < fields->end;
}

/* How many fields are left. */
guint64 pd_ti_count_fields (PdTiFields fields);
/* The next field, whatever it looks like; @what is what is missing otherwise. */
gboolean pd_ti_take_odd_int (PdTi *self, PdTiFields *fields, const char *what, gint64 *value,
                             GError **error);

/* Likewise, quick for digits. */
static inline gboolean
pd_ti_take_int (PdTi *self, PdTiFields *fields, const char *what, gint64 *value, GError **error)
{
  const char *p;

  if (pd_ti_has_more (fields))
    {
      p = pd_numbers_read_int (fields->p, fields->end, value);
      if (p != NULL && (p == fields->end || pd_ti_is_blank (*p)))
        {
          fields->p = p;
          return TRUE;
        }
    }
  return pd_ti_take_odd_int (self, fields, what, value, error);
}

gboolean pd_ti_take_double (PdTiFields *fields, const char *what, gdouble *value, GError **error);
/* Bytes per element; without a field those of the default type. */
gboolean pd_ti_take_type (PdTi *self, PdTiFields *fields, gint64 *size, GError **error);
/* @n elements in bytes. */
gboolean pd_ti_to_bytes (gint64 n, gint64 size, gint64 *bytes, GError **error);
/* A rank of the trace, or what stands for any or none. */
gboolean pd_ti_take_peer (PdTi *self, PdTiFields *fields, const char *what, gint32 *peer,
                          GError **error);
gboolean pd_ti_take_tag (PdTi *self, PdTiFields *fields, gint32 *tag, GError **error);
void pd_ti_warn (const PdTi *self, PdSeverity severity, const char *id, const char *subject,
                 const char *format, ...) G_GNUC_PRINTF (5, 6);

/* ---- pd-ti-collectives.c */

gboolean pd_ti_read_barrier (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_bcast (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_reduce (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_blocks (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_gatherv (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_scatterv (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_alltoallv (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_reduce_scatter (PdTi *self, PdTiFields *fields, GError **error);

/* ---- pd-ti-actions.c */

/* The action called @name (array length=n), in any case. */
const PdTiAction *pd_ti_action_find (const char *name, gsize n);
/* Whether a known one begins with @name. */
gboolean pd_ti_action_may_begin (const char *name, gsize n);
gboolean pd_ti_add (PdTi *self, const PdAction *action, GError **error);

/* ---- pd-ti-requests.c */

/* A key of a pending request of @rank: where it goes or comes from. */
guint64 pd_ti_key (guint32 rank, gint32 peer, gint32 tag, gboolean is_send);
guint64 pd_ti_collective_key (void);
/* Waits for what is pending; nothing is afterwards. */
gboolean pd_ti_add_waitall (PdTi *self, GError **error);
gboolean pd_ti_read_wait (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_waitall (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_some (PdTi *self, PdTiFields *fields, GError **error);

G_END_DECLS

#endif
