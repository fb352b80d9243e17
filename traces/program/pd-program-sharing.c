/* SPDX-License-Identifier: MIT */
#include "traces/program/pd-program-sharing.h"

#include <stddef.h>
#include <string.h>

#define MAX_PROCESSORS 4096 /* further ones are ignored */
#define MUCH           0.05 /* of the ranks' time */
#define WORDS          (MAX_PROCESSORS / 64)

/* ---- numbers */

typedef enum
{
  NARROW, /* guint32 */
  WIDE,   /* gint64 */
  TIME,   /* PdTime */
} Kind;

static const struct
{
  const char *name;
  gsize offset;
  Kind kind;
  gint64 unknown;
} fields[PD_N_USAGES] = {
  [PD_USAGE_QUOTA] = { "quota", offsetof (PdRecordedUsage, quota), NARROW, 0 },
  [PD_USAGE_THREADS] = { "threads", offsetof (PdRecordedUsage, n_threads), NARROW, 0 },
  [PD_USAGE_SWITCHES] = { "switches", offsetof (PdRecordedUsage, n_switches), WIDE, -1 },
  [PD_USAGE_MEMORY] = { "memory", offsetof (PdRecordedUsage, memory), WIDE, -1 },
  [PD_USAGE_WAITED] = { "waited", offsetof (PdRecordedUsage, waited), TIME, -1 },
  [PD_USAGE_READING_COST] = { "reading-cost", offsetof (PdRecordedUsage, reading_cost), TIME, 0 },
  [PD_USAGE_REGIONS] = { "regions", offsetof (PdRecordedUsage, regions.n), WIDE, 0 },
  [PD_USAGE_REGION_THREADS] = { "region-threads", offsetof (PdRecordedUsage, regions.n_threads),
                                WIDE, 0 },
  [PD_USAGE_REGION_TIME] = { "region-time", offsetof (PdRecordedUsage, regions.time), TIME, 0 },
  [PD_USAGE_REGION_BUSY] = { "region-busy", offsetof (PdRecordedUsage, regions.busy), TIME, 0 },
  [PD_USAGE_REGION_LONGEST] = { "region-longest", offsetof (PdRecordedUsage, regions.longest), TIME,
                                0 },
  [PD_USAGE_REGION_CAPACITY] = { "region-capacity", offsetof (PdRecordedUsage, regions.capacity),
                                 TIME, 0 },
};

static void
store (PdRecordedUsage *self, PdUsageField field, gint64 value)
{
  char *at = (char *) self + fields[field].offset;

  if (fields[field].kind == NARROW)
    *(guint32 *) (gpointer) at = (guint32) MIN (value, G_MAXUINT32 - 1);
  else if (fields[field].kind == WIDE)
    *(gint64 *) (gpointer) at = value;
  else
    *(PdTime *) (gpointer) at = PD_TIME (value);
}

void
pd_recorded_usage_init (PdRecordedUsage *self)
{
  *self = (PdRecordedUsage){ .host = PD_PROGRAM_NONE, .processors = PD_PROGRAM_NONE };
  for (PdUsageField i = 0; i < PD_N_USAGES; i++)
    store (self, i, fields[i].unknown);
}

void
pd_recorded_usage_set (PdRecordedUsage *self, PdUsageField field, gint64 value)
{
  g_return_if_fail (field < PD_N_USAGES && value >= 0);

  store (self, field, value);
}

gint64
pd_recorded_usage_get (const PdRecordedUsage *self, PdUsageField field)
{
  const char *at = (const char *) self + fields[field].offset;
  gint64 value = fields[field].kind == NARROW ? *(const guint32 *) (gconstpointer) at
                 : fields[field].kind == WIDE ? *(const gint64 *) (gconstpointer) at
                                              : ((const PdTime *) (gconstpointer) at)->ps;

  return value != fields[field].unknown ? value : -1;
}

const char *
pd_usage_field_name (PdUsageField field)
{
  return fields[field].name;
}

gboolean
pd_usage_field_is_time (PdUsageField field)
{
  return fields[field].kind == TIME;
}

/* ---- sharing */

/* Ranks of a host that may use the same processors. */
typedef struct
{
  guint32 host;
  guint32 processors; /* string */
  guint64 set[WORDS];
  guint32 n_ranks;
  guint32 quota; /* the least of theirs, thousandths; 0 = none */
} Group;

/* "0-3,8"; a text of another form has no processors. */
static void
parse_set (const char *text, guint64 *set)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *dash = strchr (parts[i], '-');
      guint64 first, last;
      if (dash != NULL)
        *dash = '\0';
      if (!g_ascii_string_to_unsigned (parts[i], 10, 0, MAX_PROCESSORS - 1, &first, NULL)
          || !g_ascii_string_to_unsigned (dash != NULL ? dash + 1 : parts[i], 10, first,
                                          MAX_PROCESSORS - 1, &last, NULL))
        continue;
      for (guint64 p = first; p <= last; p++)
        set[p / 64] |= (guint64) 1 << p % 64;
    }
}

static guint
count_set (const guint64 *set)
{
  guint n = 0;

  for (guint i = 0; i < WORDS; i++)
    n += (guint) __builtin_popcountll (set[i]);
  return n;
}

static gboolean
is_within (const Group *inner, const Group *outer)
{
  for (guint i = 0; i < WORDS; i++)
    if ((inner->set[i] & ~outer->set[i]) != 0)
      return FALSE;
  return inner->host == outer->host;
}

static Group *
find_group (GPtrArray *groups, GHashTable *known, const PdProgram *program,
            const PdRecordedUsage *usage)
{
  gint64 key = (gint64) usage->host << 32 | usage->processors;
  Group *group = g_hash_table_lookup (known, &key);

  if (group != NULL)
    return group;
  group = g_new0 (Group, 1);
  group->host = usage->host;
  group->processors = usage->processors;
  parse_set (pd_program_get_string (program, usage->processors), group->set);
  g_ptr_array_add (groups, group);
  gint64 *kept = g_new (gint64, 1);
  *kept = key;
  g_hash_table_insert (known, kept, group);
  return group;
}

static GPtrArray *
make_groups (const PdProgram *program)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (program, rank);
      if (usage == NULL || usage->processors == PD_PROGRAM_NONE)
        continue;
      Group *group = find_group (groups, known, program, usage);
      group->n_ranks++;
      if (usage->quota > 0)
        group->quota = group->quota == 0 ? usage->quota : MIN (group->quota, usage->quota);
    }
  return groups;
}

/* Of @outer and those within it. */
static PdSharing
add_up (const GPtrArray *groups, const Group *outer, const PdProgram *program)
{
  PdSharing all = { .processors = count_set (outer->set), .host = "" };
  guint32 quota = 0;

  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = groups->pdata[i];
      if (!is_within (group, outer))
        continue;
      all.n_ranks += group->n_ranks;
      if (group->quota > 0)
        quota = quota == 0 ? group->quota : MIN (quota, group->quota);
    }
  if (outer->host != PD_PROGRAM_NONE)
    all.host = pd_program_get_string (program, outer->host);
  all.is_limited = quota > 0 && quota / 1000.0 < all.processors;
  if (all.is_limited)
    all.processors = quota / 1000.0;
  return all;
}

gboolean
pd_program_find_sharing (const PdProgram *self, PdSharing *sharing)
{
  g_autoptr (GPtrArray) groups = make_groups (self);
  gdouble most = 1;

  for (guint i = 0; i < groups->len; i++)
    {
      PdSharing own = add_up (groups, groups->pdata[i], self);
      if (own.processors <= 0 || own.n_ranks / own.processors <= most)
        continue;
      most = own.n_ranks / own.processors;
      *sharing = own;
    }
  return most > 1;
}

guint
pd_program_count_processors (const PdProgram *self, guint32 rank)
{
  const PdRecordedUsage *usage = pd_program_get_recorded_usage (self, rank);
  guint64 set[WORDS] = { 0 };

  if (usage == NULL || usage->processors == PD_PROGRAM_NONE)
    return 0;
  parse_set (pd_program_get_string (self, usage->processors), set);
  return count_set (set);
}

gboolean
pd_program_find_processor_wait (const PdProgram *self, PdProcessorWait *wait)
{
  PdTimeSum waited = { 0 }, time = { 0 };

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (self); rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (self, rank);
      PdTime end = pd_program_get_recorded_end (self, rank);
      if (usage == NULL || usage->waited.ps < 0 || end.ps < 0)
        continue;
      pd_time_sum_add (&waited, PD_TIME (MIN (usage->waited.ps, end.ps)));
      pd_time_sum_add (&time, end);
    }
  if (time.ps <= 0 || pd_program_get_recorded_share (self) < 1)
    return FALSE;
  *wait = (PdProcessorWait){ waited, (gdouble) waited.ps / (gdouble) time.ps };
  return wait->share >= MUCH;
}

char *
pd_sharing_describe (const PdSharing *self)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup_printf ("%u rank%s shared %s processor%s%s", self->n_ranks,
                          self->n_ranks == 1 ? "" : "s",
                          g_ascii_formatd (number, sizeof number, "%.4g", self->processors),
                          self->processors == 1 ? "" : "s",
                          self->is_limited ? ", the limit of their control group" : "");
}

/* ---- messages */

/* Waiting for processors is what all of them together did: where ranks shared them, one need not
 * say more. */
static gboolean
report_processor_wait (const PdProgram *program, const PdPlace *place, PdSeverity severity,
                       PdMessages *messages)
{
  gboolean is_clean = pd_program_get_recorded_clock (program) == PD_CLOCK_CPU;
  PdProcessorWait wait;

  if (!pd_program_find_processor_wait (program, &wait))
    return FALSE;
  pd_messages_add (messages, is_clean ? PD_SEVERITY_NOTE : severity, "processor-lost", NULL, place,
                   "ranks were ready but had no processor for %.3g s together, %.0f %% of "
                   "their time, in calls of MPI or between them: other processes had it%s",
                   pd_time_sum_to_seconds (wait.waited), 100 * wait.share,
                   is_clean ? ", and computation does not have that in it" : "");
  return !is_clean;
}

/* Notes with which clock computation was recorded, and whether it includes time of other ranks. */
static void
report_clock (const PdProgram *program, const PdPlace *place, const PdSharing *sharing,
              PdMessages *messages)
{
  gboolean is_cpu = pd_program_get_recorded_clock (program) == PD_CLOCK_CPU;
  g_autofree char *text = sharing != NULL ? pd_sharing_describe (sharing) : NULL;

  if (sharing != NULL)
    pd_messages_add (messages, PD_SEVERITY_NOTE, "processors-shared", NULL, place,
                     "%s%s%s: %s have other ranks' time slices in them%s", text,
                     *sharing->host != '\0' ? " of " : "", sharing->host,
                     is_cpu ? "waits" : "computation and waits",
                     is_cpu ? ", computation, which is processor time (clock cpu), has not" : "");
  else if (is_cpu)
    pd_messages_add (messages, PD_SEVERITY_NOTE, "recorded-clock", NULL, place,
                     "computation is processor time of each rank's first thread (clock cpu), not "
                     "the time that passed");
}

gboolean
pd_program_report_sharing (const PdProgram *self, const char *path, PdMessages *messages)
{
  const PdPlace place = { path, 0, NULL, -1, -1, TRUE };
  PdSharing sharing;
  gboolean is_shared = pd_program_find_sharing (self, &sharing);

  report_clock (self, &place, is_shared ? &sharing : NULL, messages);
  return report_processor_wait (self, &place, is_shared ? PD_SEVERITY_NOTE : PD_SEVERITY_WARNING,
                                messages);
}
