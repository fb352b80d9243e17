/* Who sent how much to whom: rows of XML, JSON and SQLite.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-rows.h"

typedef struct
{
  guint32 sender;
  guint32 receiver;
  guint64 n_messages;
  PdTimeSum bytes;
  gint64 collective_bytes; /* -1: not asked for */
} Row;

#define PAIR(field) .offset = G_STRUCT_OFFSET (Row, field)

static const PdField fields[] = {
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
               .key = "run, sender, receiver", .fields = fields);

void
pd_emit_pairs (PdEmit *to, const PdReportRun *run)
{
  pd_emit_open_list (to, &pd_report_pairs);
  for (guint i = 0; i < run->pairs->len; i++)
    {
      const PdCommPair *pair = &g_array_index (run->pairs, PdCommPair, i);
      gint64 collective =
          pair->collective_bytes.ps > G_MAXINT64 ? G_MAXINT64 : (gint64) pair->collective_bytes.ps;
      const Row row = { pair->from, pair->to, pair->n_messages, pair->bytes,
                        run->with_collectives ? collective : -1 };
      pd_emit_row (to, &pd_report_pairs, &row);
    }
  pd_emit_close_list (to);
}
