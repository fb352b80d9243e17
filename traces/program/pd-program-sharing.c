/* SPDX-License-Identifier: MIT */
#include "traces/program/pd-program-sharing.h"

#include <string.h>

#define MAX_PROCESSORS 4096 /* that are told apart */
#define MUCH           0.05 /* of the ranks' time */
#define WORDS          (MAX_PROCESSORS / 64)

/* Ranks of a host that may use the same processors. */
typedef struct
{
  guint32 host;
  guint32 processors; /* string */
  guint64 set[WORDS];
  guint32 n_ranks;
  guint32 quota; /* the least of theirs, thousandths; 0 = none */
} Group;

/* "0-3,8"; what is not of that form has no processors. */
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
