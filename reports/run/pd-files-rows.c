/* Files that a recorded run worked on, and who sent how much to whom: rows of XML, JSON, SQLite
 * and, of files, CSV.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-rows.h"

/* Reads, or writes. */
typedef struct
{
  guint64 n;
  guint64 n_collective;
  PdTimeSum bytes;
  PdTimeSum time;
  gint64 smallest; /* -1: no calls; likewise */
  gint64 largest;
  gdouble mean;
} Way;

typedef struct
{
  PdFileUse use;
  Way ways[PD_N_FILE_WAYS];
} Row;

#define USE(field) .offset = G_STRUCT_OFFSET (Row, use.field)
#define WAY(field) .offset = G_STRUCT_OFFSET (Row, ways[OF].field)

static const PdField fields[] = {
  KEY_RUN,
  { "position", PD_FIELD_KEY, .offset = PD_KEY_POSITION, "from 0, by falling time", PD_IN_DB },
  { "name", PD_FIELD_TEXT, USE (name) },
  { "ranks", PD_FIELD_NUMBER, USE (n_ranks), "that called anything on it" },
  { "opens", PD_FIELD_COUNT, USE (n_opens) },
#define OF PD_FILE_READS
  { "reads", PD_FIELD_COUNT, WAY (n), "calls that read" },
  { "reads_collective", PD_FIELD_COUNT, WAY (n_collective), "of these, collective ones" },
  { "bytes_read", PD_FIELD_WIDE, WAY (bytes) },
  { "read_smallest", PD_FIELD_ID, WAY (smallest), "bytes of a call; NULL: none" },
  { "read_largest", PD_FIELD_ID, WAY (largest) },
  { "read_mean", PD_FIELD_REAL, WAY (mean), .sql = "REAL" },
  { "read_time", PD_FIELD_SUM, WAY (time), "of all ranks in these calls" },
#undef OF
#define OF PD_FILE_WRITES
  { "writes", PD_FIELD_COUNT, WAY (n), "calls that write; likewise" },
  { "writes_collective", PD_FIELD_COUNT, WAY (n_collective) },
  { "bytes_written", PD_FIELD_WIDE, WAY (bytes) },
  { "write_smallest", PD_FIELD_ID, WAY (smallest) },
  { "write_largest", PD_FIELD_ID, WAY (largest) },
  { "write_mean", PD_FIELD_REAL, WAY (mean), .sql = "REAL" },
  { "write_time", PD_FIELD_SUM, WAY (time) },
#undef OF
  { "others", PD_FIELD_COUNT, USE (n_others), "calls that close, seek, wait, ..." },
  { "other_time", PD_FIELD_SUM, USE (other), "of all ranks in these and in opens" },
  { "longest", PD_FIELD_TIME, USE (longest), "the greatest time of a rank in all of its calls" },
  { "slowest_rank", PD_FIELD_NUMBER, USE (slowest), "which has that" },
  { "bandwidth", PD_FIELD_REAL, USE (bandwidth),
    "bytes of all ranks by the greatest time of a rank in reads, writes and waits for them",
    .sql = "REAL" },
  PD_FIELDS_END,
};
const PdRecord pd_report_files =
    PD_RECORD (.table = "file_use", .element = "file_use", .list = "files",
               .meaning = "what a recorded run did with files; seconds and bytes",
               .key = "run, position", .fields = fields);

void
pd_emit_files (PdEmit *to, const GArray *files)
{
  pd_emit_open_list (to, &pd_report_files);
  for (guint i = 0; i < files->len; i++)
    {
      Row row = { .use = g_array_index (files, PdFileUse, i) };
      for (guint k = 0; k < PD_N_FILE_WAYS; k++)
        {
          const PdFileTransfers *of = &row.use.ways[k];
          gboolean any = of->sizes.n > 0;
          row.ways[k] = (Way){ .n = of->sizes.n,
                               .n_collective = of->n_collective,
                               .bytes = of->sizes.bytes,
                               .time = of->time,
                               .smallest = any ? of->sizes.smallest : -1,
                               .largest = any ? of->sizes.largest : -1,
                               .mean = pd_sizes_mean (&of->sizes) };
        }
      to->keys[PD_KEY_POSITION] = i;
      pd_emit_row (to, &pd_report_files, &row);
    }
  pd_emit_close_list (to);
}

/* ---- CSV: of all files */

typedef struct
{
  PdTimeSum time;
  PdTimeSum bytes[PD_N_FILE_WAYS];
} Sums;

static const PdField sums[] = {
  { "file_time", PD_FIELD_SUM, .offset = G_STRUCT_OFFSET (Sums, time) },
  { "file_bytes_read", PD_FIELD_WIDE, .offset = G_STRUCT_OFFSET (Sums, bytes[PD_FILE_READS]) },
  { "file_bytes_written", PD_FIELD_WIDE, .offset = G_STRUCT_OFFSET (Sums, bytes[PD_FILE_WRITES]) },
  PD_FIELDS_END,
};

void
pd_csv_append_files (GString *out, const GArray *files)
{
  Sums row = { { 0 }, { { 0 } } };

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const PdFileUse *use = &g_array_index (files, PdFileUse, i);
      row.time.ps += pd_file_use_time (use).ps;
      for (guint k = 0; k < PD_N_FILE_WAYS; k++)
        row.bytes[k].ps += use->ways[k].sizes.bytes.ps;
    }
  pd_csv_append_fields (out, sums, files != NULL ? &row : NULL);
}

/* ---- pairs of ranks */

typedef struct
{
  guint32 sender;
  guint32 receiver;
  guint64 n_messages;
  PdTimeSum bytes;
  gint64 collective_bytes; /* -1: not asked for */
} PairRow;

#define PAIR(field) .offset = G_STRUCT_OFFSET (PairRow, field)

static const PdField pair_fields[] = {
  KEY_RUN,
  { "sender", PD_FIELD_NUMBER, PAIR (sender), "rank" },
  { "receiver", PD_FIELD_NUMBER, PAIR (receiver), "rank" },
  { "messages", PD_FIELD_COUNT, PAIR (n_messages), "point to point and one-sided" },
  { "bytes", PD_FIELD_WIDE, PAIR (bytes), "of these" },
  { "collective_bytes", PD_FIELD_ID, PAIR (collective_bytes),
    "of collective operations, as if sent directly; NULL: not asked for" },
  PD_FIELDS_END,
};
const PdRecord pd_report_pairs =
    PD_RECORD (.table = "rank_pair", .element = "rank_pair", .list = "rank_pairs",
               .meaning = "with --matrix: what a rank sent to another one",
               .key = "run, sender, receiver", .fields = pair_fields);

void
pd_emit_pairs (PdEmit *to, const PdReportRun *run)
{
  pd_emit_open_list (to, &pd_report_pairs);
  for (guint i = 0; i < run->pairs->len; i++)
    {
      const PdCommPair *pair = &g_array_index (run->pairs, PdCommPair, i);
      gint64 collective =
          pair->collective_bytes.ps > G_MAXINT64 ? G_MAXINT64 : (gint64) pair->collective_bytes.ps;
      const PairRow row = { pair->from, pair->to, pair->n_messages, pair->bytes,
                            run->with_collectives ? collective : -1 };
      pd_emit_row (to, &pd_report_pairs, &row);
    }
  pd_emit_close_list (to);
}
