/* A run with known times as a timeline: what each rank did, and which message arrived
 * when. A message is received when the call that receives it, or waits for it, returns.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"
#include "timeline/pd-timeline-source.h"
#include "analyse/pd-analysis-timeline.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-nodes-private.h"
#include "analyse/pd-replay-private.h"
#include "timeline/pd-timeline-feed.h"
#include "traces/program/pd-action.h"

/* The properties of a message at its sender. */
typedef struct
{
  gint64 bytes;
  gint64 when;
  guint32 rank;
  guint32 comm;
  gint32 tag;
  const PdChannel *channel; /* (nullable) */
} Sent;

typedef struct
{
  const PdAnalysis *analysis;
  PdTimelineSource *source;
  PdMatching *matching;
  PdReplay replay;
  PdNodes nodes;
  GArray *sent;         /* Sent, by record */
  GArray *received;     /* gint64, by record: when; -1: never */
  GHashTable *channels; /* PdChannel -> GQueue: records of its receives that are not cancelled */
} Notifier;

static void
end_receive (Notifier *self, guint32 record)
{
  g_array_index (self->received, gint64, record) = self->replay.leave;
}

/* Those of a channel have to be in the order of records. */
static void
add_receive (Notifier *self, PdChannel *channel, guint32 record)
{
  GQueue *records = g_hash_table_lookup (self->channels, channel);

  if (channel == NULL || pd_channels_is_cancelled (self->matching->channels, record))
    return;
  if (records == NULL)
    {
      records = g_queue_new ();
      g_hash_table_insert (self->channels, channel, records);
    }
  g_queue_push_tail (records, GUINT_TO_POINTER (record));
}

/* Records are numbered in the order in which messages begin. */
static void
note_messages (Notifier *self)
{
  const PdReplay *replay = &self->replay;
  PdActionKind kind = replay->action->kind;
  gboolean blocks = kind == PD_ACT_RECV || kind == PD_ACT_SENDRECV;
  const gint64 never = -1;

  for (guint i = 0; i < replay->started.n; i++)
    {
      const PdStartedRequest *started = &pd_vector_at (&replay->started, PdStartedRequest, i);
      PdChannel *channel = pd_channels_find (self->matching->channels, replay, started);
      const Sent sent = { started->bytes, replay->enter, replay->rank,
                          started->comm,  started->tag,  channel };
      if (!started->is_recv)
        {
          g_array_append_val (self->sent, sent);
          continue;
        }
      add_receive (self, channel, started->record);
      g_array_append_val (self->received, never);
      if (blocks)
        end_receive (self, started->record);
    }
  for (guint i = 0; i < replay->ended.n; i++)
    {
      const PdRecordedRequest *ended = pd_vector_at (&replay->ended, const PdRecordedRequest *, i);
      if (ended->kind == PD_RECORDED_REQUEST_RECV)
        end_receive (self, ended->record);
    }
}

static void
notify_action (Notifier *self, guint32 rank, PdTime leave)
{
  const PdAction *action = self->replay.action;

  if (pd_action_is_pause (action))
    pd_timeline_source_skip (self->source, rank, leave);
  else if (action->kind < PD_ACT_ENTER)
    pd_timeline_source_call (
        self->source, rank,
        pd_timeline_source_name_action (self->source, self->analysis->program, action), leave);
  else /* nothing, but in a damaged trace */
    pd_timeline_source_notify (
        self->source, rank,
        pd_timeline_source_name (self->source, pd_action_name (action), PD_TL_OTHER), leave);
}

static void
notify_rank (Notifier *self, guint32 rank)
{
  PdReplay *replay = &self->replay;

  pd_replay_begin_rank (replay, rank);
  pd_timeline_source_begin (self->source, rank, PD_TIME (replay->leave));
  self->nodes.node = PD_INTERVAL_ROOT;
  while (pd_replay_next (replay))
    {
      pd_nodes_follow (&self->nodes, replay);
      pd_timeline_source_move (self->source, rank, self->nodes.node, PD_TIME (replay->enter));
      note_messages (self);
      notify_action (self, rank, PD_TIME (replay->leave));
    }
  pd_timeline_source_end (self->source, rank, PD_TIME (replay->leave));
}

/* Where clocks differ a message may have arrived before it was sent: it arrives at once. */
static void
notify_messages (const Notifier *self)
{
  for (guint i = 0; i < self->sent->len; i++)
    {
      const Sent *sent = &g_array_index (self->sent, Sent, i);
      GQueue *records =
          sent->channel != NULL ? g_hash_table_lookup (self->channels, sent->channel) : NULL;
      if (records == NULL || g_queue_is_empty (records))
        continue;
      gint64 received =
          g_array_index (self->received, gint64, GPOINTER_TO_UINT (g_queue_pop_head (records)));
      const PdTimelineMessage message = {
        .sent = PD_TIME (sent->when),
        .received = PD_TIME (MAX (received, sent->when)),
        .bytes = sent->bytes,
        .from = sent->rank,
        .to = pd_channel_get_target (sent->channel),
        .tag = sent->tag,
        .comm = sent->comm,
      };
      if (received >= 0)
        pd_timeline_feed_message (pd_timeline_source_get_feed (self->source), &message);
    }
}

void
pd_analysis_notify (const PdAnalysis *self, const char *title, PdTimelineFeed *feed)
{
  guint32 n = pd_program_get_n_ranks (self->program);
  const PdTimelineHead head = { .n_ranks = n, .n_cpus = 1, .title = title };
  g_autoptr (PdTimelineSource) source = pd_timeline_source_new (feed, &head, self->tree);
  g_autoptr (PdMatching) matching = pd_matching_new (self->program, self->retiming, NULL, NULL);
  g_autoptr (GArray) sent = g_array_new (FALSE, FALSE, sizeof (Sent));
  g_autoptr (GArray) received = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GHashTable) channels =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_queue_free);
  Notifier notifier = { .analysis = self,
                        .source = source,
                        .matching = matching,
                        .nodes = { .tree = self->tree, .program = self->program },
                        .sent = sent,
                        .received = received,
                        .channels = channels };

  g_return_if_fail (matching != NULL); /* that of the analysis was possible */
  pd_replay_init (&notifier.replay, self->program, self->retiming);
  for (guint32 rank = 0; rank < n; rank++)
    notify_rank (&notifier, rank);
  notify_messages (&notifier);
  pd_replay_clear (&notifier.replay);
}
