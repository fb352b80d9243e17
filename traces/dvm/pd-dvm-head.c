/* The header block and the trailer, and files that are no traces.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-reader-private.h"
#include "traces/dvm/pd-dvm-head-private.h"
#include "traces/dvm/pd-dvm-line.h"
#include "traces/dvm/pd-dvm-scan-private.h"
#include "traces/dvm/pd-dvm-values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A trace shows its first record, and ret_dvm_Init if it has one, before. */
#define HEAD_LIMIT (1024 * 1024)

/* The versions of the run-time system whose traces were studied. */
static const gint64 known_versions[] = { 2889 };

/* Lines found at the beginning of a file: offsets into the window, -1 = not seen. */
typedef struct
{
  gssize header; /* the first header line */
  gssize init;   /* ret_dvm_Init */
  gssize call;   /* the first record that the program can have caused */
  gssize error;  /* "*** RTS err" */
  gsize size;    /* bytes looked at */
} Probe;

/* ---- what the file is */

static gboolean
begins (PdDvmText text, const char *word)
{
  gsize n = strlen (word);
  return pd_dvm_text_length (text) >= n && memcmp (text.begin, word, n) == 0;
}

static gboolean
is_binary (PdDvmText text)
{
  for (const char *p = text.begin; p < text.end; p++)
    if ((guint8) *p < ' ' && strchr ("\t\n\r\f\033\032", *p) == NULL)
      return TRUE;
  return memchr (text.begin, '\0', pd_dvm_text_length (text)) != NULL;
}

/* "12 compute 1e9": processor, then a word. */
static gboolean
is_time_independent (PdDvmText text)
{
  const char *p = text.begin;

  while (p < text.end && g_ascii_isdigit (*p))
    p++;
  return p > text.begin && p + 1 < text.end && *p == ' ' && g_ascii_isalpha (p[1]);
}

static gboolean
is_comparison_trace (PdDvmText text)
{
  return begins (text, "# Begin trace header") || begins (text, "MODE")
         || begins (text, "EMPTYITER") || begins (text, "PL:") || begins (text, "SL:");
}

static const struct
{
  const char *begin;
  const char *what;
} beginnings[] = {
  { "\177ELF", "it is a program; 'predictor record' records MPI programs" },
  { "<", "it is HTML or XML, perhaps a result of a predictor" },
  { "$", "it is an MPI-level trace of the profiling layer" },
  { "RTS VERSION", "it ends before its first record" },
};

static const char *
identify (PdDvmText text)
{
  text.end = MIN (text.end, text.begin + 4096);
  while (text.begin < text.end && g_ascii_isspace (*text.begin))
    text.begin++;
  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (begins (text, beginnings[i].begin))
      return beginnings[i].what;
  if (is_binary (text))
    return "it is a binary file, perhaps statistics (.sts)";
  if (is_comparison_trace (text))
    return "it is a comparison trace of the dynamic debugger";
  if (is_time_independent (text))
    return "it looks like a time-independent MPI trace";
  return "neither one of message passing nor of DVM, with a header line (NAME TIME= LINE= FILE=) "
         "in "
         "its first 1 MB";
}

/* ---- where the program begins */

static gboolean
is_startup (const PdDvmLine *line)
{
  return line->kind != PD_DVM_LINE_CALL || begins (line->name, "mps_")
         || (pd_dvm_text_length (line->name) == 8 && begins (line->name, "dvm_Init"));
}

/* TRUE when the search is over. */
static gboolean
probe_line (Probe *probe, PdDvmText text, gssize offset)
{
  PdDvmLine line;

  while (text.begin < text.end && (*text.begin == ' ' || *text.begin == '\t'))
    text.begin++;
  while (text.end > text.begin && text.end[-1] == '\r')
    text.end--;
  if (probe->error < 0 && begins (text, "*** RTS err"))
    probe->error = offset;
  if (!pd_dvm_line_parse (text, &line))
    return FALSE;

  PdDvmFunction f = pd_dvm_function_lookup (line.name.begin, pd_dvm_text_length (line.name));
  if (probe->header < 0)
    probe->header = offset;
  if (line.kind == PD_DVM_LINE_RET && f == PD_DVM_dvm_Init)
    probe->init = offset;
  if (probe->call < 0 && (!is_startup (&line) || f == PD_DVM_Event_dvm_exit))
    probe->call = offset;
  return probe->init >= 0 || f == PD_DVM_Event_dvm_exit;
}

static void
probe_head (PdDvmReader *self, Probe *probe)
{
  const PdWindow *window = pd_input_get_window (self->input);
  gsize pos = 0, scanned = 0;
  gboolean more = TRUE;

  *probe = (Probe){ -1, -1, -1, -1, 0 };
  while (pos < HEAD_LIMIT)
    {
      const char *begin = window->data + pos;
      const char *lf = memchr (window->data + scanned, '\n', window->size - scanned);

      if (lf == NULL && more && window->size < HEAD_LIMIT)
        {
          scanned = window->size;
          more = pd_dvm_reader_fill (self, 0);
          continue;
        }
      if (pos == window->size)
        break;
      const char *end = lf != NULL ? lf : window->data + window->size;
      if (probe_line (probe, (PdDvmText){ begin, end }, (gssize) pos))
        break;
      pos = scanned = (gsize) (end - window->data) + (lf != NULL);
    }
  probe->size = pos;
}

/* ---- the header block */

static gboolean
take_int (const PdDvmItems *items, PdDvmKey key, gint64 *value)
{
  guint32 place = items->scalar[0][key];
  return place > 0
         && pd_dvm_parse_dec (g_array_index (items->items, PdDvmItem, place - 1).value, value);
}

static gboolean
take_float (const PdDvmItems *items, PdDvmKey key, gdouble *value)
{
  guint32 place = items->scalar[0][key];
  return place > 0
         && pd_dvm_parse_float (g_array_index (items->items, PdDvmItem, place - 1).value, value);
}

/* The rank is that of the sizes that were read. */
static guint
take_sizes (const PdDvmItems *items, PdDvmKey rank_key, PdDvmKey key, gint64 sizes[8])
{
  gint64 rank = 0;
  guint n = 0, first = items->array[key];

  take_int (items, rank_key, &rank);
  for (guint i = first; first > 0 && i <= items->items->len && n < MIN (rank, 8); i++)
    {
      const PdDvmItem *item = &g_array_index (items->items, PdDvmItem, i - 1);
      if (item->key != key || item->index != (gint32) n
          || !pd_dvm_parse_dec (item->value, &sizes[n]))
        break;
      n++;
    }
  return n;
}

static char *
take_word (const PdDvmItems *items, PdDvmKey key)
{
  guint32 place = items->scalar[0][key];
  if (place == 0)
    return g_strdup ("");
  const PdDvmItem *item = &g_array_index (items->items, PdDvmItem, place - 1);
  return g_strndup (item->value.begin, pd_dvm_text_length (item->value));
}

/* "0_0    0      vm                -": the name is what stands between the
 * second word and the column of the second table. */
static char *
take_host (const char *title, const char *row)
{
  const char *second = strstr (title, " N "), *p = row;
  gsize column = second != NULL ? (gsize) (second + 1 - title) : strlen (row);

  for (guint i = 0; i < 2; i++)
    {
      p += strspn (p, " ");
      p += strcspn (p, " ");
    }
  p += strspn (p, " ");
  gsize before = (gsize) (p - row), length = strlen (p);
  g_autofree char *host = g_strndup (p, column > before ? column - before : length);
  g_strchomp (host);
  /* Without second column the "-" of an empty table may be left. */
  if (g_str_has_suffix (host, " -") || strcmp (host, "-") == 0)
    host[strlen (host) - 1] = '\0';
  g_strchomp (host);
  return g_utf8_make_valid (host, -1);
}

static char *
find_host (PdDvmText text)
{
  g_autofree char *block = g_strndup (text.begin, pd_dvm_text_length (text));
  g_auto (GStrv) lines = g_strsplit (block, "\n", 64);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *title = g_strstrip (lines[i]);
      if (strncmp (title, "N ", 2) != 0 || strstr (title, " NAME") == NULL)
        continue;
      for (guint j = i + 1; lines[j] != NULL; j++)
        if (g_strstrip (lines[j])[0] != '\0')
          return take_host (title, lines[j]);
    }
  return g_strdup ("");
}

/* The system of one processor, its own, which each of several creates while it starts:
 * "ProcCount=1  HasCurrent=1  CentralProc=3  IOProc=3". The last such line counts. */
static gint64
find_own_number (PdDvmText text)
{
  g_autofree char *block = g_strndup (text.begin, pd_dvm_text_length (text));
  const char *line = g_strrstr (block, "ProcCount=1 ");
  int central, io;

  if (line == NULL
      || sscanf (line, "ProcCount=1 HasCurrent=1 CentralProc=%9d IOProc=%9d", &central, &io) != 2
      || central != io)
    return -1;
  return central;
}

static void
read_header (PdDvmReader *self, PdDvmText text)
{
  PdDvmHeader *header = &self->header;
  PdDvmItems *items = &self->items;
  PdDvmBody body = { text, PD_DVM_UNKNOWN, FALSE, FALSE };

  pd_dvm_items_lex (items, &body);
  take_int (items, PD_DVM_KEY_VERSION, &header->rts_version);
  take_int (items, PD_DVM_KEY_ProcCount, &header->proc_count);
  header->own_number = header->proc_count > 1 ? find_own_number (text) : -1;
  header->ps_rank = take_sizes (items, PD_DVM_KEY_PSRank, PD_DVM_KEY_PSSize, header->ps_size);
  take_int (items, PD_DVM_KEY_VProcCount, &header->vproc_count);
  header->vps_rank = take_sizes (items, PD_DVM_KEY_VPSRank, PD_DVM_KEY_VPSSize, header->vps_size);
  take_float (items, PD_DVM_KEY_MeanProcTime, &header->mean_proc_time);
  header->host = self->host = find_host (text);
  header->mps = self->mps = take_word (items, PD_DVM_KEY_MPS);
  pd_dvm_items_reset (items);
}

static void
check_version (PdDvmReader *self)
{
  PdPlace place = { self->name, 0, NULL, -1, -1, FALSE };
  gint64 version = self->header.rts_version;

  for (gsize i = 0; i < G_N_ELEMENTS (known_versions); i++)
    if (version == known_versions[i])
      return;
  if (version == 0)
    pd_messages_add (self->messages, PD_SEVERITY_NOTE, "rts-version", NULL, &place,
                     "the trace does not state the version of its run-time system");
  else
    pd_messages_add (self->messages, PD_SEVERITY_NOTE, "rts-version", NULL, &place,
                     "run-time system version %" G_GINT64_FORMAT
                     " is not known, 2889 is; its traces may differ",
                     version);
}

/* ---- the first record of the program */

static gboolean
is_first_of_program (const PdDvmReader *self)
{
  const PdDvmRecord *r = &self->next;

  if (r->function == PD_DVM_Event_dvm_exit)
    return TRUE;
  return r->kind == PD_DVM_LINE_CALL && r->function != PD_DVM_dvm_Init
         && !g_str_has_prefix (r->name, "mps_");
}

/* Counts the records before the program, and stops where the first record of the
 * program is @next. */
static void
skip_startup (PdDvmReader *self, gboolean has_init)
{
  gboolean was_init = FALSE;

  pd_dvm_reader_scan_body (self, self->pos);
  while (self->has_next && !was_init && (has_init || !is_first_of_program (self)))
    {
      was_init = self->next.kind == PD_DVM_LINE_RET && self->next.function == PD_DVM_dvm_Init;
      pd_dvm_reader_scan_body (self, self->pos);
    }
}

static gboolean
refuse (PdDvmReader *self, const Probe *probe, GError **error)
{
  const PdWindow *window = pd_input_get_window (self->input);
  g_autoptr (GError) problem = NULL;

  if (window->size == 0 && !pd_input_check (self->input, self->name, &problem))
    g_set_error_literal (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN, problem->message);
  else if (window->size == 0)
    g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_EMPTY,
                 "%s: the trace is empty, perhaps the traced program crashed", self->name);
  else if (probe->header < 0)
    g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_FORMAT, "%s: not a trace of a known format: %s",
                 self->name, identify ((PdDvmText){ window->data, window->data + window->size }));
  else
    return FALSE;
  return TRUE;
}

gboolean
pd_dvm_reader_read_head (PdDvmReader *self, GError **error)
{
  Probe probe;
  gssize begin;

  probe_head (self, &probe);
  if (refuse (self, &probe, error))
    return FALSE;

  begin = probe.init >= 0 ? probe.init : probe.call >= 0 ? probe.call : (gssize) probe.size;
  if (probe.error >= 0 && probe.error < begin)
    {
      g_autofree char *text =
          pd_dvm_reader_describe_error (self, (gsize) probe.error, (gsize) begin);
      g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_PROGRAM,
                   "%s: the traced program stopped while it started: %s", self->name, text);
      return FALSE;
    }
  read_header (self,
               (PdDvmText){ pd_dvm_reader_at (self, 0), pd_dvm_reader_at (self, (gsize) begin) });
  /* A ProcCount alone may belong to a record that an overflow cut. */
  if (probe.init < 0 && self->header.rts_version == 0 && self->header.ps_rank == 0)
    {
      g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_HEADLESS,
                   "%s: the beginning of the trace is missing (it overflowed its size limit); "
                   "record again with a larger MaxTraceFileSize",
                   self->name);
      return FALSE;
    }
  check_version (self);
  if (self->header.proc_count == 0)
    {
      PdPlace place = { self->name, 0, NULL, -1, -1, FALSE };
      pd_messages_add (self->messages, PD_SEVERITY_WARNING, "no-proc-count", NULL, &place,
                       "the trace does not state how many processors it was recorded on");
    }
  skip_startup (self, probe.init >= 0);
  if (self->failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->failure));
  return FALSE;
}

/* ---- the trailer */

void
pd_dvm_reader_read_trailer (PdDvmReader *self, PdDvmSpan body, PdDvmFunction function)
{
  const struct
  {
    PdDvmKey key;
    gdouble *value;
  } times[] = {
    { PD_DVM_KEY_TaskTime, &self->trailer.task_time },
    { PD_DVM_KEY_TaskTraceTime, &self->trailer.task_trace_time },
    { PD_DVM_KEY_SystemTime, &self->trailer.system_time },
    { PD_DVM_KEY_SystemTraceTime, &self->trailer.system_trace_time },
  };
  PdDvmItems *items = &self->items;
  PdDvmBody lexed = { { pd_dvm_reader_at (self, body.begin), pd_dvm_reader_at (self, body.end) },
                      function,
                      FALSE,
                      FALSE };

  pd_dvm_items_lex (items, &lexed);
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    if (*times[i].value < 0)
      take_float (items, times[i].key, times[i].value);
  if (function == PD_DVM_Event_dvm_exit)
    take_int (items, PD_DVM_KEY_rc, &self->trailer.exit_code);
  pd_dvm_items_reset (items);
}

/* Limits of the error of the sum of times for each record, in seconds, where TIME has 8 digits, and
 * where it has fewer. In recorded traces the error is 0.4 to 1.4 ns a record. */
#define ROUNDED      2e-9
#define ROUNDED_MORE 2e-7

/* Warns if the trailer gives another sum of times than the records. The trailer of a merged trace
 * is that of a part. The trailer is rounded to microseconds. */
static void
check_sum (PdDvmReader *self, const char *key, gdouble declared, PdTimeSum counted)
{
  gdouble sum = pd_time_sum_to_seconds (counted);
  gboolean merged = self->normalised && self->has_normalised;
  PdPlace place = { self->name, (gint64) self->n_lines, NULL, -1, -1, FALSE };

  gdouble rounded = self->has_8_digits ? ROUNDED : ROUNDED_MORE;
  if (declared < 0 || fabs (declared - sum) <= 2e-6 + rounded * (gdouble) self->trailer.n_records)
    return;
  pd_messages_add (self->messages, merged ? PD_SEVERITY_NOTE : PD_SEVERITY_WARNING, "time-sum", key,
                   &place, "%s is %.6f s, but the records add up to %.6f s%s", key, declared, sum,
                   merged ? "; merged traces differ so" : "");
}

void
pd_dvm_reader_check_sums (PdDvmReader *self)
{
  check_sum (self, "SystemTraceTime", self->trailer.system_trace_time, self->trailer.total_time);
  check_sum (self, "TaskTraceTime", self->trailer.task_trace_time, self->task_time);
}
