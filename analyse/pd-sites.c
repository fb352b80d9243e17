/* Call sites: who called what from where, and what that cost.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-replay-private.h"
#include "analyse/pd-sites-private.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits-private.h"
#include "traces/program/pd-action.h"

#include <math.h>
#include <string.h>

static guint
key_hash (gconstpointer data)
{
  const PdSiteKey *key = data;

  return (key->node * 31 + key->site) * 31 + g_str_hash (key->function)
         + g_direct_hash (key->file) * 7 + (guint) key->line;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const PdSiteKey *x = a, *y = b;

  return x->node == y->node && x->site == y->site && x->file == y->file && x->line == y->line
         && (x->function == y->function || strcmp (x->function, y->function) == 0);
}

static void
site_clear (gpointer data)
{
  PdCallSite *site = data;

  g_clear_pointer (&site->ranks, g_array_unref);
}

GArray *
pd_sites_array_new (void)
{
  GArray *sites = g_array_new (FALSE, FALSE, sizeof (PdCallSite));

  g_array_set_clear_func (sites, site_clear);
  return sites;
}

void
pd_sites_init (PdSites *self)
{
  *self = (PdSites){ .sites = pd_sites_array_new () };
  self->index = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
}

void
pd_sites_clear (PdSites *self)
{
  g_clear_pointer (&self->sites, g_array_unref);
  g_clear_pointer (&self->index, g_hash_table_unref);
}

/* Its index. */
static guint32
find_or_add (PdSites *self, const PdSiteKey *given, const PdReplay *replay, PdQuantity part)
{
  PdSiteKey key = *given;

  if (key.site != PD_PROGRAM_NONE)
    {
      PdProgramSite place = pd_program_get_site (replay->program, key.site);
      key.file = place.file;
      key.line = place.line;
    }
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, &key));
  if (known > 0)
    return known - 1;
  PdCallSite site = { .node = key.node,
                      .site = key.site,
                      .file = key.file,
                      .line = key.line,
                      .function = key.function,
                      .part = part,
                      .ranks = g_array_new (FALSE, FALSE, sizeof (PdCallSiteRank)) };
  g_array_append_val (self->sites, site);
  PdSiteKey *copy = g_new (PdSiteKey, 1);
  *copy = key;
  g_hash_table_insert (self->index, copy, GUINT_TO_POINTER (self->sites->len));
  return self->sites->len - 1;
}

/* Likewise, of calls of which no other one of the same shape came before it there. */
guint32
pd_sites_look_up (PdSites *self, const PdReplay *replay, guint32 node, PdQuantity part)
{
  const PdAction *a = replay->action;
  gboolean is_coll = a->kind == PD_ACT_COLLECTIVE || a->kind == PD_ACT_ICOLLECTIVE;
  guint32 what = (guint32) a->kind << 8 | (is_coll ? (guint32) a->op : 0);
  guint32 function = a->kind == PD_ACT_OTHER || a->kind == PD_ACT_LOCAL ? a->name : a->called;
  guint32 at = ((node * 0x9e3779b1u + a->site) * 0x9e3779b1u + what) * 0x9e3779b1u
               + (guint32) replay->line + function;
  PdRecentSite *recent = &self->recent[(at * 0x9e3779b1u >> 16) % PD_N_RECENT_SITES];

  if (recent->known != 0 && recent->node == node && recent->site == a->site && recent->what == what
      && recent->function == function && recent->file == replay->file
      && recent->line == replay->line)
    return recent->known - 1;
  const PdSiteKey key = { node, a->site, pd_action_get_called (a, replay->program), replay->file,
                          replay->line };
  guint32 index = find_or_add (self, &key, replay, part);
  *recent = (PdRecentSite){ node, a->site, what, function, replay->file, replay->line, index + 1 };
  return index;
}

void
pd_call_costs_add (PdCallCosts *costs, const PdCallCosts *more)
{
  costs->count += more->count;
  costs->time.ps += more->time.ps;
  costs->real_sync.ps += more->real_sync.ps;
  costs->potential_sync.ps += more->potential_sync.ps;
  costs->time_variation.ps += more->time_variation.ps;
  costs->overlap.ps += more->overlap.ps;
}

/* Those of the present rank. */
static inline PdCallCosts *
get_rank (PdCallSite *site, guint32 rank)
{
  guint n = site->ranks->len;

  if (n == 0 || g_array_index (site->ranks, PdCallSiteRank, n - 1).rank != rank)
    {
      PdCallSiteRank own = { .rank = rank };
      g_array_append_val (site->ranks, own);
      n++;
    }
  return &g_array_index (site->ranks, PdCallSiteRank, n - 1).costs;
}

static void
add_rank (PdCallSite *site, guint32 rank, const PdCallCosts *costs)
{
  PdCallCosts *own = get_rank (site, rank);

  if ((costs->real_sync.ps | costs->potential_sync.ps | costs->time_variation.ps
       | costs->overlap.ps)
      != 0)
    pd_call_costs_add (own, costs);
  else
    {
      own->count += costs->count;
      own->time.ps += costs->time.ps;
    }
}

/* The bytes of the caller in a collective operation: its block or vector, or the sum of blocks of
 * different sizes. */
static gint64
collective_bytes (const PdReplay *replay)
{
  const PdAction *a = replay->action;
  guint32 vector = a->send_counts != PD_PROGRAM_NONE ? a->send_counts : a->recv_counts;
  gint64 bytes = 0;
  guint32 n;

  if (a->bytes > 0 || vector == PD_PROGRAM_NONE)
    return a->bytes;
  const gint64 *counts = pd_program_get_counts (replay->program, vector, &n);
  for (guint32 i = 0; i < n; i++)
    bytes = MIN (counts[i], G_MAXINT64 - bytes) + bytes; /* of a damaged trace: no overflow */
  return bytes;
}

/* The messages of the present call. */
static void
add_sizes (PdSizes *sizes, const PdReplay *replay)
{
  PdActionKind kind = replay->action->kind;

  for (guint i = 0; i < replay->started.n; i++)
    pd_sizes_add (sizes, pd_vector_at (&replay->started, PdStartedRequest, i).bytes);
  if (kind >= PD_ACT_PUT && kind <= PD_ACT_RGET_ACCUMULATE)
    pd_sizes_add (sizes, replay->action->bytes);
  else if ((kind == PD_ACT_COLLECTIVE || kind == PD_ACT_ICOLLECTIVE)
           && replay->action->op > PD_COLL_BARRIER && replay->action->op < PD_COLL_COMM_DUP)
    pd_sizes_add (sizes, collective_bytes (replay));
}

void
pd_sites_add (PdSites *self, guint32 index, const PdReplay *replay, const PdCharge *charge)
{
  PdCallSite *site = &g_array_index (self->sites, PdCallSite, index);

  for (guint left = charge->waited; left != 0; left &= left - 1)
    site->waits[__builtin_ctz (left)].ps += charge->waits[__builtin_ctz (left)];
  site->n_polls += charge->n_polls;
  add_sizes (&site->sizes, replay);
  add_rank (site, replay->rank, &charge->costs);
}

void
pd_sites_add_beginning (PdSites *self, guint32 index, const PdReplay *replay)
{
  PdCallSite *site = &g_array_index (self->sites, PdCallSite, index);
  PdCallCosts *costs = get_rank (site, replay->rank);

  pd_sizes_add (&site->sizes, replay->action->bytes);
  costs->count += pd_action_is_part (replay->action) ? 0 : 1;
  costs->time.ps += replay->leave - replay->enter;
}

/* ---- order */

/* Of two stacks: by their places from the innermost on. */
static gint
compare_stacks (const PdProgram *program, guint32 a, guint32 b)
{
  while (a != b && a != PD_PROGRAM_NONE && b != PD_PROGRAM_NONE)
    {
      PdProgramSite x = pd_program_get_site (program, a), y = pd_program_get_site (program, b);
      gint order = strcmp (x.file, y.file);
      if (order == 0)
        order = x.line < y.line ? -1 : x.line > y.line;
      if (order == 0)
        order = strcmp (x.function, y.function);
      if (order != 0)
        return order;
      a = x.parent;
      b = y.parent;
    }
  if (a == b)
    return 0;
  return a == PD_PROGRAM_NONE ? -1 : 1;
}

static gint
compare_places (gconstpointer a, gconstpointer b, gpointer program)
{
  const PdCallSite *x = a, *y = b;

  gint order = strcmp (x->file, y->file);
  if (order == 0)
    order = x->line < y->line ? -1 : x->line > y->line;
  if (order == 0)
    order = compare_stacks (program, x->site, y->site);
  return order != 0 ? order : strcmp (x->function, y->function);
}

static gint
compare_sites (gconstpointer a, gconstpointer b, gpointer program)
{
  const PdCallSite *x = a, *y = b;

  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return compare_places (a, b, program);
}

void
pd_sites_end (GArray *sites, const PdProgram *program)
{
  for (guint i = 0; i < sites->len; i++)
    {
      PdCallSite *site = &g_array_index (sites, PdCallSite, i);
      for (guint k = 0; k < site->ranks->len; k++)
        pd_call_costs_add (&site->costs, &g_array_index (site->ranks, PdCallSiteRank, k).costs);
    }
  g_array_sort_with_data (sites, compare_sites, (gpointer) program);
}

/* ---- those of an interval and all inside it */

void
pd_analysis_index (PdAnalysis *self)
{
  guint32 n = pd_interval_tree_get_n_nodes (self->tree);
  guint32 site = 0;

  self->first_site = g_new (guint32, n + 1);
  self->first_child = g_new0 (guint32, n);
  self->next_sibling = g_new0 (guint32, n);
  self->all_waits = g_new (PdTimeSum, (gsize) n * PD_N_WAIT_STATES);
  memcpy (self->all_waits, self->waits, (gsize) n * PD_N_WAIT_STATES * sizeof (PdTimeSum));
  self->all_path = g_new (PdPathShare, n);
  memcpy (self->all_path, self->path, n * sizeof (PdPathShare));
  for (guint32 node = 0; node <= n; node++)
    {
      while (site < self->sites->len && g_array_index (self->sites, PdCallSite, site).node < node)
        site++;
      self->first_site[node] = site;
    }
  /* an interval comes behind the one around it */
  for (guint32 node = n; node-- > 1;)
    {
      guint32 parent = pd_interval_tree_get_parent (self->tree, node);
      self->next_sibling[node] = self->first_child[parent];
      self->first_child[parent] = node;
      for (guint i = 0; i < PD_N_WAIT_STATES; i++)
        self->all_waits[parent * PD_N_WAIT_STATES + i].ps +=
            self->all_waits[node * PD_N_WAIT_STATES + i].ps;
      self->all_path[parent].computation.ps += self->all_path[node].computation.ps;
      self->all_path[parent].communication.ps += self->all_path[node].communication.ps;
      self->busy[parent].time.ps += self->busy[node].time.ps;
      self->busy[parent].processor.ps += self->busy[node].processor.ps;
    }
}

/* Returns: the interval inside @around that follows @node in preorder; 0 = none. */
static guint32
next_within (const PdAnalysis *self, guint32 node, guint32 around)
{
  if (self->first_child[node] != 0)
    return self->first_child[node];
  while (node != around && self->next_sibling[node] == 0)
    node = pd_interval_tree_get_parent (self->tree, node);
  return node == around ? 0 : self->next_sibling[node];
}

/* Both ascend; so does what becomes of them. */
static GArray *
merge_ranks (const GArray *a, const GArray *b)
{
  GArray *merged = g_array_sized_new (FALSE, FALSE, sizeof (PdCallSiteRank), a->len);
  guint i = 0, k = 0;

  while (i < a->len || k < b->len)
    {
      const PdCallSiteRank *x = i < a->len ? &g_array_index (a, PdCallSiteRank, i) : NULL;
      const PdCallSiteRank *y = k < b->len ? &g_array_index (b, PdCallSiteRank, k) : NULL;
      PdCallSiteRank own = y == NULL || (x != NULL && x->rank <= y->rank) ? *x : *y;
      if (x != NULL && y != NULL && x->rank == y->rank)
        pd_call_costs_add (&own.costs, &y->costs);
      i += x != NULL && x->rank == own.rank;
      k += y != NULL && y->rank == own.rank;
      g_array_append_val (merged, own);
    }
  return merged;
}

static void
merge (PdCallSite *site, const PdCallSite *more)
{
  GArray *ranks = merge_ranks (site->ranks, more->ranks);

  g_array_unref (site->ranks);
  site->ranks = ranks;
  pd_call_costs_add (&site->costs, &more->costs);
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    site->waits[i].ps += more->waits[i].ps;
  site->n_polls += more->n_polls;
  site->on_path.ps += more->on_path.ps;
  pd_sizes_merge (&site->sizes, &more->sizes);
}

PdSpread
pd_call_site_get_spread (const PdCallSite *site)
{
  PdSpread spread = { .imbalance = NAN };
  PdWide most = -1;

  for (guint i = 0; i < site->ranks->len; i++)
    {
      const PdCallSiteRank *own = &g_array_index (site->ranks, PdCallSiteRank, i);
      if (own->costs.time.ps <= most)
        continue;
      most = own->costs.time.ps;
      spread.rank = own->rank;
    }
  if (site->costs.time.ps > 0)
    spread.imbalance = (gdouble) most * site->ranks->len / (gdouble) site->costs.time.ps;
  return spread;
}

GArray *
pd_analysis_get_sites (const PdAnalysis *self, guint32 node)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (PdCallSite)); /* borrowed ranks */
  GArray *sites = pd_sites_array_new ();

  guint32 own = node;

  do
    {
      for (guint32 i = self->first_site[own]; i < self->first_site[own + 1]; i++)
        {
          PdCallSite site = g_array_index (self->sites, PdCallSite, i);
          site.node = node;
          g_array_append_val (all, site);
        }
      own = next_within (self, own, node);
    }
  while (own != 0);
  g_array_sort_with_data (all, compare_places, (gpointer) self->program);
  for (guint i = 0; i < all->len; i++)
    {
      PdCallSite *site = &g_array_index (all, PdCallSite, i);
      PdCallSite *last = sites->len > 0 ? &g_array_index (sites, PdCallSite, sites->len - 1) : NULL;
      if (last != NULL && compare_places (last, site, (gpointer) self->program) == 0)
        merge (last, site);
      else
        {
          site->ranks = g_array_ref (site->ranks);
          g_array_append_val (sites, *site);
        }
    }
  return sites;
}

PdTails *
pd_sites_get_tails (const PdProgram *program)
{
  PdTails *tails = pd_tails_new ();

  for (guint32 i = 0; i < pd_program_get_n_sites (program); i++)
    pd_tails_add (tails, pd_program_get_site (program, i).file);
  return tails;
}

void
pd_analysis_append_place (const PdAnalysis *self, GString *text, const char *file, gint64 line)
{
  g_string_append (text, pd_tails_get (self->tails, file));
  if (file[0] != '\0' && line > 0)
    g_string_append_printf (text, ":%" G_GINT64_FORMAT, line);
}

char *
pd_analysis_describe_stack (const PdAnalysis *self, guint32 site)
{
  GString *text = g_string_new (NULL);

  while (site != PD_PROGRAM_NONE)
    {
      PdProgramSite place = pd_program_get_site (self->program, site);
      g_string_append (text, text->len > 0 ? " < " : "");
      pd_analysis_append_place (self, text, place.file, place.line);
      if (place.function[0] != '\0')
        g_string_append_printf (text, " (%s)", place.function);
      site = place.parent;
    }
  return g_string_free (text, FALSE);
}

void
pd_analysis_get_waits (const PdAnalysis *self, guint32 node, PdTimeSum *waits)
{
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    waits[i] = self->all_waits[node * PD_N_WAIT_STATES + i];
}

PdPathShare
pd_analysis_get_path (const PdAnalysis *self, guint32 node)
{
  return self->all_path[node];
}
