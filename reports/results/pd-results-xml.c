/* Reading XML reports again: what a comparison needs of them.
 * SPDX-License-Identifier: MIT */
#include "reports/results/pd-results-read.h"
#include "intervals/pd-interval-rows.h"
#include "reports/results/pd-results-xml.h"
#include "reports/run/pd-report-rows.h"
#include "base/pd-file.h"
#include "base/pd-number.h"
#include "base/pd-xml-scan.h"
#include "base/pd-xml.h"

#include <string.h>

#define MOST_DIGITS 15 /* of whole seconds */
#define DECIMALS    12

G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlDoc, xmlFreeDoc)

/* The error, for the message; NULL = none. */
typedef const char *Wrong;

/* ---- attributes */

static gboolean
is_element (const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && strcmp ((const char *) node->name, name) == 0;
}

/* Returns: (transfer full): the value of an attribute, %NULL if it is absent. */
static char *
get (const xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetNoNsProp (node, (const xmlChar *) name);
  char *copy = g_strdup ((const char *) value);

  xmlFree (value);
  return copy;
}

static gboolean
get_integer (const xmlNode *node, const char *name, gint64 least, gint64 most, gint64 *value)
{
  g_autofree char *text = get (node, name);

  return text != NULL && g_ascii_string_to_signed (text, 10, least, most, value, NULL);
}

/* Seconds with 12 decimals, exactly. */
static gboolean
get_seconds (const xmlNode *node, const char *name, PdTimeSum *sum)
{
  g_autofree char *text = get (node, name);
  const char *point = text != NULL ? strchr (text, '.') : NULL;
  PdWide ps = 0;

  if (point == NULL || point == text || point - text > MOST_DIGITS
      || strlen (point + 1) != DECIMALS)
    return FALSE;
  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_isdigit (*p))
      ps = ps * 10 + g_ascii_digit_value (*p);
    else if (p != point)
      return FALSE;
  sum->ps = ps;
  return TRUE;
}

/* ---- intervals */

static Wrong
read_characteristic (const xmlNode *node, PdIntervalResult *r, guint64 *seen)
{
  g_autofree char *id = get (node, "id");

  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      if (g_strcmp0 (id, pd_characteristic_row (c)->id) != 0)
        continue;
      *seen |= G_GUINT64_CONSTANT (1) << c;
      return get_seconds (node, "sum", &r->values[c].sum) ? NULL : "the sum of a characteristic";
    }
  return NULL; /* of a later program */
}

/* Of an operation, @node, one kind of which an interval has. */
static Wrong
read_operation (const xmlNode *node, PdIntervalResult *r)
{
  g_autofree char *kind = get (node, "kind");
  guint k = 0;

  while (k < PD_N_OPERATIONS && g_strcmp0 (kind, pd_operation_row (k)->id) != 0)
    k++;
  if (k == PD_N_OPERATIONS)
    return NULL; /* of a later program */
  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    if (!get_seconds (node, pd_characteristic_row (pd_operation_characteristic (t))->id,
                      &r->operations[k][t]))
      return "the times of an operation";
  return NULL;
}

/* Programs of some kinds lack some counters. */
static Wrong
read_counts (const xmlNode *node, PdIntervalResult *r)
{
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    {
      const char *name = pd_counter_row (PD_N_TIMES + q)->id;
      gint64 count = 0;
      if (xmlHasProp (node, (const xmlChar *) name) != NULL
          && !get_integer (node, name, 0, G_MAXINT64, &count))
        return "a count of an interval";
      r->counts[q] = (guint64) count;
    }
  return NULL;
}

static Wrong
read_parts (const xmlNode *node, PdIntervalResult *r, guint64 *seen)
{
  Wrong wrong = read_counts (node, r);

  for (const xmlNode *c = node->children; c != NULL && wrong == NULL; c = c->next)
    if (is_element (c, "characteristic"))
      wrong = read_characteristic (c, r, seen);
    else if (is_element (c, "operation"))
      wrong = read_operation (c, r);
  return wrong;
}

static gboolean
get_type (const xmlNode *node, PdIntervalType *type)
{
  g_autofree char *text = get (node, "type");

  for (*type = PD_INTERVAL_MAIN; *type <= PD_INTERVAL_USER; (*type)++)
    if (g_strcmp0 (text, pd_interval_type_name (*type)) == 0)
      return TRUE;
  return FALSE;
}

static const char *
keep (PdReportRun *run, const xmlNode *node, const char *name)
{
  g_autofree char *text = get (node, name);

  return g_string_chunk_insert_const (run->names, text != NULL ? text : "");
}

/* Of result files: characteristics that came later may be absent. */
#define VERSION_1_0 6

static gboolean
is_late (PdCharacteristic c, PdIntervalModel model)
{
  return pd_report_characteristic_version (c) > VERSION_1_0
         || (model == PD_MODEL_DVM && (c == PD_C_REAL_SYNC || c == PD_C_TIME_VARIATION));
}

static Wrong
read_interval (PdReportRun *run, const xmlNode *node, guint32 parent)
{
  PdIntervalResult r = { .node = run->results->len, .parent = parent };
  guint64 seen = 0;
  gint64 processors;

  if (!get_type (node, &r.type) || !get_integer (node, "line", G_MININT64, G_MAXINT64, &r.line)
      || !get_integer (node, "processors", 0, G_MAXUINT32, &processors)
      || !get_seconds (node, "total_time", &r.total_time))
    return "the attributes of an interval";
  if (!get_integer (node, "index", G_MININT64, G_MAXINT64, &r.index))
    r.index = PD_INTERVAL_NO_INDEX;
  if (run->results->len > 0)
    r.depth = g_array_index (run->results, PdIntervalResult, parent).depth + 1;
  r.n_processors = (guint32) processors;
  r.file = keep (run, node, "file");
  r.name = keep (run, node, "name");
  Wrong wrong = read_parts (node, &r, &seen);
  if (r.node == 0)
    run->model = seen >> PD_C_SENDRECV_TIME & 1 ? PD_MODEL_MPI : PD_MODEL_DVM;
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS && wrong == NULL; c++)
    if (pd_characteristic_applies (c, run->model) && !(seen >> c & 1) && !is_late (c, run->model))
      wrong = "all characteristics of an interval";
  if (r.total_time.ps > 0)
    r.efficiency = (gdouble) r.values[PD_C_PRODUCTIVE_TIME].sum.ps / (gdouble) r.total_time.ps;
  g_array_append_val (run->results, r);
  return wrong;
}

static const xmlNode *
find_interval (const xmlNode *node)
{
  while (node != NULL && !is_element (node, "interval"))
    node = node->next;
  return node;
}

/* In preorder, without recursion. */
static Wrong
read_intervals (PdReportRun *run, const xmlNode *element)
{
  const xmlNode *node = find_interval (element->children);
  guint32 parent = 0;
  Wrong wrong = node == NULL ? "an interval in each run" : NULL;

  while (node != NULL && wrong == NULL)
    {
      guint32 own = run->results->len;
      wrong = read_interval (run, node, parent);
      const xmlNode *next = find_interval (node->children);
      if (next != NULL)
        parent = own;
      while (next == NULL && node->parent != element)
        {
          next = find_interval (node->next);
          if (next != NULL)
            break;
          node = node->parent;
          parent = g_array_index (run->results, PdIntervalResult, parent).parent;
        }
      node = next;
    }
  return wrong;
}

/* ---- messages */

/* Those among the children of @element. */
static void
read_messages (const xmlNode *element, PdMessages *messages)
{
  for (const xmlNode *node = element->children; node != NULL; node = node->next)
    {
      gboolean is_warning = is_element (node, "warning");
      if (!is_warning && !is_element (node, "note"))
        continue;
      g_autofree char *id = get (node, "id"), *subject = get (node, "subject");
      g_autofree char *place = get (node, "place");
      xmlChar *text = xmlNodeGetContent (node);
      gint64 count;
      const PdMessage message = { .severity = is_warning ? PD_SEVERITY_WARNING : PD_SEVERITY_NOTE,
                                  .id = id != NULL ? id : (char *) "",
                                  .subject = subject != NULL ? subject : (char *) "",
                                  .text = text != NULL ? (char *) text : (char *) "",
                                  .place = place != NULL ? place : (char *) "",
                                  .count = get_integer (node, "count", 1, G_MAXINT64, &count)
                                               ? (guint64) count
                                               : 1 };
      pd_messages_add_message (messages, &message);
      xmlFree (text);
    }
}

/* ---- runs */

static Wrong
read_run (const xmlNode *element, PdStoredRun *stored)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);
  g_autofree char *incomplete = get (element, "incomplete");
  g_autofree char *share = get (element, "recorded_share");
  gint64 processors;

  stored->run = run;
  run->names = g_string_chunk_new (256);
  run->results = g_array_new (FALSE, TRUE, sizeof (PdIntervalResult));
  run->messages = pd_messages_new ();
  run->grid = get (element, "grid");
  run->incomplete = g_strcmp0 (incomplete, "true") == 0;
  if (run->incomplete && share != NULL && pd_number_parse_real (share, &run->recorded_share)
      && !(run->recorded_share > 0 && run->recorded_share < 1))
    run->recorded_share = 0;
  if (!get_integer (element, "processors", 1, G_MAXUINT32, &processors))
    return "the attributes of a run";
  run->n_processors = (guint32) processors;
  read_messages (element, run->messages);
  return read_intervals (run, element);
}

/* Returns: (nullable): run number @id, or the last one. */
static const xmlNode *
find_run (const xmlNode *report, gint64 id, PdStoredRun *stored)
{
  const xmlNode *found = NULL;

  for (const xmlNode *node = report->children; node != NULL; node = node->next)
    {
      if (is_element (node, "machine"))
        {
          g_free (stored->machine);
          stored->machine = get (node, "name");
        }
      if (!is_element (node, "run") || (id != 0 && stored->id == id))
        continue;
      stored->id++;
      found = node;
    }
  return id == 0 || stored->id == id ? found : NULL;
}

static xmlDoc *
parse (GBytes *bytes)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  gint64 line;

  if (size == 0 || size > G_MAXINT || !pd_xml_scan_attributes (text, size, &line))
    return NULL;
  return xmlReadMemory (text, (int) size, NULL, NULL,
                        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
}

gboolean
pd_results_parse_xml (GBytes *bytes, const char *name, gint64 id, PdStoredRun *stored,
                      GError **error)
{
  g_return_val_if_fail (bytes != NULL && stored != NULL, FALSE);
  if (!pd_xml_load (error))
    return FALSE;

  g_autoptr (xmlDoc) doc = parse (bytes);
  const xmlNode *report = doc != NULL ? xmlDocGetRootElement (doc) : NULL;
  g_auto (PdStoredRun) found = { 0 };
  Wrong wrong = "an XML report";
  const xmlNode *run = NULL;

  if (report != NULL && is_element (report, "report"))
    {
      run = find_run (report, id, &found);
      found.inputs = pd_messages_new ();
      read_messages (report, found.inputs);
      wrong = run != NULL ? read_run (run, &found) : id != 0 ? "a run of that number" : "a run";
    }
  if (wrong != NULL)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "%s:%ld: expected %s", name,
                   run != NULL ? xmlGetLineNo (run) : 1, wrong);
      return FALSE;
    }
  *stored = found;
  found = (PdStoredRun){ 0 };
  return TRUE;
}

gboolean
pd_results_read_xml (const char *path, gint64 id, PdStoredRun *stored, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text = NULL;
  gsize size;

  if (!pd_file_read (path, &text, &size, &local))
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "cannot read '%s': %s", path,
                   local->message);
      return FALSE;
    }
  g_autoptr (GBytes) bytes = g_bytes_new_take (text, size);
  return pd_results_parse_xml (bytes, path, id, stored, error);
}
