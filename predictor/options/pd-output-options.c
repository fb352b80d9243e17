/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-output-options.h"

#include "predictor/options/cmd-tools.h"
#include "reports/page/pd-page-report.h"
#include "reports/run/pd-report-csv.h"
#include "reports/run/pd-report-db.h"
#include "reports/run/pd-report-json.h"
#include "reports/run/pd-report-xml.h"

#include <string.h>

/* The forms that are always complete. */
static void (*const documents[PD_N_DOCUMENTS]) (const PdReport *report, GString *out) = {
  [PD_OUTPUT_XML] = pd_report_write_xml,
  [PD_OUTPUT_CSV] = pd_report_write_csv,
  [PD_OUTPUT_HTML] = pd_report_write_html,
};

void
pd_output_options_fill (PdOutputOptions *self, GOptionEntry *entries)
{
  const GOptionEntry table[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self->files[PD_OUTPUT_TEXT],
      "Write the text report there (default: standard output)", "FILE" },
    { "xml", 0, 0, G_OPTION_ARG_FILENAME, &self->files[PD_OUTPUT_XML],
      "Write an XML report (default: none)", "FILE" },
    { "db", 0, 0, G_OPTION_ARG_FILENAME, &self->files[PD_OUTPUT_DB],
      "Append the results to an SQLite file (default: none)", "FILE" },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &self->files[PD_OUTPUT_CSV],
      "Write a CSV table (default: none)", "FILE" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &self->files[PD_OUTPUT_HTML],
      "Write a page (default: none)", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->json,
      "Print one JSON document instead of text (default: off)", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->quiet, "No text report (default: off)", NULL },
    { .long_name = NULL },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (table) == PD_N_OUTPUT_OPTIONS + 1);
  memcpy (entries, table, sizeof table);
}

gboolean
pd_output_options_check (PdOutputOptions *self, const char *const *inputs, const char *log,
                         GError **error)
{
  const char *const *files = (const char *const *) self->files;
  const char *written[PD_N_OUTPUTS + 3];
  g_autofree char *second =
      self->sensitivity ? pd_cmd_second_path (files[PD_OUTPUT_CSV], "sensitivity") : NULL;
  g_autofree char *third =
      self->what_if ? pd_cmd_second_path (files[PD_OUTPUT_CSV], "what-if") : NULL;

  memcpy (written, files, sizeof self->files);
  written[PD_N_OUTPUTS] = log;
  written[PD_N_OUTPUTS + 1] = second;
  written[PD_N_OUTPUTS + 2] = third;
  return pd_cmd_check_files (inputs, written, G_N_ELEMENTS (written), error)
         && pd_cmd_check_stdout (files, PD_N_DOCUMENTS, self->json, files[PD_OUTPUT_DB],
                                 &self->quiet, error);
}

static gboolean
write_documents (const PdOutputOptions *self, const PdReport *report, GError **error)
{
  for (guint i = 0; i < PD_N_DOCUMENTS; i++)
    {
      g_autoptr (GString) out = g_string_new (NULL), second = g_string_new (NULL);
      g_autoptr (GString) third = g_string_new (NULL);
      if (self->files[i] == NULL)
        continue;
      documents[i](report, out);
      if (i == PD_OUTPUT_CSV)
        {
          pd_report_write_sensitivity_csv (report, second);
          pd_report_write_what_if_csv (report, third);
        }
      if (!pd_cmd_save_second_csv (self->files[i], "what-if", out, third, error)
          || !pd_cmd_save_csv (self->files[i], out, second, error))
        return FALSE;
    }
  return self->files[PD_OUTPUT_DB] == NULL
         || pd_report_write_db (report, self->files[PD_OUTPUT_DB], error);
}

gboolean
pd_output_options_write (const PdOutputOptions *self, const PdReport *report,
                         PdWriteText write_text, gconstpointer data, GError **error)
{
  const char *path = self->files[PD_OUTPUT_TEXT];
  g_autoptr (GString) text = g_string_new (NULL), json = g_string_new (NULL);

  if (!write_documents (self, report, error))
    return FALSE;
  if (path != NULL || (!self->json && !self->quiet))
    write_text (report, data, path != NULL ? 0 : pd_cmd_terminal_width (), text);
  if (path != NULL && !pd_report_save (path, text, error))
    return FALSE;
  if (self->json)
    {
      pd_report_write_json (report, json);
      return pd_report_save ("-", json, error);
    }
  return path != NULL || self->quiet || pd_report_save ("-", text, error);
}

void
pd_output_options_clear (PdOutputOptions *self)
{
  for (guint i = 0; i < PD_N_OUTPUTS; i++)
    g_clear_pointer (&self->files[i], g_free);
}
