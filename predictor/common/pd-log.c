/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/common/pd-log-private.h"

#include "base/pd-target.h"
#include "base/pd-text.h"
#include "predictor/common/pd-errors.h"
#include "predictor/common/pd-line-sort.h"
#include "intervals/pd-interval-rows.h"
#include "predictor/common/pd-log-words-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of lines in memory. */
#define MEMORY (16 * 1024 * 1024)

/* A rank has fewer actions than 2 to this power, and there are fewer ranks than
 * to the rest of 64. */
#define RANK_SHIFT 40

/* Parts of the key: the lines of a step have this order. */
enum
{
  PART_STEP,
  PART_WAIT,
};

typedef struct
{
  guint64 first;
  guint64 last;
} Range;

struct _PdLog
{
  char *path;         /* (nullable) */
  PdTarget *target;   /* (nullable): what becomes it */
  FILE *file;         /* (nullable): of @target */
  FILE *streams[2];   /* (nullable), borrowed */
  GArray *processors; /* (nullable): Range */
  Range records;
  PdLineSort *lines;
  const PdIntervalTree *tree; /* of the simulation under way; borrowed */
  gboolean *wanted;           /* (nullable) (array): which of its processors; NULL = all */
  PdLogWords words;
};

/* ---- requested lines */

static gboolean
refuse (const char *option, const char *text, const char *expected, GError **error)
{
  g_set_error (error, PD_USAGE_ERROR, 0, "%s '%s': expected %s", option, text, expected);
  return FALSE;
}

/* "N", or "A@separatorB". */
static gboolean
parse_range (const char *text, char separator, guint64 most, Range *range)
{
  const char *middle = strchr (text, separator);
  g_autofree char *first =
      middle == NULL ? g_strdup (text) : g_strndup (text, (gsize) (middle - text));

  if (!g_ascii_string_to_unsigned (first, 10, 0, most, &range->first, NULL))
    return FALSE;
  range->last = range->first;
  return middle == NULL
         || (g_ascii_string_to_unsigned (middle + 1, 10, 0, most, &range->last, NULL)
             && range->first <= range->last);
}

static gboolean
parse_processors (PdLog *self, const char *text, GError **error)
{
  g_auto (GStrv) items = g_strsplit (text != NULL ? text : "", ",", -1);

  if (text == NULL)
    return TRUE;
  self->processors = g_array_new (FALSE, FALSE, sizeof (Range));
  for (guint i = 0; items[i] != NULL; i++)
    {
      Range range;
      if (!parse_range (items[i], '-', G_MAXUINT32, &range))
        return refuse ("--log-procs", text, "processors such as 0,4-7", error);
      g_array_append_val (self->processors, range);
    }
  return self->processors->len > 0
         || refuse ("--log-procs", text, "processors such as 0,4-7", error);
}

static gboolean
parse_records (PdLog *self, const char *text, GError **error)
{
  gsize n = text != NULL ? strlen (text) : 0;
  g_autofree char *full = NULL;

  self->records = (Range){ 0, G_MAXUINT64 };
  if (text == NULL)
    return TRUE;
  /* an end that lacks is the trace's */
  full = g_strconcat (n > 1 && text[0] == ':' ? "0" : "", text,
                      n > 1 && text[n - 1] == ':' ? "18446744073709551615" : "", NULL);
  return parse_range (full, ':', G_MAXUINT64, &self->records)
         || refuse ("--log-records", text, "records such as 120, 100:200 or 100:", error);
}

/* ---- life */

static gboolean
fail (const char *path, GError **error)
{
  int number = errno;

  g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (number),
               "cannot write '%s': %s", path, g_strerror (number));
  return FALSE;
}

/* A target that no file can replace: a terminal, a pipe, /dev/null. */
static gboolean
is_special (const char *path)
{
  GStatBuf info;

  return path != NULL && g_stat (path, &info) == 0 && !S_ISREG (info.st_mode);
}

static gboolean
open_file (PdLog *self, const char *path, GError **error)
{
  if (path == NULL)
    return TRUE;
  self->path = g_strdup (path);
  self->target = pd_target_new (path);
  int fd = self->target != NULL
               ? fcntl (pd_target_get_fd (self->target), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
               : -1;
  self->file = fd >= 0 ? fdopen (fd, "wb") : NULL;
  return self->file != NULL || fail (path, error);
}

PdLog *
pd_log_new (const PdLogOptions *options, GError **error)
{
  g_autoptr (PdLog) self = g_new0 (PdLog, 1);
  gboolean is_file = options->path != NULL && !is_special (options->path);
  g_autofree char *folder =
      is_file ? g_path_get_dirname (options->path) : g_strdup (g_get_tmp_dir ());

  memcpy (self->streams, options->streams, sizeof self->streams);
  self->words.line = g_string_new (NULL);
  self->lines = pd_line_sort_new (folder, MEMORY);
  if (!parse_processors (self, options->processors, error)
      || !parse_records (self, options->records, error) || !open_file (self, options->path, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
pd_log_free (PdLog *self)
{
  if (self == NULL)
    return;
  if (self->file != NULL)
    fclose (self->file);
  pd_target_free (self->target);
  g_free (self->path);
  g_clear_pointer (&self->processors, g_array_unref);
  pd_line_sort_free (self->lines);
  g_free (self->wanted);
  pd_log_words_clear (&self->words);
  g_free (self);
}

/* ---- lines */

static gboolean
is_wanted (const PdLog *self, const PdDeed *deed)
{
  const PdStepDvm *step = deed->what;

  return step->last_record >= self->records.first && step->first_record <= self->records.last
         && (self->wanted == NULL || self->wanted[deed->rank]);
}

/* "records processor begin end  " */
static void
begin_line (PdLog *self, const PdDeed *deed, const char *begin, const char *end)
{
  const PdStepDvm *step = deed->what;
  char records[64];

  if (step->first_record < step->last_record)
    g_snprintf (records, sizeof records, "%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
                step->first_record, step->last_record);
  else
    g_snprintf (records, sizeof records, "%" G_GUINT64_FORMAT, step->last_record);
  g_string_printf (self->words.line, "%15s %9u %20s %20s  ", records, deed->rank, begin, end);
}

/* The line so far, which may have names of any bytes in it, is added. */
static void
add_line (PdLog *self, PdLineKey key)
{
  g_autofree char *shown = pd_text_show (self->words.line->str);

  g_string_printf (self->words.line, "%s\n", shown);
  pd_line_sort_add (self->lines, key, self->words.line->str, self->words.line->len);
}

static void
end_line (PdLog *self, const PdDeed *deed, guint32 part)
{
  add_line (self, (PdLineKey){ deed->number, deed->rank, part });
}

static void
say_interval (PdLog *self, guint32 node)
{
  PdIntervalKey key = pd_interval_tree_get_key (self->tree, node);

  g_string_append_printf (self->words.line, "; in %s", pd_interval_type_name (key.type));
  if (node != PD_INTERVAL_ROOT)
    g_string_append_printf (self->words.line, " %s:%" G_GINT64_FORMAT, key.file, key.line);
  if (key.type == PD_INTERVAL_USER && key.index != PD_INTERVAL_NO_INDEX)
    g_string_append_printf (self->words.line, " (%" G_GINT64_FORMAT ")", key.index);
}

static void
note_step (gpointer data, const PdDeed *deed)
{
  PdLog *self = data;
  const PdStepDvm *step = deed->what;
  char begin[64], end[64];

  if (!is_wanted (self, deed))
    return;
  begin_line (self, deed, pd_time_format (deed->begin, begin), pd_time_format (deed->end, end));
  if (!pd_log_words_say (&self->words, deed))
    return;
  say_interval (self, step->node);
  end_line (self, deed, PART_STEP);
}

/* Comes some time after the step. */
static void
note_wait (gpointer data, const PdDeed *deed, PdTime waited, guint32 last, PdTime came)
{
  PdLog *self = data;
  char begin[64], end[64], time[64];

  if (!is_wanted (self, deed))
    return;
  begin_line (self, deed, pd_time_format (deed->begin, begin), pd_time_format (came, end));
  g_string_append_printf (self->words.line, "of this %s s until processor %u came",
                          pd_time_format (waited, time), last);
  if (deed->portion > 0)
    g_string_append_printf (self->words.line, " with portion %" G_GINT64_FORMAT, deed->portion);
  end_line (self, deed, PART_WAIT);
}

gboolean
pd_log_wants_action (const PdLog *self, guint32 rank, guint64 number)
{
  return number >= self->records.first && number <= self->records.last
         && (self->wanted == NULL || self->wanted[rank]);
}

void
pd_log_rank_action (PdLog *self, guint32 rank, guint64 number, const PdTime *times,
                    const char *text)
{
  /* by rank, then by action; the heading is before the first one */
  PdLineKey key = { ((guint64) rank << RANK_SHIFT) | number, 1, 0 };
  char begin[64], end[64];

  g_string_printf (self->words.line, "%15" G_GUINT64_FORMAT " %9u %20s %20s  %s", number, rank,
                   pd_time_format (times[0], begin),
                   pd_time_is_pending (times[1]) ? "-" : pd_time_format (times[1], end), text);
  add_line (self, key);
}

/* ---- writing */

static gboolean
write_text (gpointer data, const char *text, gsize length, GError **error)
{
  PdLog *self = data;

  if (self->file != NULL && fwrite (text, 1, length, self->file) != length)
    return fail (self->path, error);
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    if (self->streams[i] != NULL && fwrite (text, 1, length, self->streams[i]) != length)
      return fail ("the standard streams", error);
  return TRUE;
}

static gboolean
is_in_list (const GArray *ranges, guint64 number)
{
  for (guint i = 0; i < ranges->len; i++)
    {
      const Range *range = &g_array_index (ranges, Range, i);
      if (number >= range->first && number <= range->last)
        return TRUE;
    }
  return FALSE;
}

/* Which of @n processors are wanted; returns whether any is. */
static gboolean
choose_processors (PdLog *self, guint32 n)
{
  gboolean any = self->processors == NULL;

  g_clear_pointer (&self->wanted, g_free);
  if (self->processors == NULL)
    return TRUE;
  self->wanted = g_new (gboolean, n);
  for (guint32 i = 0; i < n; i++)
    any = (self->wanted[i] = is_in_list (self->processors, i)) || any;
  return any;
}

static void
add_heading (PdLog *self)
{
  const PdLineKey first = { 0, 0, 0 };

  pd_line_sort_add (self->lines, first, self->words.line->str, self->words.line->len);
}

void
pd_log_begin_ranks (PdLog *self, const char *title, guint32 n)
{
  gboolean any = choose_processors (self, n);
  g_autofree char *shown = pd_text_show (title);

  g_string_printf (self->words.line,
                   "# %s, %u rank%s; times in seconds\n#%14s %9s %20s %20s  what it did\n", shown,
                   n, n == 1 ? "" : "s", "action", "rank", "begin", "end");
  if (!any)
    g_string_append (self->words.line, "# none of the ranks asked for is in this program\n");
  add_heading (self);
}

gboolean
pd_log_end (PdLog *self, GError **error)
{
  self->tree = NULL;
  return pd_line_sort_write (self->lines, write_text, self, error);
}

static gboolean
finish (gpointer data, const PdTime *ends G_GNUC_UNUSED, GError **error)
{
  return pd_log_end (data, error);
}

static const PdWatcherClass class = { .done = note_step, .waited = note_wait, .finish = finish };

void
pd_log_watch (PdWatcher **watchers, PdLog *self, const char *title, guint32 n,
              const PdIntervalTree *tree)
{
  if (self == NULL)
    return;
  gboolean any = choose_processors (self, n);
  g_autofree char *shown = pd_text_show (title);

  self->tree = tree;
  g_string_printf (self->words.line,
                   "# %s, %u processor%s; times in seconds\n#%14s %9s %20s %20s  what it did\n",
                   shown, n, n == 1 ? "" : "s", "records", "processor", "begin", "end");
  if (!any)
    g_string_append (self->words.line, "# none of the processors asked for is on this grid\n");
  add_heading (self);
  pd_watch (watchers, &class, self);
}

gboolean
pd_log_close (PdLog *self, GError **error)
{
  FILE *file = g_steal_pointer (&self->file);

  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    if (self->streams[i] != NULL && fflush (self->streams[i]) != 0)
      return fail ("the standard streams", error);
  if (file == NULL)
    return TRUE;
  return (fclose (file) == 0 && pd_target_commit (self->target)) || fail (self->path, error);
}
