/* The rows of an analysis: one walk writes XML, JSON and the tables of result files.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-analysis-costs.h"
#include "reports/emit/pd-rows-db.h"
#include "reports/run/pd-report-rows.h"
#include "analyse/pd-delays.h"
#include "reports/hints/pd-diagnosis-dvm.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"
#include "reports/run/pd-analysis-common.h"
#include "reports/run/pd-report-common.h"

/* ---- the run */

#define RUN(field) G_STRUCT_OFFSET (PdAnalysis, field)

static const PdField run_fields[] = {
  { "run", PD_FIELD_KEY, .offset = PD_KEY_RUN, .in = PD_IN_DB,
    .sql = "INTEGER PRIMARY KEY REFERENCES run (id)" },
  { "makespan", PD_FIELD_TIME, .offset = RUN (makespan), .in = ELEMENTS },
  { "makespan_ps", PD_FIELD_PS, .offset = RUN (makespan),
    "from the first beginning to the last end", PD_IN_DB },
  { "path_begin", PD_FIELD_NUMBER, .offset = RUN (path_begin),
    "the rank where the critical path begins," },
  { "path_end", PD_FIELD_NUMBER, .offset = RUN (path_end), "and where it ends" },
  { "path_changes", PD_FIELD_NUMBER, .offset = RUN (path_changes),
    "how often it goes from one rank to another" },
  { "unmatched", PD_FIELD_COUNT, .offset = RUN (n_unmatched),
    "messages without a receive, receives without one" },
  PD_FIELDS_END,
};
const PdRecord pd_analysed_runs =
    PD_RECORD (.table = "analysed_run", .meaning = "of predictor analyse", .fields = run_fields);

/* ---- intervals */

static const PdField diagnosis_fields[] = {
  KEY_RUN,
  KEY_NODE,
  { "position", PD_FIELD_KEY, .offset = PD_KEY_POSITION, "from 0: the order to read them in",
    PD_IN_DB },
  { "id", PD_FIELD_KIND, .offset = G_STRUCT_OFFSET (PdStatement, id) },
  { "text", PD_FIELD_CONTENT, .offset = G_STRUCT_OFFSET (PdStatement, text) },
  PD_FIELDS_END,
};
static const PdRecord diagnoses =
    PD_RECORD (.table = "diagnosis", .element = "diagnosis", .list = "diagnosis",
               .meaning = "of each interval, in words", .key = "run, node, position",
               .fields = diagnosis_fields);

typedef struct
{
  PdTimeSum waits[PD_N_WAIT_STATES];
  PdPathShare path;
} Interval;

/* Columns that came with version 7 of result files, and the others. */
enum
{
  FIRST,
  LATEST,
};

static gboolean
get_wait (guint which, guint i, const char **name, const char **meaning)
{
  *name = pd_wait_state_id ((PdWaitState) i);
  *meaning = pd_wait_state_meaning ((PdWaitState) i);
  return (i >= PD_WAIT_EARLY_SCAN) == (which == LATEST);
}

#define WAITS(whose)                                                                               \
  PD_FIELD (.type = PD_FIELD_SUM, .added = (whose) == LATEST, .n = PD_N_WAIT_STATES,               \
            .size = sizeof (PdTimeSum), .which = (whose), .item = get_wait)

static const PdField latest_wait_fields[] = { WAITS (LATEST), PD_FIELDS_END };
static const PdField wait_fields[] = { WAITS (FIRST), WAITS (LATEST), PD_FIELDS_END };
static const PdRecord waits = PD_RECORD (.element = "wait_states", .list = "wait_states",
                                         .single = TRUE, .fields = wait_fields);

#define PATH(field) G_STRUCT_OFFSET (Interval, path.field)

static const PdField path_fields[] = {
  { "computation", PD_FIELD_SUM, .offset = PATH (computation) },
  { "communication", PD_FIELD_SUM, .offset = PATH (communication) },
  PD_FIELDS_END,
};
static const PdRecord paths = PD_RECORD (.element = "critical_path", .list = "critical_path",
                                         .single = TRUE, .fields = path_fields);

/* Both in one row. */
static const PdField interval_fields[] = {
  KEY_RUN,
  KEY_NODE,
  PD_FIELD (.type = PD_FIELD_PART, .fields = wait_fields),
  { "path_computation", PD_FIELD_SUM, .offset = PATH (computation),
    "its share of the critical path" },
  { "path_communication", PD_FIELD_SUM, .offset = PATH (communication) },
  PD_FIELDS_END,
};
static const PdRecord intervals =
    PD_RECORD (.table = "analysis", .meaning = "waiting and critical path; seconds",
               .key = "run, node", .fields = interval_fields);

/* ---- root causes */

/* A cause with its words. */
typedef struct
{
  PdRootCause cause;
  const char *kind;
  char *interval; /* owned */
  gint64 node;    /* of the results */
  gint64 from_stack;
  gint64 to_stack;
  gint64 victim; /* -1: no rank has waited directly */
  PdTimeSum others;
} Cause;

#define CAUSE(field) G_STRUCT_OFFSET (Cause, cause.field)
#define ROW(field)   G_STRUCT_OFFSET (Cause, field)

static const PdField cause_fields[] = {
  KEY_RUN,
  { "node", PD_FIELD_KEY, .offset = PD_KEY_NODE, "where it is waited, with those inside it",
    PD_IN_DB },
  { "number", PD_FIELD_KEY, .offset = PD_KEY_NUMBER, "from 1, by falling costs", PD_IN_DB },
  { "rank", PD_FIELD_NUMBER, .offset = CAUSE (rank), "that others waited for" },
  { "kind", PD_FIELD_KIND, .offset = ROW (kind), "computation, communication or start" },
  { "cause_node", PD_FIELD_INTEGER, .offset = ROW (node), "the interval of its cause", PD_IN_DB },
  { "interval", PD_FIELD_TEXT, .offset = ROW (interval), "the same for people" },
  { "from_function", PD_FIELD_TEXT, .offset = CAUSE (from.function),
    "the call before it, or itself; empty = none" },
  { "from_file", PD_FIELD_TEXT, .offset = CAUSE (from.file) },
  { "from_line", PD_FIELD_INTEGER, .offset = CAUSE (from.line), "0 = unknown" },
  { "from_stack", PD_FIELD_ID, .offset = ROW (from_stack), "see frame; NULL = unknown", PD_IN_DB },
  { "to_function", PD_FIELD_TEXT, .offset = CAUSE (to.function),
    "the call behind it, or itself; empty = none" },
  { "to_file", PD_FIELD_TEXT, .offset = CAUSE (to.file) },
  { "to_line", PD_FIELD_INTEGER, .offset = CAUSE (to.line) },
  { "to_stack", PD_FIELD_ID, .offset = ROW (to_stack), NULL, PD_IN_DB },
  { "direct", PD_FIELD_SUM, .offset = CAUSE (direct), "waiting for this rank" },
  { "propagated", PD_FIELD_SUM, .offset = CAUSE (propagated),
    "waiting for those that waited for it" },
  { "victims", PD_FIELD_NUMBER, .offset = CAUSE (n_victims), "ranks that waited for this rank" },
  { "victim", PD_FIELD_ID, .offset = ROW (victim), "the one that waited longest for it," },
  { "suffered", PD_FIELD_SUM, .offset = CAUSE (suffered), "and how long" },
  { "took", PD_FIELD_SUM, .offset = CAUSE (took), "of this rank in this place, in all the run" },
  { "others", PD_FIELD_SUM, .offset = ROW (others), "the median of other ranks there",
    .sql = "REAL" },
  { "n_others", PD_FIELD_NUMBER, .offset = CAUSE (n_others), "so many have been there" },
  PD_FIELDS_END,
};
static const PdRecord root_causes =
    PD_RECORD (.table = "root_cause", .element = "root_cause", .list = "root_causes",
               .meaning = "what made ranks wait; seconds", .key = "run, node, number",
               .fields = cause_fields);

/* ---- call sites */

typedef struct
{
  PdCallSite site;
  gint64 stack;
  const char *part;
} Site;

#define SITE(field) G_STRUCT_OFFSET (Site, site.field)

#define POLLS                                                                                      \
  PD_FIELD (.name = "polls", .type = PD_FIELD_COUNT, .offset = SITE (n_polls),                     \
            .meaning = "calls that asked, and found nothing", .added = TRUE)

static const PdField latest_site_fields[] = { POLLS, PD_FIELDS_END };
static const PdField site_fields[] = {
  KEY_RUN,
  { "node", PD_FIELD_KEY, .offset = PD_KEY_NODE, "the interval, with those inside it", PD_IN_DB },
  { "number", PD_FIELD_KEY, .offset = PD_KEY_NUMBER, "from 1, by place", PD_IN_DB },
  { "function", PD_FIELD_TEXT, .offset = SITE (function), "that is called" },
  { "file", PD_FIELD_TEXT, .offset = SITE (file) },
  { "line", PD_FIELD_INTEGER, .offset = SITE (line), "0 = unknown" },
  { "stack", PD_FIELD_ID, .offset = G_STRUCT_OFFSET (Site, stack), "see frame; NULL = unknown",
    PD_IN_DB },
  { "part", PD_FIELD_KIND, .offset = G_STRUCT_OFFSET (Site, part),
    "sendrecv_time, collective_time or system_time" },
  PD_FIELD (.type = PD_FIELD_PART, .offset = SITE (costs), .fields = pd_report_costs),
  POLLS,
  { "on_path", PD_FIELD_SUM, .offset = SITE (on_path), "its share of the critical path" },
  { "wait_states", PD_FIELD_PART, .offset = SITE (waits), .fields = wait_fields },
  PD_FIELDS_END,
};
static const PdRecord sites =
    PD_RECORD (.table = "call_site", .element = "call_site", .list = "call_sites",
               .meaning = "calls of one function from one place; seconds",
               .key = "run, node, number", .fields = site_fields);

/* Of call sites, in a table of its own: older files have none. */
typedef struct
{
  guint64 messages;
  PdTimeSum bytes;
  gint64 smallest; /* -1: there are no messages */
  gint64 largest;
  gdouble mean;
  PdSpread spread;
} Traffic;

#define TRAFFIC(field) G_STRUCT_OFFSET (Traffic, field)

static const PdField traffic_fields[] = {
  KEY_RUN,
  KEY_NODE,
  { "number", PD_FIELD_KEY, .offset = PD_KEY_NUMBER, "of the call site", PD_IN_DB },
  { "messages", PD_FIELD_COUNT, .offset = TRAFFIC (messages),
    "sent, received, or blocks of collective operations" },
  { "bytes", PD_FIELD_WIDE, .offset = TRAFFIC (bytes), "of all" },
  { "smallest", PD_FIELD_ID, .offset = TRAFFIC (smallest), "bytes; NULL: no messages" },
  { "largest", PD_FIELD_ID, .offset = TRAFFIC (largest) },
  { "mean", PD_FIELD_REAL, .offset = TRAFFIC (mean), .sql = "REAL" },
  { "imbalance", PD_FIELD_REAL, .offset = TRAFFIC (spread.imbalance),
    "the greatest time of a rank by the mean of those that call; NULL: no time", .sql = "REAL" },
  { "slowest_rank", PD_FIELD_NUMBER, .offset = TRAFFIC (spread.rank), "which has the greatest" },
  PD_FIELDS_END,
};
static const PdRecord traffic =
    PD_RECORD (.table = "call_site_traffic", .element = "traffic", .list = "traffic",
               .single = TRUE, .meaning = "messages of call sites, and the spread of their time",
               .key = "run, node, number", .fields = traffic_fields);

typedef struct
{
  gint64 from;
  gint64 to;
  guint64 messages;
} Size;

static const PdField size_fields[] = {
  KEY_RUN,
  KEY_NODE,
  { "number", PD_FIELD_KEY, .offset = PD_KEY_NUMBER, "of the call site", PD_IN_DB },
  { "smallest", PD_FIELD_INTEGER, .offset = G_STRUCT_OFFSET (Size, from), "bytes, from this one" },
  { "largest", PD_FIELD_INTEGER, .offset = G_STRUCT_OFFSET (Size, to), "to this one" },
  { "messages", PD_FIELD_COUNT, .offset = G_STRUCT_OFFSET (Size, messages) },
  PD_FIELDS_END,
};
static const PdRecord sizes =
    PD_RECORD (.table = "call_site_size", .element = "size", .list = "sizes",
               .meaning = "how large these messages are, by powers of two",
               .key = "run, node, number, smallest", .fields = size_fields);

static const PdField rank_fields[] = {
  KEY_RUN,
  KEY_NODE,
  { "number", PD_FIELD_KEY, .offset = PD_KEY_NUMBER, "of the call site", PD_IN_DB },
  { "number", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (PdCallSiteRank, rank), .in = PD_IN_XML },
  { "rank", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (PdCallSiteRank, rank),
    .in = PD_IN_JSON | PD_IN_DB },
  PD_FIELD (.type = PD_FIELD_PART, .offset = G_STRUCT_OFFSET (PdCallSiteRank, costs),
            .fields = pd_report_costs),
  PD_FIELDS_END,
};
static const PdRecord ranks_of_sites =
    PD_RECORD (.table = "call_site_rank", .element = "rank", .list = "ranks",
               .meaning = "of each rank, where they were asked for",
               .key = "run, node, number, rank", .fields = rank_fields);

typedef struct
{
  gint64 stack;
  gint64 position;
  PdProgramSite place;
} Frame;

static const PdField frame_fields[] = {
  KEY_RUN,
  { "stack", PD_FIELD_INTEGER, .offset = G_STRUCT_OFFSET (Frame, stack), .in = PD_IN_DB },
  { "position", PD_FIELD_INTEGER, .offset = G_STRUCT_OFFSET (Frame, position),
    "from 0: the innermost place", PD_IN_DB },
  { "file", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (Frame, place.file) },
  { "line", PD_FIELD_INTEGER, .offset = G_STRUCT_OFFSET (Frame, place.line), "0 = unknown" },
  { "function", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (Frame, place.function),
    "that contains the place" },
  PD_FIELDS_END,
};
static const PdRecord frames =
    PD_RECORD (.table = "frame", .element = "frame", .list = "stack",
               .meaning = "of the stacks of call sites", .key = "run, stack, position",
               .again = TRUE, .fields = frame_fields);

void
pd_analysis_append_schema (GString *sql)
{
  const PdRecord *const tables[] = { &pd_analysed_runs, &diagnoses, &frames,
                                     &intervals,        &sites,     &ranks_of_sites };

  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    pd_record_append_schema (tables[i], sql);
}

void
pd_analysis_append_later_schema (GString *sql)
{
  pd_record_append_schema (&traffic, sql);
  pd_record_append_schema (&sizes, sql);
  pd_record_append_schema (&root_causes, sql);
}

void
pd_analysis_append_added (GString *sql)
{
  pd_fields_append_added (latest_wait_fields, "analysis", sql);
  pd_fields_append_added (latest_wait_fields, "call_site", sql);
  pd_fields_append_added (latest_site_fields, "call_site", sql);
}

/* ---- the walk */

static void
emit_traffic (PdEmit *to, const PdCallSite *site)
{
  const PdSizes *of = &site->sizes;
  Traffic row = { of->n,
                  of->bytes,
                  of->n > 0 ? of->smallest : -1,
                  of->n > 0 ? of->largest : -1,
                  pd_sizes_mean (of),
                  pd_call_site_get_spread (site) };

  pd_emit_open (to, &traffic, &row);
  pd_emit_open_list (to, &sizes);
  for (guint i = 0; i < PD_N_SIZE_CLASSES; i++)
    {
      Size size = { pd_sizes_class_from (i), pd_sizes_class_to (i), of->classes[i] };
      if (size.messages > 0)
        pd_emit_row (to, &sizes, &size);
    }
  pd_emit_close_list (to);
  pd_emit_close (to, &traffic);
}

/* The innermost place first. */
static void
emit_stack (PdEmit *to, const PdProgram *program, guint32 stack)
{
  pd_emit_open_list (to, &frames);
  Frame frame = { .stack = stack };
  for (guint32 site = stack; site != PD_PROGRAM_NONE; site = frame.place.parent)
    {
      frame.place = pd_program_get_site (program, site);
      pd_emit_row (to, &frames, &frame);
      frame.position++;
    }
  pd_emit_close_list (to);
}

static void
emit_site (PdEmit *to, const PdReportRun *run, const PdCallSite *site, gboolean ranks)
{
  Site row = { *site, site->site == PD_PROGRAM_NONE ? -1 : (gint64) site->site,
               pd_report_part_id (site) };

  pd_emit_open (to, &sites, &row);
  emit_stack (to, run->analysis->program, site->site);
  emit_traffic (to, site);
  if (ranks)
    pd_emit_rows (to, &ranks_of_sites, site->ranks);
  pd_emit_close (to, &sites);
}

static gint64
stack_of (const PdCallPlace *place)
{
  return place->site == PD_PROGRAM_NONE ? -1 : (gint64) place->site;
}

static void
emit_root_causes (PdEmit *to, const PdReportRun *run, const PdIntervalResult *r)
{
  g_autoptr (GArray) causes = pd_analysis_get_root_causes (run->analysis, r->node);
  g_autofree guint *positions = pd_report_positions (run);

  pd_emit_open_list (to, &root_causes);
  for (guint i = 0; i < causes->len; i++)
    {
      const PdRootCause *cause = &g_array_index (causes, PdRootCause, i);
      const PdIntervalKey key = pd_interval_tree_get_key (run->tree, cause->node);
      g_autofree char *interval = pd_report_interval_label (&key);
      Cause row = { .cause = *cause,
                    .kind = pd_delay_kind_id (cause->kind),
                    .interval = interval,
                    .node = positions[cause->node],
                    .from_stack = stack_of (&cause->from),
                    .to_stack = stack_of (&cause->to),
                    .victim = cause->n_victims > 0 ? (gint64) cause->victim : -1,
                    .others = cause->n_others > 0 ? cause->others : PD_FIELD_NO_SUM };
      to->keys[PD_KEY_NUMBER] = i + 1;
      pd_emit_row (to, &root_causes, &row);
    }
  pd_emit_close_list (to);
}

static void
emit_sites (PdEmit *to, const PdReportRun *run, guint32 node, gboolean ranks)
{
  g_autoptr (GArray) own = pd_analysis_get_sites (run->analysis, node);

  pd_emit_open_list (to, &sites);
  for (guint i = 0; i < own->len; i++)
    {
      to->keys[PD_KEY_NUMBER] = i + 1;
      emit_site (to, run, &g_array_index (own, PdCallSite, i), ranks);
    }
  pd_emit_close_list (to);
}

static void
emit_analysed (PdEmit *to, const PdReportRun *run, const PdIntervalResult *r, gboolean ranks)
{
  g_autoptr (GArray) statements = pd_report_diagnose (run, r);
  Interval row = { .path = pd_analysis_get_path (run->analysis, r->node) };

  pd_analysis_get_waits (run->analysis, r->node, row.waits);
  pd_emit_rows (to, &diagnoses, statements);
  pd_emit_row (to, &waits, &row);
  pd_emit_row (to, &paths, &row);
  pd_emit_row (to, &intervals, &row);
  emit_root_causes (to, run, r);
  emit_sites (to, run, r->node, ranks);
}

void
pd_emit_interval_analysis (PdEmit *to, const PdReportRun *run, guint i, gboolean ranks)
{
  if (run->analysis != NULL)
    emit_analysed (to, run, pd_report_result (run, i), ranks);
  else if (run->calls != NULL && i == 0)
    emit_sites (to, run->calls, PD_INTERVAL_ROOT, ranks);
  if (!pd_report_has_diagnosis (run))
    return;
  g_autoptr (GArray) statements = pd_diagnosis_new_dvm (run->results, i);
  pd_emit_rows (to, &diagnoses, statements);
}
