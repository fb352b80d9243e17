/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/pd-log.h"

#include "predictor/pd-commands.h"
#include "predictor/pd-line-sort.h"
#include "predictor/pd-simulation-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Bytes of lines in memory. */
#define MEMORY (16 * 1024 * 1024)

/* Messages that one line lists; the others are only counted. */
#define MAX_MESSAGES_SHOWN 16

/* Parts of the key: what is told of a step comes in this order. */
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
  char *temporary;    /* (nullable): until the file gets its name */
  FILE *file;         /* (nullable) */
  FILE *streams[2];   /* (nullable), borrowed */
  GArray *processors; /* (nullable): Range */
  Range records;
  PdLineSort *lines;
  const PdIntervalTree *tree; /* of the simulation under way; borrowed */
  gboolean *wanted;           /* (nullable) (array): which of its processors; NULL = all */
  PdPlanMessage *messages;    /* room for one processor's messages of an exchange */
  guint room;
  GString *line;
};

/* ---- what is wanted */

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

static gboolean
open_file (PdLog *self, const char *path, GError **error)
{
  if (path == NULL)
    return TRUE;
  self->path = g_strdup (path);
  self->temporary = g_strconcat (path, ".XXXXXX", NULL);
  int fd = g_mkstemp_full (self->temporary, O_RDWR | O_CREAT | O_EXCL, 0666);
  if (fd < 0)
    {
      g_clear_pointer (&self->temporary, g_free);
      return fail (path, error);
    }
  self->file = fdopen (fd, "wb");
  return self->file != NULL || fail (path, error);
}

PdLog *
pd_log_new (const PdLogOptions *options, GError **error)
{
  g_autoptr (PdLog) self = g_new0 (PdLog, 1);
  g_autofree char *folder =
      options->path != NULL ? g_path_get_dirname (options->path) : g_strdup (g_get_tmp_dir ());

  memcpy (self->streams, options->streams, sizeof self->streams);
  self->line = g_string_new (NULL);
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
  if (self->temporary != NULL)
    unlink (self->temporary);
  g_free (self->path);
  g_free (self->temporary);
  g_clear_pointer (&self->processors, g_array_unref);
  pd_line_sort_free (self->lines);
  g_free (self->wanted);
  g_free (self->messages);
  if (self->line != NULL)
    g_string_free (self->line, TRUE);
  g_free (self);
}

/* ---- what a step did */

typedef struct
{
  const PdLogEvent *event;
  const PdStepDvm *step;
  gint64 linear; /* of the processor in the operation's grid; -1: takes no part */
} Note;

static void
say_place (GString *line, const PdStepDvm *step)
{
  g_string_append_printf (line, "%s at %s:%" G_GINT64_FORMAT ": ", step->name, step->file,
                          step->line);
}

/* The functions say what a step did for the processor; FALSE: nothing. */

static gboolean
say_compute (PdLog *self, const Note *note)
{
  const PdTeam *team = note->step->family->team;
  gboolean is_one = note->step->first_record == note->step->last_record;

  if (pd_grid_find (team->grid, note->event->processor) < 0)
    return FALSE;
  say_place (self->line, note->step);
  g_string_append (self->line,
                   is_one ? "ordinary time" : "ordinary time, also of the records after it");
  return TRUE;
}

static gboolean
say_loop (PdLog *self, const Note *note)
{
  PdLoop *loop = note->step->work->loop;
  gint64 place =
      pd_grid_find (pd_layout_get_grid (pd_loop_get_layout (loop)), note->event->processor);

  if (place < 0)
    return FALSE;
  say_place (self->line, note->step);
  g_string_append_printf (self->line, "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " iterations",
                          pd_loop_get_local (loop, (guint32) place), pd_loop_get_total (loop));
  if (note->step->work->replication > 1)
    g_string_append_printf (self->line, ", as on %u processors", note->step->work->replication);
  if (note->step->work->shares->len > 1)
    g_string_append_printf (self->line, ", in %u intervals", note->step->work->shares->len);
  return TRUE;
}

static guint
list_messages (PdLog *self, const Note *note)
{
  const PdPlan *plan = note->step->operation->plan;
  guint most = pd_plan_get_max (plan, note->event->processor);

  if (most > self->room)
    {
      self->room = most;
      self->messages = g_renew (PdPlanMessage, self->messages, most);
    }
  return pd_plan_get_messages (plan, note->event->processor, self->messages);
}

static gboolean
say_exchange_start (PdLog *self, const Note *note)
{
  guint n = list_messages (self, note);
  gint64 bytes = 0;

  say_place (self->line, note->step);
  g_string_append (self->line, "starts");
  for (guint i = 0; i < n; i++)
    {
      const PdPlanMessage *message = &self->messages[i];
      bytes += i < MAX_MESSAGES_SHOWN ? 0 : message->bytes;
      if (i < MAX_MESSAGES_SHOWN)
        g_string_append_printf (self->line, "%s %s %" G_GINT64_FORMAT " B %s %u", i > 0 ? "," : "",
                                message->send ? "send" : "receive", message->bytes,
                                message->send ? "to" : "from", message->peer);
    }
  if (n > MAX_MESSAGES_SHOWN)
    g_string_append_printf (self->line, ", and %u more of %" G_GINT64_FORMAT " B in all",
                            n - MAX_MESSAGES_SHOWN, bytes);
  if (n == 0)
    g_string_append (self->line, " nothing");
  return TRUE;
}

static gboolean
say_exchange_wait (PdLog *self, const Note *note)
{
  guint n = list_messages (self, note);

  say_place (self->line, note->step);
  g_string_append_printf (self->line, "waits for %u message%s", n, n == 1 ? "" : "s");
  for (guint i = 0; i < MIN (n, MAX_MESSAGES_SHOWN); i++)
    g_string_append_printf (self->line, "%s %s %u", i > 0 ? "," : ":",
                            self->messages[i].send ? "to" : "from", self->messages[i].peer);
  if (n > MAX_MESSAGES_SHOWN)
    g_string_append (self->line, ", …");
  return TRUE;
}

static PdComm *
comm_of (const Note *note)
{
  return pd_comm_family_get (note->step->family, (guint32) note->linear);
}

static gboolean
say_collective (PdLog *self, const Note *note)
{
  say_place (self->line, note->step);
  g_string_append_printf (self->line, "%s of %" G_GINT64_FORMAT " B among %u",
                          pd_op_get_name ((PdOp) note->step->op), note->step->bytes,
                          pd_comm_get_size (comm_of (note)));
  return TRUE;
}

static gboolean
say_star (PdLog *self, const Note *note)
{
  const PdOperation *operation = note->step->operation;
  PdComm *comm = comm_of (note);
  gboolean is_central =
      pd_comm_get_rank (comm, note->event->processor) == (gint64) operation->central;

  say_place (self->line, note->step);
  g_string_append_printf (self->line, "%s a reduction of %" G_GINT64_FORMAT " B among %u%s",
                          note->step->kind == PD_STEP_KIND_STAR_START ? "starts" : "waits for",
                          operation->bytes, pd_comm_get_size (comm),
                          is_central ? ", of which it is the centre" : "");
  return TRUE;
}

static gboolean
say_array (PdLog *self, const Note *note)
{
  const PdOperation *operation = note->step->operation;
  gboolean is_out = note->step->kind == PD_STEP_KIND_COLLECT;

  say_place (self->line, note->step);
  if (note->event->processor == operation->team->io)
    g_string_append_printf (self->line, "%s the parts of an array, %" G_GINT64_FORMAT " elements",
                            is_out ? "collects" : "deals out", operation->prefix);
  else
    g_string_append_printf (self->line, "%s %" G_GINT64_FORMAT " B of an array %s %u",
                            is_out ? "sends" : "receives",
                            pd_operation_get_part (operation, (guint32) note->linear),
                            is_out ? "to" : "from", operation->team->io);
  return TRUE;
}

static gboolean
say_file_io (PdLog *self, const Note *note)
{
  if (note->event->processor != note->step->family->team->io)
    return FALSE;
  say_place (self->line, note->step);
  g_string_append (self->line, "input or output of its own");
  return TRUE;
}

static gboolean (*const says[PD_N_STEP_KINDS]) (PdLog *self, const Note *note) = {
  [PD_STEP_KIND_NONE] = NULL, /* only the end of the trace */
  [PD_STEP_KIND_LOOP] = say_loop,
  [PD_STEP_KIND_EXCHANGE_START] = say_exchange_start,
  [PD_STEP_KIND_EXCHANGE_WAIT] = say_exchange_wait,
  [PD_STEP_KIND_COLLECTIVE] = say_collective,
  [PD_STEP_KIND_STAR_START] = say_star,
  [PD_STEP_KIND_STAR_WAIT] = say_star,
  [PD_STEP_KIND_COLLECT] = say_array,
  [PD_STEP_KIND_DEAL] = say_array,
  [PD_STEP_KIND_FILE_IO] = say_file_io,
  [PD_STEP_KIND_COMPUTE] = say_compute,
};

/* ---- lines */

static gboolean
is_wanted (const PdLog *self, const PdLogEvent *event)
{
  return event->step->last_record >= self->records.first
         && event->step->first_record <= self->records.last
         && (self->wanted == NULL || self->wanted[event->processor]);
}

/* "records processor begin end  " */
static void
begin_line (PdLog *self, const PdLogEvent *event, const char *begin, const char *end)
{
  const PdStepDvm *step = event->step;
  char records[64];

  if (step->first_record < step->last_record)
    g_snprintf (records, sizeof records, "%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
                step->first_record, step->last_record);
  else
    g_snprintf (records, sizeof records, "%" G_GUINT64_FORMAT, step->last_record);
  g_string_printf (self->line, "%15s %9u %20s %20s  ", records, event->processor, begin, end);
}

static void
end_line (PdLog *self, const PdLogEvent *event, guint32 part)
{
  PdLineKey key = { event->number, event->processor, part };

  g_string_append_c (self->line, '\n');
  pd_line_sort_add (self->lines, key, self->line->str, self->line->len);
}

static void
say_interval (PdLog *self, guint32 node)
{
  PdIntervalKey key = pd_interval_tree_get_key (self->tree, node);

  g_string_append_printf (self->line, "; in %s", pd_interval_type_name (key.type));
  if (node != PD_INTERVAL_ROOT)
    g_string_append_printf (self->line, " %s:%" G_GINT64_FORMAT, key.file, key.line);
  if (key.type == PD_INTERVAL_USER && key.index != PD_INTERVAL_NO_INDEX)
    g_string_append_printf (self->line, " (%" G_GINT64_FORMAT ")", key.index);
}

void
pd_log_step (PdLog *self, const PdLogEvent *event)
{
  const PdStepDvm *step = event->step;
  char begin[64], end[64];
  Note note = { event, step, -1 };

  if (says[step->kind] == NULL || !is_wanted (self, event))
    return;
  if (step->operation != NULL)
    note.linear = pd_grid_find (step->operation->team->grid, event->processor);
  begin_line (self, event, pd_time_format (event->begin, begin), pd_time_format (event->end, end));
  if (!says[step->kind](self, &note))
    return;
  say_interval (self, step->node);
  end_line (self, event, PART_STEP);
}

void
pd_log_wait (PdLog *self, const PdLogEvent *event, PdTime waited, guint32 last, PdTime came)
{
  char begin[64], end[64], time[64];

  if (!is_wanted (self, event))
    return;
  begin_line (self, event, pd_time_format (event->begin, begin), pd_time_format (came, end));
  g_string_append_printf (self->line, "of this %s s until processor %u came",
                          pd_time_format (waited, time), last);
  end_line (self, event, PART_WAIT);
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

void
pd_log_begin (PdLog *self, const char *title, guint32 n, const PdIntervalTree *tree)
{
  const PdLineKey first = { 0, 0, 0 };

  self->tree = tree;
  g_clear_pointer (&self->wanted, g_free);
  if (self->processors != NULL)
    {
      self->wanted = g_new (gboolean, n);
      for (guint32 i = 0; i < n; i++)
        self->wanted[i] = is_in_list (self->processors, i);
    }
  g_string_printf (self->line,
                   "# %s, %u processor%s; times in seconds\n#%14s %9s %20s %20s  what it did\n",
                   title, n, n == 1 ? "" : "s", "records", "processor", "begin", "end");
  pd_line_sort_add (self->lines, first, self->line->str, self->line->len);
}

gboolean
pd_log_end (PdLog *self, GError **error)
{
  self->tree = NULL;
  return pd_line_sort_write (self->lines, write_text, self, error);
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
  gboolean ok = fflush (file) == 0 && fsync (fileno (file)) == 0;
  if (fclose (file) != 0 || !ok || rename (self->temporary, self->path) != 0)
    return fail (self->path, error);
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}
