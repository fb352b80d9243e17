/* The scanner: lines, header lines, bodies. This is where the time of reading
 * a trace goes, so most lines are only looked at in their first character.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-reader-private.h"
#include "traces/dvm/pd-dvm-line.h"
#include "traces/dvm/pd-dvm-scan-private.h"

#include <string.h>

#define MAX_RECORD (16 * 1024 * 1024)

/* ---- interning */

static const char *
intern (PdDvmReader *self, PdDvmText text)
{
  g_autofree char *key = g_strndup (text.begin, pd_dvm_text_length (text));
  const char *found = g_hash_table_lookup (self->strings, key);

  if (found != NULL)
    return found;
  g_hash_table_add (self->strings, key);
  return g_steal_pointer (&key);
}

/* Nearly all lines name the file of the line before. */
static const char *
intern_file (PdDvmReader *self, PdDvmText text)
{
  gsize n = pd_dvm_text_length (text);

  if (n == self->last_file_length && memcmp (self->last_file, text.begin, n) == 0)
    return self->last_file;
  self->last_file = intern (self, text);
  self->last_file_length = strlen (self->last_file); /* it may hold a NUL */
  return self->last_file;
}

/* ---- records */

static void
report_bad_time (PdDvmReader *self)
{
  pd_dvm_reader_report (self, PD_SEVERITY_WARNING, "bad-time", &self->next,
                        "TIME is negative or no number, 0 is taken");
}

static void
set_next (PdDvmReader *self, const PdDvmLine *line)
{
  PdDvmRecord *r = &self->next;

  r->kind = line->kind;
  r->function = pd_dvm_function_lookup (line->name.begin, pd_dvm_text_length (line->name));
  r->name = r->function != PD_DVM_UNKNOWN ? pd_dvm_function_get_name (r->function)
                                          : intern (self, line->name);
  r->file = intern_file (self, line->file);
  r->time = PD_TIME (line->time_ps);
  r->decoded = pd_dvm_times_decode (&self->times, r->time, &self->trailer.clock);
  r->line = line->line;
  r->number = self->trailer.n_records++;
  r->physical_line = self->n_lines;
  pd_time_sum_add (&self->trailer.total_time, r->time);
  self->has_8_digits |= r->time.ps % (100 * PD_PS_PER_NS) != 0;
  if (line->time_bad)
    report_bad_time (self);
}

/* ---- lines */

/* First characters of header lines, of indentation, and of errors. */
enum
{
  PLAIN,
  INDENT,
  MAYBE_HEADER,
  MAYBE_ERROR,
};

static const guint8 first_characters[256] = {
  [' '] = INDENT,       ['\t'] = INDENT,      ['c'] = MAYBE_HEADER, ['r'] = MAYBE_HEADER,
  ['E'] = MAYBE_HEADER, ['D'] = MAYBE_HEADER, ['N'] = MAYBE_HEADER, ['0'] = MAYBE_HEADER,
  ['1'] = MAYBE_HEADER, ['2'] = MAYBE_HEADER, ['3'] = MAYBE_HEADER, ['4'] = MAYBE_HEADER,
  ['5'] = MAYBE_HEADER, ['6'] = MAYBE_HEADER, ['7'] = MAYBE_HEADER, ['8'] = MAYBE_HEADER,
  ['9'] = MAYBE_HEADER, ['*'] = MAYBE_ERROR,
};

/* Looks at the line from @begin to @end, its line end excluded; TRUE if it is
 * a header line, which is then @next. */
static gboolean
look_at_line (PdDvmReader *self, const char *begin, const char *end)
{
  PdDvmLine line;
  guint class;

  if (begin == end || (class = first_characters[(guint8) *begin]) == PLAIN)
    return FALSE;
  if (class == INDENT)
    {
      while (begin < end && (*begin == ' ' || *begin == '\t'))
        begin++;
      if (begin == end)
        return FALSE;
      class = first_characters[(guint8) *begin];
    }
  if (class == MAYBE_ERROR && self->error_at < 0 && end - begin >= 11
      && memcmp (begin, "*** RTS err", 11) == 0)
    self->error_at = begin - pd_dvm_reader_at (self, self->body.begin);
  if (class != MAYBE_HEADER)
    return FALSE;
  while (end > begin && end[-1] == '\r')
    end--;
  if (!pd_dvm_line_parse ((PdDvmText){ begin, end }, &line))
    return FALSE;
  set_next (self, &line);
  return TRUE;
}

/* The last line, without a line end. */
static void
scan_last_line (PdDvmReader *self)
{
  const PdWindow *window = pd_input_get_window (self->input);
  gsize begin = self->pos;

  self->body.end = begin;
  self->pos = window->size;
  self->n_lines += begin < window->size;
  self->has_next = look_at_line (self, window->data + begin, window->data + window->size);
  if (!self->has_next)
    {
      self->body_cut = begin < window->size;
      self->body.end = window->size;
    }
}

gboolean
pd_dvm_reader_fill (PdDvmReader *self, gsize keep)
{
  gboolean more = pd_input_fill (self->input, keep);

  self->pos -= keep;
  self->scanned -= keep;
  self->body.begin -= keep;
  if (!self->call_saved && self->stack->len > 0)
    {
      self->call_body.begin -= keep;
      self->call_body.end -= keep;
    }
  return more;
}

/* A call with all that is in it, which stays in memory together, is longer than any of
 * the run-time system: FALSE, and there is no next record. */
static gboolean
has_room (PdDvmReader *self, gsize keep)
{
  if (pd_input_get_window (self->input)->size - keep <= MAX_RECORD)
    return TRUE;
  self->has_next = FALSE;
  g_set_error (&self->failure, PD_DVM_ERROR, PD_DVM_ERROR_LIMIT,
               "%s:%" G_GUINT64_FORMAT ": a record of more than %d bytes", self->name,
               self->n_lines + 1, MAX_RECORD);
  return FALSE;
}

void
pd_dvm_reader_scan_body (PdDvmReader *self, gsize keep)
{
  const PdWindow *window = pd_input_get_window (self->input);

  self->body = (PdDvmSpan){ self->pos, self->pos };
  self->body_cut = FALSE;
  self->error_at = -1;
  for (;;)
    {
      const char *line = window->data + self->pos;
      const char *from = window->data + self->scanned;
      const char *lf = memchr (from, '\n', window->size - self->scanned);

      if (lf == NULL)
        {
          self->scanned = window->size;
          if (!has_room (self, keep))
            return;
          if (!pd_dvm_reader_fill (self, keep))
            break;
          keep = 0;
          continue;
        }
      self->n_lines++;
      self->body.end = self->pos;
      self->pos = self->scanned = (gsize) (lf + 1 - window->data);
      if (look_at_line (self, line, lf))
        {
          self->has_next = TRUE;
          return;
        }
    }
  scan_last_line (self);
}

void
pd_dvm_reader_report (PdDvmReader *self, PdSeverity severity, const char *id,
                      const PdDvmRecord *record, const char *text)
{
  PdPlace place = { self->name,   (gint64) record->physical_line,
                    record->name, (gint64) record->number,
                    -1,           FALSE };

  if (record->file[0] != '\0')
    pd_messages_add (self->messages, severity, id, record->name, &place,
                     "%s (%s:%" G_GINT64_FORMAT ")", text, record->file, record->line);
  else
    pd_messages_add (self->messages, severity, id, record->name, &place, "%s", text);
}
