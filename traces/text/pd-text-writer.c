/* Programs as text.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-output.h"
#include "traces/text/pd-text-private.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-sharing.h"
#include "traces/text/pd-text-words-private.h"
#include "traces/text/pd-text-writer.h"

#include <string.h>

typedef struct
{
  const PdProgram *program;
  PdOutput *out;
} Writer;

/* ---- values */

/* Exact: as many decimals as it takes. */
static void
write_time (Writer *self, PdTime time)
{
  static const gint64 sizes[PD_TEXT_N_UNITS] = { PD_PS_PER_S, PD_PS_PER_MS, PD_PS_PER_US,
                                                 PD_PS_PER_NS, 1 };
  gint64 rest, power;
  gsize i = 0;

  while (i < PD_TEXT_N_UNITS - 1 && time.ps < sizes[i])
    i++;
  pd_output_int (self->out, time.ps / sizes[i]);
  rest = time.ps % sizes[i];
  if (rest > 0)
    pd_output_char (self->out, '.');
  for (power = sizes[i] / 10; rest > 0; power /= 10)
    {
      pd_output_char (self->out, (char) ('0' + rest / power));
      rest %= power;
    }
  pd_output_text (self->out, pd_text_units[i].name);
}

static void
write_amount (Writer *self, PdAmount amount)
{
  if (pd_program_get_unit (self->program) == PD_AMOUNT_TIME)
    write_time (self, amount.time);
  else
    pd_output_double (self->out, amount.flops);
}

static void
write_string (Writer *self, const char *text)
{
  pd_output_char (self->out, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      guint8 c = (guint8) *p;
      if (c == '"' || c == '\\')
        pd_output_char (self->out, '\\');
      if (c < 0x20 || c == 0x7f)
        pd_output_printf (self->out, "\\x%02x", c);
      else
        pd_output_char (self->out, *p);
    }
  pd_output_char (self->out, '"');
}

static void
write_peer (Writer *self, gint32 peer)
{
  if (peer == PD_PROGRAM_ANY)
    pd_output_text (self->out, "any");
  else if (peer == PD_PROGRAM_PROC_NULL)
    pd_output_text (self->out, "none");
  else
    pd_output_int (self->out, peer);
}

static void
write_key (Writer *self, const char *key)
{
  pd_output_char (self->out, ' ');
  pd_output_text (self->out, key);
  pd_output_char (self->out, '=');
}

static void
write_int_key (Writer *self, const char *key, gint64 value)
{
  write_key (self, key);
  pd_output_int (self->out, value);
}

static void
write_name_key (Writer *self, const char *key, guint32 name)
{
  if (name == PD_PROGRAM_NONE)
    return;
  write_key (self, key);
  write_string (self, pd_program_get_string (self->program, name));
}

static void
write_vector (Writer *self, const char *key, guint32 vector)
{
  guint32 n;
  const gint64 *values;

  if (vector == PD_PROGRAM_NONE)
    return;
  values = pd_program_get_counts (self->program, vector, &n);
  write_key (self, key);
  pd_output_char (self->out, '[');
  for (guint32 i = 0; i < n; i++)
    {
      if (i > 0)
        pd_output_char (self->out, ',');
      pd_output_int (self->out, values[i]);
    }
  pd_output_char (self->out, ']');
}

/* ---- actions */

static void
write_places (Writer *self, const PdAction *action, guint has)
{
  if ((has & PD_TEXT_NAME) != 0)
    {
      pd_output_char (self->out, ' ');
      write_string (self, pd_program_get_string (self->program, action->name));
    }
  if ((has & PD_TEXT_PEER) != 0)
    {
      pd_output_char (self->out, ' ');
      write_peer (self, action->peer);
    }
  if ((has & (PD_TEXT_INTERVAL | PD_TEXT_BYTES | PD_TEXT_LINE | PD_TEXT_HANDLE)) != 0
      && ((has & PD_TEXT_COLL) == 0 || action->bytes != 0))
    {
      pd_output_char (self->out, ' ');
      pd_output_int (self->out, (has & PD_TEXT_INTERVAL) != 0 ? action->interval
                                : (has & PD_TEXT_BYTES) != 0  ? action->bytes
                                : (has & PD_TEXT_LINE) != 0   ? action->line
                                                              : action->request);
    }
  if ((has & (PD_TEXT_AMOUNT | PD_TEXT_TIME)) != 0)
    {
      pd_output_char (self->out, ' ');
      if ((has & PD_TEXT_AMOUNT) != 0)
        write_amount (self, action->amount);
      else
        write_time (self, action->amount.time);
    }
  if ((has & PD_TEXT_NUMBER) != 0)
    {
      pd_output_char (self->out, ' ');
      pd_output_int (self->out, action->tag);
    }
  for (guint32 i = 0; (has & PD_TEXT_HANDLES) != 0 && i < action->n_slots; i++)
    {
      pd_output_char (self->out, ' ');
      pd_output_int (self->out, action->slots[i]);
    }
}

static void
write_outcome (Writer *self, const PdAction *action, guint has)
{
  if ((has & (PD_TEXT_WHICH | PD_TEXT_WHETHER)) == 0 || !action->has_done)
    return;
  write_key (self, "done");
  if ((has & PD_TEXT_WHETHER) != 0)
    pd_output_text (self->out, action->n_done > 0 ? "yes" : "no");
  else if (action->n_done == 0)
    pd_output_text (self->out, "none");
  for (guint32 i = 0; (has & PD_TEXT_WHICH) != 0 && i < action->n_done; i++)
    {
      if (i > 0)
        pd_output_char (self->out, ',');
      pd_output_int (self->out, action->done[i]);
    }
}

static void
write_collective (Writer *self, const PdAction *action)
{
  if (action->peer != 0)
    write_int_key (self, "root", action->peer);
  if (action->sent_bytes != 0)
    write_int_key (self, "sent", action->sent_bytes);
  if (action->recv_bytes != 0)
    write_int_key (self, "received", action->recv_bytes);
  write_vector (self, "send", action->send_counts);
  write_vector (self, "recv", action->recv_counts);
  write_vector (self, "sources", action->sources);
  write_vector (self, "targets", action->targets);
  if (action->amount.time.ps != 0)
    {
      write_key (self, "then");
      write_amount (self, action->amount);
    }
}

static void
write_envelope_keys (Writer *self, const PdAction *action, guint has)
{
  if ((has & PD_TEXT_TAG) != 0 && action->tag != 0)
    {
      write_key (self, "tag");
      write_peer (self, action->tag);
    }
  if ((has & PD_TEXT_MODE) != 0 && action->tag != 0)
    pd_output_text (self->out, " mode=exclusive");
  if ((has & PD_TEXT_LOCAL) != 0 && action->tag != 0)
    pd_output_text (self->out, " local=yes");
  if ((has & PD_TEXT_BACK) != 0 && action->recv_bytes != 0)
    write_int_key (self, "received", action->recv_bytes);
  if ((has & PD_TEXT_SOURCES) != 0)
    write_vector (self, "sources", action->sources);
  if ((has & PD_TEXT_TARGETS) != 0)
    write_vector (self, "targets", action->targets);
  if ((has & PD_TEXT_FROM) != 0)
    {
      write_key (self, "from");
      write_peer (self, action->recv_peer);
      if (action->recv_tag != 0)
        {
          write_key (self, "from-tag");
          write_peer (self, action->recv_tag);
        }
      write_int_key (self, "from-bytes", action->recv_bytes);
    }
  if ((has & PD_TEXT_MATCHED) != 0
      && (action->matched_peer != PD_PROGRAM_ANY || action->matched_tag != PD_PROGRAM_ANY))
    {
      write_key (self, "matched");
      write_peer (self, action->matched_peer);
      pd_output_char (self->out, ':');
      write_peer (self, action->matched_tag);
    }
}

static void
write_file (Writer *self, const PdAction *action)
{
  if (action->file == PD_PROGRAM_NONE)
    return;
  write_key (self, "file");
  write_string (self, pd_program_get_string (self->program, action->file));
  write_key (self, "io");
  pd_output_text (self->out, pd_text_file_ops[action->file_op]);
  if (action->file_bytes != 0)
    write_int_key (self, "bytes", action->file_bytes);
  if (action->file_collective)
    pd_output_text (self->out, " collective=yes");
}

static void
write_action (Writer *self, const PdAction *action)
{
  const PdTextAction *row = &pd_text_actions[action->kind];

  pd_output_text (self->out, "  ");
  if (action->kind == PD_ACT_ICOLLECTIVE)
    pd_output_char (self->out, 'i');
  pd_output_text (self->out, row->word != NULL ? row->word : pd_coll_name (action->op));
  write_places (self, action, row->has);
  write_envelope_keys (self, action, row->has);
  if ((row->has & PD_TEXT_COLL) != 0)
    write_collective (self, action);
  if ((row->has & PD_TEXT_COMM) != 0 && action->comm != 0)
    write_int_key (self, "comm", action->comm);
  if ((row->has & PD_TEXT_REQUEST) != 0)
    write_int_key (self, "request", action->request);
  write_outcome (self, action, row->has);
  if (action->recorded >= 0)
    {
      write_key (self, "took");
      write_time (self, PD_TIME (action->recorded));
    }
  if (action->site != PD_PROGRAM_NONE)
    write_int_key (self, "site", action->site);
  write_name_key (self, "called", action->called);
  write_file (self, action);
  pd_output_char (self->out, '\n');
}

/* ---- the parts of a file */

/* Members, with "FIRST-LAST" for three and more one behind the other. */
static void
write_comm (Writer *self, guint32 comm)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (self->program, comm, &n);

  pd_output_printf (self->out, "comm %u:", comm);
  for (guint32 i = 0, end; i < n; i = end)
    {
      for (end = i + 1; end < n && ranks[end] == ranks[end - 1] + 1; end++)
        ;
      if (end - i < 3)
        end = i + 1;
      pd_output_char (self->out, ' ');
      pd_output_int (self->out, ranks[i]);
      if (end > i + 1)
        pd_output_printf (self->out, "-%u", ranks[end - 1]);
    }
  pd_output_char (self->out, '\n');
}

static void
write_interval (Writer *self, guint32 i)
{
  const PdProgramInterval *interval = pd_program_get_interval (self->program, i);

  pd_output_printf (self->out, "interval %u: ", i);
  write_string (self, interval->name);
  if (interval->file[0] != '\0')
    {
      write_key (self, "file");
      write_string (self, interval->file);
    }
  if (interval->line != 0)
    write_int_key (self, "line", interval->line);
  if (interval->index != -1)
    write_int_key (self, "index", interval->index);
  pd_output_char (self->out, '\n');
}

static void
write_site (Writer *self, guint32 i)
{
  PdProgramSite site = pd_program_get_site (self->program, i);

  pd_output_printf (self->out, "site %u: ", i);
  write_string (self, site.file);
  pd_output_char (self->out, ' ');
  pd_output_int (self->out, site.line);
  if (site.function[0] != '\0')
    {
      pd_output_char (self->out, ' ');
      write_string (self, site.function);
    }
  if (site.parent != PD_PROGRAM_NONE)
    write_int_key (self, "from", site.parent);
  pd_output_char (self->out, '\n');
}

static void
write_moment (Writer *self, const char *word, PdTime time)
{
  pd_output_text (self->out, word);
  write_time (self, time);
  pd_output_char (self->out, '\n');
}

/* Whether anything is known. @usage: (nullable) */
static gboolean
is_usage (const PdRecordedUsage *usage)
{
  if (usage == NULL)
    return FALSE;
  gboolean is_known = usage->host != PD_PROGRAM_NONE || usage->processors != PD_PROGRAM_NONE;
  for (PdUsageField i = 0; i < PD_N_USAGES; i++)
    is_known |= pd_recorded_usage_get (usage, i) >= 0;
  return is_known;
}

static void
write_usage (Writer *self, const PdRecordedUsage *usage)
{
  pd_output_text (self->out, "  usage");
  write_name_key (self, "host", usage->host);
  write_name_key (self, "processors", usage->processors);
  for (PdUsageField i = 0; i < PD_N_USAGES; i++)
    {
      gint64 value = pd_recorded_usage_get (usage, i);
      if (value < 0)
        continue;
      write_key (self, pd_usage_field_name (i));
      if (pd_usage_field_is_time (i))
        write_time (self, PD_TIME (value));
      else
        pd_output_int (self->out, value);
    }
  pd_output_char (self->out, '\n');
}

static void
write_rank (Writer *self, guint32 rank)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;
  PdTime recorded = pd_program_get_recorded_end (self->program, rank);
  PdTime begin = pd_program_get_recorded_begin (self->program, rank);

  PdTime init = pd_program_get_recorded_init (self->program, rank);
  PdTime finalize = pd_program_get_recorded_finalize (self->program, rank);
  const PdRecordedUsage *usage = pd_program_get_recorded_usage (self->program, rank);

  if (pd_program_get_n_actions (self->program, rank) == 0 && pd_time_is_pending (recorded)
      && !is_usage (usage) && begin.ps + init.ps + finalize.ps == 0)
    return;
  pd_output_printf (self->out, "rank %u {\n", rank);
  if (is_usage (usage))
    write_usage (self, usage);
  if (begin.ps != 0)
    write_moment (self, "  begin ", begin);
  if (init.ps != 0)
    write_moment (self, "  init ", init);
  pd_action_reader_init (&reader, self->program);
  pd_action_reader_begin (&reader, rank);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    write_action (self, action);
  if (!pd_time_is_pending (recorded))
    write_moment (self, "  end ", recorded);
  if (finalize.ps != 0)
    write_moment (self, "  finalize ", finalize);
  pd_output_text (self->out, "}\n");
}

static void
write_program (const PdProgram *program, PdOutput *out)
{
  Writer writer = { program, out };

  pd_output_printf (out, PD_TEXT_MAGIC " 1\nranks %u\ncomputation %s\n",
                    pd_program_get_n_ranks (program),
                    pd_program_get_unit (program) == PD_AMOUNT_TIME ? "time" : "flops");
  for (PdCallCost kind = 0; kind < PD_N_CALL_COSTS; kind++)
    if (pd_program_get_call_cost (program, kind).ps > 0)
      {
        pd_output_printf (out, "cost %s ", pd_call_cost_name (kind));
        write_time (&writer, pd_program_get_call_cost (program, kind));
        pd_output_char (out, '\n');
      }
  if (pd_program_get_recorded_clock (program) != PD_CLOCK_UNKNOWN)
    pd_output_printf (out, "clock %s\n",
                      pd_recorded_clock_name (pd_program_get_recorded_clock (program)));
  for (guint32 i = 1; i < pd_program_get_n_comms (program); i++)
    write_comm (&writer, i);
  for (guint32 i = 0; i < pd_program_get_n_intervals (program); i++)
    write_interval (&writer, i);
  for (guint32 i = 0; i < pd_program_get_n_sites (program); i++)
    write_site (&writer, i);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    write_rank (&writer, rank);
}

GBytes *
pd_program_to_text (const PdProgram *program)
{
  PdOutput *out = pd_output_new_in_memory ();

  write_program (program, out);
  return pd_output_free_to_bytes (out);
}

gboolean
pd_trace_text_write (const PdMpTrace *trace, const char *path, const PdTraceWriteOptions *options,
                     PdMessages *messages, GError **error)
{
  g_autoptr (PdOutput) out = NULL;

  (void) options;
  (void) messages;
  if (trace->program == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                   "the text form has no dependency graphs; write them as GOAL");
      return FALSE;
    }
  out = pd_output_new (path, error);
  if (out == NULL)
    return FALSE;
  write_program (trace->program, out);
  return pd_output_close (out, error);
}
