/* The reader: pairs call_ and ret_ records and gives out
 * the calls of level 0.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-reader-private.h"

#include "traces/dvm/pd-dvm-call-private.h"
#include "traces/dvm/pd-dvm-call.h"
#include "traces/dvm/pd-dvm-head-private.h"
#include "traces/dvm/pd-dvm-scan-private.h"

#include <string.h>

/* Deeper than any real nesting; a damaged file must not grow the stack. */
#define MAX_DEPTH 1024

G_DEFINE_QUARK (pd_dvm_error_quark, pd_dvm_error)

/* ---- errors of the traced program */

char *
pd_dvm_reader_describe_error (PdDvmReader *self, gsize begin, gsize end)
{
  g_autofree char *bytes = g_strndup (pd_dvm_reader_at (self, begin), MIN (end - begin, 1000));
  g_auto (GStrv) lines = g_strsplit (bytes, "\n", 5);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 4 && lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      if (line[0] != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", line);
    }
  return g_utf8_make_valid (text->str, -1);
}

/* A format that the program printed may hold such a line, too. */
static gboolean
is_in_text (PdDvmReader *self, const PdDvmRecord *record)
{
  const char *begin = pd_dvm_reader_at (self, self->body.begin);
  PdDvmBody body = { { begin, pd_dvm_reader_at (self, self->body.end) },
                     record->function,
                     record->kind == PD_DVM_LINE_RET,
                     FALSE };
  gboolean in_text;

  pd_dvm_reader_reset_call (self);
  pd_dvm_items_lex (&self->items, &body);
  in_text = self->items.has_text && self->items.text_begin <= begin + self->error_at;
  pd_dvm_items_reset (&self->items);
  return in_text;
}

static gboolean
stops_with_error (PdDvmReader *self, const PdDvmRecord *record)
{
  if (self->error_at < 0 || is_in_text (self, record))
    return FALSE;
  g_autofree char *text = pd_dvm_reader_describe_error (
      self, self->body.begin + (gsize) self->error_at, self->body.end);
  g_set_error (&self->failure, PD_DVM_ERROR, PD_DVM_ERROR_PROGRAM,
               "%s:%" G_GUINT64_FORMAT ": the traced program stopped in %s (%s:%" G_GINT64_FORMAT
               "): %s",
               self->name, record->physical_line, record->name, record->file, record->line, text);
  return TRUE;
}

/* ---- the call under way */

static const char *
top (const PdDvmReader *self)
{
  return self->stack->len > 0 ? g_ptr_array_index (self->stack, self->stack->len - 1) : NULL;
}

static void
push (PdDvmReader *self, const char *name)
{
  g_ptr_array_add (self->stack, (gpointer) name);
}

static void
begin_call (PdDvmReader *self, const PdDvmRecord *record)
{
  self->call = (PdDvmCall){
    .function = record->function,
    .name = record->name,
    .line = record->line,
    .file = record->file,
    .number = record->number,
    .physical_line = record->physical_line,
    .is_single = FALSE,
  };
  self->times.of[PD_DVM_RECORDED] = (PdDvmCallTimes){ record->time, PD_TIME_ZERO };
  self->times.of[PD_DVM_DECODED] = (PdDvmCallTimes){ record->decoded, PD_TIME_ZERO };
  self->call_body = self->body;
  self->call_saved = FALSE;
  self->ret_body = (PdDvmSpan){ 0, 0 };
}

static void
add_inside (PdDvmReader *self, const PdDvmRecord *record)
{
  PdDvmCallTimes *of = self->times.of;

  of[PD_DVM_RECORDED].ret = pd_time_add (of[PD_DVM_RECORDED].ret, record->time);
  of[PD_DVM_DECODED].ret = pd_time_add (of[PD_DVM_DECODED].ret, record->decoded);
}

/* Keeps the parameters of the call while records nested in it pass by. */
static void
save_call_body (PdDvmReader *self)
{
  if (self->call_saved)
    return;
  gsize n = self->call_body.end - self->call_body.begin;
  g_byte_array_set_size (self->saved, 0);
  g_byte_array_append (self->saved, (const guint8 *) pd_dvm_reader_at (self, self->call_body.begin),
                       (guint) n);
  g_byte_array_append (self->saved, (const guint8 *) "", 1); /* so that data is not NULL */
  self->call_body = (PdDvmSpan){ 0, n };
  self->call_saved = TRUE;
}

static void
report_unmatched (PdDvmReader *self, const PdDvmRecord *record, const char *text)
{
  pd_dvm_reader_report (self, PD_SEVERITY_WARNING, "unmatched-record", record, text);
}

/* The record of the call under way, for messages. */
static PdDvmRecord
get_open_record (const PdDvmReader *self)
{
  const PdDvmCall *call = &self->call;

  return (PdDvmRecord){ .kind = PD_DVM_LINE_CALL,
                        .function = call->function,
                        .name = call->name,
                        .file = call->file,
                        .line = call->line,
                        .number = call->number,
                        .physical_line = call->physical_line };
}

/* ---- one record of each kind; TRUE if @self->call is complete */

static gboolean
handle_single (PdDvmReader *self, const PdDvmRecord *record)
{
  if (self->stack->len > 0)
    {
      add_inside (self, record);
      return FALSE;
    }
  begin_call (self, record);
  self->call.is_single = TRUE;
  return TRUE;
}

static gboolean
handle_call (PdDvmReader *self, const PdDvmRecord *record)
{
  if (record->function == PD_DVM_tron_ || record->function == PD_DVM_troff_)
    return handle_single (self, record);
  if (self->stack->len == 0)
    {
      begin_call (self, record);
      push (self, record->name);
      return FALSE;
    }
  add_inside (self, record);
  if (top (self) == record->name)
    report_unmatched (self, record, "a second call_ without ret_ between");
  else if (self->stack->len < MAX_DEPTH)
    push (self, record->name);
  else
    report_unmatched (self, record, "nested too deeply");
  return FALSE;
}

/* The functions whose time in a merged trace is always the same, since they wait. */
#define NORMAL_TIME PD_PS_PER_US

static const gboolean is_normalised[PD_DVM_N_FUNCTIONS] = {
  [PD_DVM_strtrd_] = TRUE, [PD_DVM_strtsh_] = TRUE, [PD_DVM_waitrd_] = TRUE,
  [PD_DVM_waitsh_] = TRUE, [PD_DVM_redis_] = TRUE,  [PD_DVM_realn_] = TRUE,
  [PD_DVM_arrcpy_] = TRUE,
};

/* Pops to the call_ of this ret_, wherever it is in the stack. */
static gboolean
handle_ret (PdDvmReader *self, const PdDvmRecord *record)
{
  guint depth = self->stack->len;

  if (is_normalised[record->function])
    {
      self->normalised &= record->time.ps == NORMAL_TIME;
      self->has_normalised = TRUE;
    }

  while (depth > 0 && g_ptr_array_index (self->stack, depth - 1) != record->name)
    depth--;
  if (self->stack->len > 0)
    add_inside (self, record);
  if (depth != self->stack->len || depth == 0)
    report_unmatched (self, record,
                      depth == 0 ? "a ret_ without its call_" : "a ret_ inside is missing");
  if (depth == 0)
    return FALSE;
  g_ptr_array_set_size (self->stack, (gint) depth - 1);
  if (depth > 1)
    return FALSE;
  if (record->line != self->call.line || record->file != self->call.file)
    pd_dvm_reader_report (self, PD_SEVERITY_WARNING, "place-differs", record,
                          "a ret_ of another LINE or FILE than its call_");
  self->ret_body = self->body;
  return TRUE;
}

static gboolean
handle_exit (PdDvmReader *self, const PdDvmRecord *record)
{
  if (self->stack->len > 0)
    {
      PdDvmRecord open = get_open_record (self);
      report_unmatched (self, &open, "the program ended inside this call");
      g_ptr_array_set_size (self->stack, 0);
    }
  self->phase = PD_DVM_PHASE_TRAILER;
  self->trailer.complete = TRUE;
  pd_dvm_reader_read_trailer (self, self->body, PD_DVM_Event_dvm_exit);
  return handle_single (self, record);
}

static gboolean
handle (PdDvmReader *self, const PdDvmRecord *record)
{
  pd_time_sum_add (&self->trailer.program_time, record->time);
  if (record->function == PD_DVM_Event_dvm_exit)
    return handle_exit (self, record);
  pd_time_sum_add (&self->task_time, record->time);
  self->trailer.n_program_records++;
  if (record->function == PD_DVM_UNKNOWN)
    pd_dvm_reader_report (self, PD_SEVERITY_WARNING, "unknown-function", record,
                          "unknown function, taken for local work");
  if (record->kind == PD_DVM_LINE_CALL)
    return handle_call (self, record);
  if (record->kind == PD_DVM_LINE_RET)
    return handle_ret (self, record);
  return handle_single (self, record);
}

/* ---- the end */

static void
finish (PdDvmReader *self)
{
  PdPlace place = { self->name, (gint64) self->n_lines, NULL, -1, -1, FALSE };

  self->phase = PD_DVM_PHASE_END;
  pd_input_report (self->input, self->messages, &place);
  if (!self->trailer.complete)
    {
      pd_messages_add (self->messages, PD_SEVERITY_WARNING, "trace-incomplete", NULL, &place,
                       "incomplete trace: it ends without Event_dvm_exit%s%s",
                       self->stack->len > 0 ? ", inside " : "",
                       self->stack->len > 0 ? self->call.name : "");
      return;
    }
  pd_dvm_reader_check_sums (self);
}

/* Whether a trace begins or ends again. */
static gboolean
is_of_another (const PdDvmRecord *record)
{
  return record->function == PD_DVM_Event_dvm_exit
         || (record->function == PD_DVM_dvm_Init && record->kind == PD_DVM_LINE_RET);
}

/* A format printed after the exit is not the trailer. */
static void
read_rest (PdDvmReader *self)
{
  while (self->has_next)
    {
      PdDvmRecord record = self->next;
      if (is_of_another (&record))
        pd_dvm_reader_report (self, PD_SEVERITY_WARNING, "second-trace", &record,
                              "a second trace follows the end of the program: it is left out");
      pd_dvm_reader_scan_body (self, self->pos);
      if (record.kind != PD_DVM_LINE_CALL)
        pd_dvm_reader_read_trailer (self, self->body, record.function);
    }
}

/* ---- the next call */

/* The beginning of the text that must stay in the window while the body of @record is read. */
static gsize
get_keep (PdDvmReader *self, const PdDvmRecord *record)
{
  if (self->stack->len == 0)
    return self->pos;
  if (record->kind != PD_DVM_LINE_RET || self->stack->len > 1 || top (self) != record->name)
    save_call_body (self);
  return self->call_saved ? self->pos : self->call_body.begin;
}

static gboolean
fail (PdDvmReader *self, GError **error)
{
  if (error != NULL)
    *error = g_error_copy (self->failure);
  return FALSE;
}

/* Recorded with FullTrace=0: a creation without its array. */
static gboolean
lacks_parameters (PdDvmReader *self)
{
  gint64 header;

  if ((self->call.function != PD_DVM_crtda_ && self->call.function != PD_DVM_crtrda_)
      || pd_dvm_call_get (self, PD_DVM_KEY_ArrayHeader, &header))
    return FALSE;
  g_set_error (&self->failure, PD_DVM_ERROR, PD_DVM_ERROR_NO_PARAMS,
               "%s:%" G_GUINT64_FORMAT ": call_%s without parameters: the trace was recorded with "
               "FullTrace=0 and cannot be used",
               self->name, self->call.physical_line, self->call.name);
  return TRUE;
}

/* Where a call_ is lost its ret_, the call before it is complete. */
static gboolean
is_lost_ret (const PdDvmReader *self, const PdDvmRecord *record)
{
  return self->stack->len == 1 && record->kind == PD_DVM_LINE_CALL && top (self) == record->name;
}

static gboolean
read_call (PdDvmReader *self, const PdDvmCall **call, GError **error)
{
  pd_dvm_reader_reset_call (self);
  while (self->phase == PD_DVM_PHASE_PROGRAM && self->failure == NULL && self->has_next)
    {
      PdDvmRecord record = self->next;
      gboolean done;

      if (is_lost_ret (self, &record))
        {
          report_unmatched (self, &record, "a second call_ without ret_ between");
          g_ptr_array_set_size (self->stack, 0);
          *call = &self->call;
          return TRUE;
        }
      pd_dvm_reader_scan_body (self, get_keep (self, &record));
      if (self->failure != NULL || stops_with_error (self, &record))
        break;
      done = handle (self, &record);
      if (done && lacks_parameters (self))
        break;
      if (done)
        {
          *call = &self->call;
          return TRUE;
        }
    }
  if (self->failure == NULL && self->phase == PD_DVM_PHASE_TRAILER)
    read_rest (self);
  if (self->failure != NULL)
    return fail (self, error);
  if (self->phase != PD_DVM_PHASE_END)
    finish (self);
  return FALSE;
}

gboolean
pd_dvm_reader_next (PdDvmReader *self, const PdDvmCall **call, GError **error)
{
  g_return_val_if_fail (self != NULL && call != NULL, FALSE);

  if (!(self->calls != NULL ? pd_dvm_calls_next (self, call) : read_call (self, call, error)))
    return FALSE;
  pd_dvm_times_give (&self->times, &self->call);
  return TRUE;
}

/* ---- construction and queries */

PdDvmReader *
pd_dvm_reader_new_from_input (PdInput *input, const char *name, PdMessages *messages,
                              GError **error)
{
  PdDvmReader *self = g_new0 (PdDvmReader, 1);

  self->name = g_strdup (name);
  self->messages = messages;
  self->input = input;
  self->strings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->last_file = "";
  self->normalised = TRUE;
  self->trailer.task_time = self->trailer.task_trace_time = -1;
  self->trailer.system_time = self->trailer.system_trace_time = -1;
  self->stack = g_ptr_array_new ();
  self->saved = g_byte_array_new ();
  pd_dvm_items_init (&self->items);
  if (pd_dvm_reader_read_head (self, error))
    return self;
  pd_dvm_reader_free (self);
  return NULL;
}

PdDvmReader *
pd_dvm_reader_new (const char *path, PdMessages *messages, GError **error)
{
  g_autoptr (GError) local = NULL;
  PdInput *input;

  g_return_val_if_fail (path != NULL, NULL);
  input = pd_input_new_from_file (path, &local);
  if (input == NULL)
    {
      g_set_error_literal (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN, local->message);
      return NULL;
    }
  return pd_dvm_reader_new_from_input (input, strcmp (path, "-") == 0 ? "stdin" : path, messages,
                                       error);
}

PdDvmReader *
pd_dvm_reader_new_from_bytes (GBytes *bytes, const char *name, PdMessages *messages, GError **error)
{
  g_return_val_if_fail (bytes != NULL && name != NULL, NULL);
  return pd_dvm_reader_new_from_input (pd_input_new_from_bytes (bytes), name, messages, error);
}

void
pd_dvm_reader_free (PdDvmReader *self)
{
  if (self == NULL)
    return;
  pd_dvm_items_clear (&self->items);
  g_free (self->int_pool);
  g_free (self->double_pool);
  g_clear_pointer (&self->saved, g_byte_array_unref);
  g_clear_pointer (&self->stack, g_ptr_array_unref);
  g_clear_error (&self->failure);
  g_clear_pointer (&self->strings, g_hash_table_unref);
  pd_dvm_calls_free (self->calls);
  pd_input_free (self->input);
  g_free (self->host);
  g_free (self->mps);
  g_free (self->name);
  g_free (self);
}

const PdDvmHeader *
pd_dvm_reader_get_header (const PdDvmReader *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->header;
}

const PdDvmTrailer *
pd_dvm_reader_get_trailer (const PdDvmReader *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->trailer;
}

PdPlace
pd_dvm_reader_get_place (const PdDvmReader *self)
{
  g_return_val_if_fail (self != NULL, PD_PLACE_NONE);
  return (PdPlace){
    self->name, (gint64) self->call.physical_line, self->call.name, (gint64) self->call.number, -1,
    FALSE
  };
}
