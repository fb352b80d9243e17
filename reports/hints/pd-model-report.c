/* SPDX-License-Identifier: MIT */
#include "reports/hints/pd-model-report.h"

#include "reports/emit/pd-format.h"

#include <math.h>
#include <string.h>

#define BRIEF_TIMES 12 /* rows of times, without -v */

#define ELEMENTS (PD_IN_XML | PD_IN_JSON)

/* ---- life */

static void
clear_recording (gpointer data)
{
  g_free (((PdModelRecording *) data)->name);
}

static void
clear_approximation (gpointer data)
{
  g_free (((PdModelApproximation *) data)->call);
}

static void
clear_time (gpointer data)
{
  g_free (((PdModelTime *) data)->name);
}

static void
clear_place (gpointer data)
{
  PdModelPlace *place = data;

  g_free (place->times);
  g_free (place->site);
  g_free (place->formula);
  g_array_unref (place->rules);
}

static GArray *
new_rows (guint size, GDestroyNotify clear)
{
  GArray *rows = g_array_new (FALSE, FALSE, size);

  g_array_set_clear_func (rows, clear);
  return rows;
}

PdModelReport *
pd_model_report_new (void)
{
  PdModelReport *self = g_new0 (PdModelReport, 1);

  self->recordings = new_rows (sizeof (PdModelRecording), clear_recording);
  self->approximations = new_rows (sizeof (PdModelApproximation), clear_approximation);
  self->approximated_calls = self->approximated_bytes = self->drawn_bytes = NAN;
  self->checks = new_rows (sizeof (PdModelCheck), NULL);
  self->times = new_rows (sizeof (PdModelTime), clear_time);
  self->places = new_rows (sizeof (PdModelPlace), clear_place);
  return self;
}

void
pd_model_report_free (PdModelReport *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->recordings);
  g_array_unref (self->approximations);
  g_array_unref (self->checks);
  g_array_unref (self->times);
  g_array_unref (self->places);
  g_free (self->validated_machine);
  g_free (self);
}

/* ---- rows */

#define OF(type, field) .offset = G_STRUCT_OFFSET (type, field)

static const PdField model_fields[] = {
  { "arrangement", PD_FIELD_TEXT, OF (PdModelReport, arrangement) },
  { "classes", PD_FIELD_TEXT, OF (PdModelReport, classes) },
  { "unit", PD_FIELD_KIND, OF (PdModelReport, unit) },
  { "validated_on", PD_FIELD_NUMBER, OF (PdModelReport, n_validated) },
  { "validated_machine", PD_FIELD_TEXT, OF (PdModelReport, validated_machine) },
  { "time_error", PD_FIELD_REAL, OF (PdModelReport, time_error) },
  { "approximated_calls", PD_FIELD_REAL, OF (PdModelReport, approximated_calls) },
  { "approximated_bytes", PD_FIELD_REAL, OF (PdModelReport, approximated_bytes) },
  { "drawn_bytes", PD_FIELD_REAL, OF (PdModelReport, drawn_bytes) },
  PD_FIELDS_END,
};
static const PdRecord models =
    PD_RECORD (.element = "model", .list = "model", .single = TRUE, .fields = model_fields);

static const PdField recording_fields[] = {
  { "name", PD_FIELD_TEXT, OF (PdModelRecording, name) },
  { "processors", PD_FIELD_NUMBER, OF (PdModelRecording, n_processors) },
  { "recorded_time", PD_FIELD_REAL, OF (PdModelRecording, seconds) },
  PD_FIELDS_END,
};
static const PdRecord recordings =
    PD_RECORD (.element = "recording", .list = "recordings", .fields = recording_fields);

static const PdField approximation_fields[] = {
  { "call", PD_FIELD_TEXT, OF (PdModelApproximation, call) },
  { "number", PD_FIELD_TEXT, OF (PdModelApproximation, number) },
  { "how", PD_FIELD_KIND, OF (PdModelApproximation, how) },
  { "calls", PD_FIELD_COUNT, OF (PdModelApproximation, calls) },
  { "bytes", PD_FIELD_COUNT, OF (PdModelApproximation, bytes) },
  { "share", PD_FIELD_REAL, OF (PdModelApproximation, share) },
  PD_FIELDS_END,
};
static const PdRecord approximations =
    PD_RECORD (.element = "approximated", .list = "approximated", .fields = approximation_fields);

static const PdField check_fields[] = {
  { "what", PD_FIELD_KIND, OF (PdModelCheck, what) },
  { "recorded", PD_FIELD_COUNT, OF (PdModelCheck, recorded) },
  { "reproduced", PD_FIELD_COUNT, OF (PdModelCheck, reproduced) },
  { "share", PD_FIELD_REAL, OF (PdModelCheck, share) },
  PD_FIELDS_END,
};
static const PdRecord checks =
    PD_RECORD (.element = "reproduced", .list = "reproduced", .fields = check_fields);

static const PdField time_fields[] = {
  { "name", PD_FIELD_TEXT, OF (PdModelTime, name) },
  { "depth", PD_FIELD_NUMBER, OF (PdModelTime, depth) },
  { "recorded", PD_FIELD_REAL, OF (PdModelTime, recorded) },
  { "synthesized", PD_FIELD_REAL, OF (PdModelTime, synthesized) },
  { "error", PD_FIELD_REAL, OF (PdModelTime, error) },
  PD_FIELDS_END,
};
static const PdRecord times =
    PD_RECORD (.element = "validated_time", .list = "validated_times", .fields = time_fields);

static const PdField place_fields[] = {
  { "class", PD_FIELD_NUMBER, OF (PdModelPlace, class) },
  { "class_ranks", PD_FIELD_NUMBER, OF (PdModelPlace, n_ranks) },
  { "depth", PD_FIELD_NUMBER, OF (PdModelPlace, depth) },
  { "call", PD_FIELD_TEXT, OF (PdModelPlace, call) },
  { "site", PD_FIELD_TEXT, OF (PdModelPlace, site) },
  { "times", PD_FIELD_LABEL, OF (PdModelPlace, times) },
  { "formula", PD_FIELD_LABEL, OF (PdModelPlace, formula) },
  { "c0", PD_FIELD_REAL, OF (PdModelPlace, c0) },
  { "c1", PD_FIELD_REAL, OF (PdModelPlace, c1) },
  { "power", PD_FIELD_REAL, OF (PdModelPlace, power) },
  { "logs", PD_FIELD_REAL, OF (PdModelPlace, logs) },
  { "error", PD_FIELD_REAL, OF (PdModelPlace, error) },
  { "share", PD_FIELD_REAL, OF (PdModelPlace, share) },
  PD_FIELDS_END,
};
static const PdRecord places =
    PD_RECORD (.element = "place", .list = "places", .fields = place_fields);

static const PdField rule_fields[] = {
  { "number", PD_FIELD_KIND, OF (PdModelRule, number) },
  { "how", PD_FIELD_KIND, OF (PdModelRule, how) },
  { "words", PD_FIELD_TEXT, OF (PdModelRule, words) },
  PD_FIELDS_END,
};
static const PdRecord rules = PD_RECORD (.element = "rule", .list = "rules", .fields = rule_fields);

static void
emit_places (PdEmit *to, const PdModelReport *self)
{
  pd_emit_open_list (to, &places);
  for (guint i = 0; i < self->places->len; i++)
    {
      const PdModelPlace *place = &g_array_index (self->places, PdModelPlace, i);
      pd_emit_open (to, &places, place);
      pd_emit_rows (to, &rules, place->rules);
      pd_emit_close (to, &places);
    }
  pd_emit_close_list (to);
}

void
pd_emit_model (PdEmit *to, const PdModelReport *self)
{
  if (self == NULL)
    return;
  pd_emit_open (to, &models, self);
  pd_emit_rows (to, &recordings, self->recordings);
  if (self->approximations->len > 0)
    pd_emit_rows (to, &approximations, self->approximations);
  pd_emit_rows (to, &checks, self->checks);
  pd_emit_rows (to, &times, self->times);
  if (self->with_places)
    emit_places (to, self);
  pd_emit_close (to, &models);
}

/* ---- tables */

char *
pd_model_report_describe_validation (const PdModelReport *self)
{
  gboolean is_ideal = strcmp (self->validated_machine, "ideal") == 0;

  return g_strdup_printf ("The recording on %u ranks, as the smaller recordings give it; times on "
                          "%s.",
                          self->n_validated,
                          is_ideal ? "a machine whose network costs nothing"
                                   : self->validated_machine);
}

char *
pd_model_report_describe_approximations (const PdModelReport *self)
{
  if (isnan (self->approximated_calls))
    return NULL;
  return g_strdup_printf (
      "No rule explains %.1f %% of the recorded calls and %.1f %% of the bytes: "
      "nearest, a rule that gives most of their numbers; drawn, from recorded "
      "sizes, %.1f %% of all bytes.",
      100 * self->approximated_calls, 100 * self->approximated_bytes, 100 * self->drawn_bytes);
}

void
pd_model_report_add_approximations (const PdModelReport *self, PdColumns *to)
{
  static const PdColumn columns[] = {
    { "<Approximated", "<Approximated" },
    { "<Number", "<Number" },
    { "<How", "<How" },
    { "Calls%", "Calls, %" },
    { "Bytes", "Bytes" },
  };

  for (guint i = 0; i < self->approximations->len; i++)
    {
      const PdModelApproximation *one =
          &g_array_index (self->approximations, PdModelApproximation, i);
      pd_columns_begin (to, PD_COLUMNS (columns));
      pd_columns_add_label (to, one->call, 0);
      pd_columns_add_text (to, one->number);
      pd_columns_add_text (to, one->how);
      pd_columns_add_fixed (to, 100 * one->share, 1);
      pd_columns_add_count (to, one->bytes);
    }
  pd_columns_end (to);
}

void
pd_model_report_add_checks (const PdModelReport *self, PdColumns *to)
{
  static const PdColumn columns[] = {
    { "<Validation", "<Validation" },
    { "Recorded", "Recorded" },
    { "Reproduced", "Reproduced exactly" },
    { "Share%", "Share, %" },
  };

  for (guint i = 0; i < self->checks->len; i++)
    {
      const PdModelCheck *check = &g_array_index (self->checks, PdModelCheck, i);
      pd_columns_begin (to, PD_COLUMNS (columns));
      pd_columns_add_label (to, check->what, 0);
      pd_columns_add_count (to, check->recorded);
      pd_columns_add_count (to, check->reproduced);
      pd_columns_add_fixed (to, 100 * check->share, 1);
    }
  pd_columns_end (to);
}

void
pd_model_report_add_times (const PdModelReport *self, guint most, PdColumns *to)
{
  static const PdColumn columns[] = {
    { "<Time", "<Time" },
    { "Recorded s", "Recorded, s" },
    { "Synthesized s", "Synthesized, s" },
    { "Error%", "Error, %" },
  };

  for (guint i = 0; i < MIN (most, self->times->len); i++)
    {
      const PdModelTime *time = &g_array_index (self->times, PdModelTime, i);
      int decimals = pd_report_decimals (g_array_index (self->times, PdModelTime, 0).recorded);
      pd_columns_begin (to, PD_COLUMNS (columns));
      pd_columns_add_label (to, time->name, time->depth);
      pd_columns_add_fixed (to, time->recorded, decimals);
      pd_columns_add_fixed (to, time->synthesized, decimals);
      pd_columns_add_fixed (to, 100 * time->error, 1);
    }
  pd_columns_end (to);
}

static char *
join_rules (const PdModelPlace *place)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < place->rules->len; i++)
    {
      const PdModelRule *rule = &g_array_index (place->rules, PdModelRule, i);
      g_string_append_printf (text, "%s%s: %s", i > 0 ? "; " : "", rule->number, rule->words);
    }
  return g_string_free (text, FALSE);
}

void
pd_model_report_add_places (const PdModelReport *self, guint32 class, PdColumns *to)
{
  static const PdColumn columns[] = {
    { NULL, "<Call" },        { NULL, "<Repeated" }, { NULL, "<Rules" },
    { NULL, "<Computation" }, { NULL, "Error, %" },  { NULL, "Share, %" },
  };

  for (guint i = 0; i < self->places->len; i++)
    {
      const PdModelPlace *place = &g_array_index (self->places, PdModelPlace, i);
      g_autofree char *words = join_rules (place);
      g_autofree char *label =
          g_strconcat (place->call, *place->site != '\0' ? " at " : "", place->site, NULL);
      if (place->class != class)
        continue;
      pd_columns_begin (to, PD_COLUMNS (columns));
      pd_columns_add_label (to, label, place->depth);
      pd_columns_add_text (to, place->times != NULL ? place->times : "");
      pd_columns_add_text (to, words);
      pd_columns_add_text (to, place->formula != NULL ? place->formula : "");
      pd_columns_add_fixed (to, 100 * place->error, 1);
      pd_columns_add_fixed (to, place->formula != NULL ? 100 * place->share : NAN, 1);
    }
  pd_columns_end (to);
}

void
pd_model_report_write (const PdModelReport *self, gboolean verbose, guint width, GString *out)
{
  guint most = verbose ? self->times->len : BRIEF_TIMES;
  PdColumns to = { .out = out, .width = width };

  g_autofree char *near = pd_model_report_describe_approximations (self);
  if (near != NULL)
    {
      pd_model_report_add_approximations (self, &to);
      pd_report_append_wrapped (out, near, "", width);
      g_string_append_c (out, '\n');
    }
  if (self->n_validated == 0)
    return;
  g_autofree char *about = pd_model_report_describe_validation (self);
  pd_model_report_add_checks (self, &to);
  g_string_append_c (out, '\n');
  pd_model_report_add_times (self, most, &to);
  if (self->times->len > most)
    g_string_append_printf (out, "%u more intervals with -v\n", self->times->len - most);
  pd_report_append_wrapped (out, about, "", width);
  g_string_append_c (out, '\n');
}
