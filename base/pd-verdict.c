/* SPDX-License-Identifier: MIT */
#include "base/pd-verdict.h"

/* Notes never harm, whatever their identifier. */
static const struct
{
  const char *id;
  PdVerdict verdict;
} verdicts[] = {
  { "trace-incomplete", PD_VERDICT_INCOMPLETE }, { "recording-truncated", PD_VERDICT_INCOMPLETE },
  { "gzip-truncated", PD_VERDICT_INCOMPLETE },   { "zstd-truncated", PD_VERDICT_INCOMPLETE },
  { "gzip-damaged", PD_VERDICT_DOUBTFUL },       { "zstd-damaged", PD_VERDICT_DOUBTFUL },
  { "gzip-garbage", PD_VERDICT_DOUBTFUL },       { "zstd-garbage", PD_VERDICT_DOUBTFUL },
  { "unreadable", PD_VERDICT_DOUBTFUL },         { "unmatched-record", PD_VERDICT_DOUBTFUL },
  { "bad-time", PD_VERDICT_DOUBTFUL },           { "bad-value", PD_VERDICT_DOUBTFUL },
  { "unknown-reference", PD_VERDICT_DOUBTFUL },  { "time-sum", PD_VERDICT_DOUBTFUL },
  { "place-differs", PD_VERDICT_DOUBTFUL },      { "archive-mixed", PD_VERDICT_DOUBTFUL },
  { "clock-mismatch", PD_VERDICT_DOUBTFUL },     { "second-trace", PD_VERDICT_DOUBTFUL },
  { "after-finalize", PD_VERDICT_DOUBTFUL },     { "alike-mismatch", PD_VERDICT_DOUBTFUL },
  { "ti-foreign-line", PD_VERDICT_DOUBTFUL },    { "counts-mismatch", PD_VERDICT_MISFIT },
  { "unmatched-send", PD_VERDICT_MISFIT },       { "unmatched-receive", PD_VERDICT_MISFIT },
  { "message-truncated", PD_VERDICT_MISFIT },    { "collective-mismatch", PD_VERDICT_MISFIT },
  { "collective-missing", PD_VERDICT_MISFIT },   { "not-a-member", PD_VERDICT_MISFIT },
  { "request-unknown", PD_VERDICT_MISFIT },      { "request-reused", PD_VERDICT_MISFIT },
  { "epoch-mismatch", PD_VERDICT_MISFIT },       { "graph-cycle", PD_VERDICT_MISFIT },
  { "graph-unreachable", PD_VERDICT_MISFIT },    { "graph-unmatched", PD_VERDICT_MISFIT },
  { "graph-truncated", PD_VERDICT_MISFIT },      { "threads-concurrent", PD_VERDICT_APPROXIMATE },
};

static gboolean
was_warned (const PdMessages *self, const char *id)
{
  for (guint i = 0; i < pd_messages_get_n (self); i++)
    {
      const PdMessage *message = pd_messages_get (self, i);
      if (message->severity == PD_SEVERITY_WARNING && g_str_equal (message->id, id))
        return TRUE;
    }
  return FALSE;
}

PdVerdict
pd_messages_judge (const PdMessages *self, gboolean incomplete)
{
  gboolean was_met[PD_VERDICT_MISFIT + 1] = { [PD_VERDICT_INCOMPLETE] = incomplete };

  for (gsize i = 0; self != NULL && i < G_N_ELEMENTS (verdicts); i++)
    was_met[verdicts[i].verdict] |= was_warned (self, verdicts[i].id);
  if (was_met[PD_VERDICT_MISFIT] && !was_met[PD_VERDICT_INCOMPLETE]
      && !was_met[PD_VERDICT_APPROXIMATE])
    return PD_VERDICT_MISFIT;
  if (was_met[PD_VERDICT_DOUBTFUL])
    return PD_VERDICT_DOUBTFUL;
  if (was_met[PD_VERDICT_INCOMPLETE])
    return PD_VERDICT_INCOMPLETE;
  return was_met[PD_VERDICT_APPROXIMATE] ? PD_VERDICT_APPROXIMATE : PD_VERDICT_FINE;
}

char *
pd_verdict_describe_part (gdouble share)
{
  gdouble percent = CLAMP (share, 0, 1) * 100;

  if (share <= 0)
    return g_strdup ("a part of the run, of unknown share");
  if (percent < 1)
    return g_strdup_printf ("the first %.2g %% of the run", percent);
  if (percent > 99)
    return g_strdup_printf ("the first %.1f %% of the run", MIN (percent, 99.9));
  return g_strdup_printf ("the first %.0f %% of the run", percent);
}

char *
pd_verdict_explain (PdVerdict verdict, gdouble share, const PdMessages *messages)
{
  static const char *const texts[] = {
    [PD_VERDICT_FINE] = "the trace is fine",
    [PD_VERDICT_APPROXIMATE] = "times are approximate",
    [PD_VERDICT_INCOMPLETE] = "the trace ends early",
    [PD_VERDICT_DOUBTFUL] = "the trace is damaged or contradicts itself",
    [PD_VERDICT_MISFIT] = "the calls of its ranks are inconsistent",
  };
  GString *text = g_string_new (texts[verdict]);
  const char *separator = " (";

  if (verdict == PD_VERDICT_INCOMPLETE && share > 0)
    {
      g_autofree char *part = pd_verdict_describe_part (share);
      g_string_append_printf (text, ": it has %s", part);
    }

  for (gsize i = 0; messages != NULL && i < G_N_ELEMENTS (verdicts); i++)
    if (verdicts[i].verdict == verdict && was_warned (messages, verdicts[i].id))
      {
        g_string_append_printf (text, "%s%s", separator, verdicts[i].id);
        separator = ", ";
      }
  if (separator[0] == ',')
    g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}
