/* Processes dealt to cores, and paired on the channels between them.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-pairs.h"

#include <string.h>

/* A process that counts. */
typedef struct
{
  PdCpuPlace place;
  int rank;
} Member;

/* Members first … first + n - 1, all of one socket or one node. */
typedef struct
{
  guint first;
  guint n;
} Group;

/* Both ends of a channel, the fuller one first; of a memory, the same one. */
typedef struct
{
  Group ends[2];
  guint most; /* cf; 0: there is no such channel */
} Channel;

struct _PdPairs
{
  GArray *members; /* Member: by node, then as it fills up */
  GArray *sockets; /* Member: by node and socket */
  Channel channels[PD_N_LEVELS];
};

static const struct
{
  const char *name;
  const char *why;
} levels[PD_N_LEVELS] = {
  [PD_LEVEL_MEMORY] = { "memory", "no socket has two processes on cores of their own" },
  [PD_LEVEL_INTERCONNECT] = { "interconnect", "no node has processes on two sockets" },
  [PD_LEVEL_NETWORK] = { "network", "all processes are on one node" },
};

const char *
pd_level_name (PdPairLevel level)
{
  g_return_val_if_fail (level < PD_N_LEVELS, NULL);
  return levels[level].name;
}

PdPairLevel
pd_level_find (const char *name)
{
  for (PdPairLevel i = 0; i < PD_N_LEVELS; i++)
    if (strcmp (levels[i].name, name) == 0)
      return i;
  return PD_N_LEVELS;
}

const char *
pd_pairs_why (PdPairLevel level)
{
  g_return_val_if_fail (level < PD_N_LEVELS, NULL);
  return levels[level].why;
}

/* ---- seats */

static int
compare_keys (const int keys[][2], gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (keys[i][0] != keys[i][1])
      return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

typedef struct
{
  PdSeat seat;
  guint number;
} Numbered;

/* One thread of each core comes before the second ones. */
static int
compare_seats (gconstpointer a, gconstpointer b)
{
  const Numbered *x = a, *y = b;
  const int keys[][2] = { { x->seat.socket, y->seat.socket },
                          { x->seat.thread, y->seat.thread },
                          { x->seat.core, y->seat.core },
                          { (int) x->number, (int) y->number } };

  return compare_keys (keys, G_N_ELEMENTS (keys));
}

/* The usable processors, sorted; of a core its first allowed thread unless all are wanted. */
static GArray *
usable_seats (const PdSeat *seats, guint n_seats, const guint8 *allowed, gboolean threads)
{
  GArray *usable = g_array_new (FALSE, FALSE, sizeof (Numbered));
  g_autoptr (GHashTable) cores = g_hash_table_new (NULL, NULL);
  gboolean any = FALSE;
  guint kept = 0;

  for (guint i = 0; i < n_seats; i++)
    any = any || allowed[i] != 0;
  for (guint i = 0; i < n_seats; i++)
    if (!any || allowed[i] != 0)
      {
        Numbered one = { seats[i], i };
        g_array_append_val (usable, one);
      }
  g_array_sort (usable, compare_seats);
  for (guint i = 0; i < usable->len; i++)
    {
      Numbered one = g_array_index (usable, Numbered, i);
      if (g_hash_table_add (cores, GINT_TO_POINTER (one.seat.core)) || threads)
        g_array_index (usable, Numbered, kept++) = one;
    }
  g_array_set_size (usable, kept);
  return usable;
}

/* How many of each socket's seats are taken when @n processes come one by one to the
 * sockets in turn. @first: where sockets begin, and the end behind the last. */
static guint *
fill_sockets (const GArray *first, guint n)
{
  guint n_sockets = first->len - 1;
  guint *taken = g_new0 (guint, n_sockets);

  for (guint s = 0; n > 0; s = (s + 1) % n_sockets)
    {
      guint room = g_array_index (first, guint, s + 1) - g_array_index (first, guint, s);
      if (taken[s] == room)
        continue;
      taken[s]++;
      n--;
    }
  return taken;
}

guint *
pd_seats_deal (const PdSeat *seats, guint n_seats, const guint8 *allowed, guint n, gboolean threads)
{
  g_return_val_if_fail (n_seats > 0 && n > 0, NULL);

  g_autoptr (GArray) usable = usable_seats (seats, n_seats, allowed, threads);
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *taken = NULL;
  guint *dealt = g_new (guint, n);
  guint done = 0, places = MIN (n, usable->len);

  for (guint i = 0; i <= usable->len; i++)
    if (i == 0 || i == usable->len
        || g_array_index (usable, Numbered, i).seat.socket
               != g_array_index (usable, Numbered, i - 1).seat.socket)
      g_array_append_val (first, i);
  taken = fill_sockets (first, places);
  for (guint s = 0; s + 1 < first->len; s++)
    for (guint i = 0; i < taken[s]; i++)
      dealt[done++] = g_array_index (usable, Numbered, g_array_index (first, guint, s) + i).number;
  for (; done < n; done++)
    dealt[done] = dealt[done - places];
  return dealt;
}

/* ---- groups */

/* As a node fills up: one thread of each core first, socket by socket. */
static int
compare_in_node (gconstpointer a, gconstpointer b)
{
  const Member *x = a, *y = b;
  const int keys[][2] = { { x->place.node, y->place.node },
                          { x->place.thread, y->place.thread },
                          { x->place.socket, y->place.socket },
                          { x->place.core, y->place.core },
                          { x->rank, y->rank } };

  return compare_keys (keys, G_N_ELEMENTS (keys));
}

static int
compare_in_socket (gconstpointer a, gconstpointer b)
{
  const Member *x = a, *y = b;
  const int keys[][2] = { { x->place.node, y->place.node },
                          { x->place.socket, y->place.socket },
                          { x->place.thread, y->place.thread },
                          { x->place.core, y->place.core },
                          { x->rank, y->rank } };

  return compare_keys (keys, G_N_ELEMENTS (keys));
}

/* The core, then the thread, then who comes first: neighbours in this order share one. */
static int
compare_cores (gconstpointer a, gconstpointer b)
{
  const Member *x = a, *y = b;
  const int keys[][2] = { { x->place.node, y->place.node },
                          { x->place.core, y->place.core },
                          { x->place.thread, y->place.thread },
                          { x->rank, y->rank } };

  return compare_keys (keys, G_N_ELEMENTS (keys));
}

static GArray *
count_members (const PdCpuPlace *places, guint n, PdPairsOf of)
{
  GArray *members = g_array_sized_new (FALSE, FALSE, sizeof (Member), n);
  guint kept = 0;

  for (guint i = 0; i < n; i++)
    {
      Member one = { places[i], (int) i };
      g_array_append_val (members, one);
    }
  g_array_sort (members, compare_cores);
  for (guint i = 0; i < n; i++)
    {
      Member one = g_array_index (members, Member, i);
      const PdCpuPlace *last = kept > 0 ? &g_array_index (members, Member, kept - 1).place : NULL;
      gboolean same_core =
          last != NULL && last->node == one.place.node && last->core == one.place.core;
      gboolean same = same_core && (of == PD_PAIRS_CORES || last->thread == one.place.thread);
      if (!same || of == PD_PAIRS_PROCESSES)
        g_array_index (members, Member, kept++) = one;
    }
  g_array_set_size (members, kept);
  return members;
}

/* The group that begins at @first: of one socket, or of one node. */
static Group
group_at (const GArray *members, guint first, gboolean sockets)
{
  const PdCpuPlace *begin = &g_array_index (members, Member, first).place;
  Group group = { first, 0 };

  for (guint i = first; i < members->len; i++, group.n++)
    {
      const PdCpuPlace *place = &g_array_index (members, Member, i).place;
      if (place->node != begin->node || (sockets && place->socket != begin->socket))
        break;
    }
  return group;
}

/* Keeps the two fullest of the groups that are shown to it in order. */
static void
see_group (Channel *channel, Group group)
{
  if (group.n > channel->ends[0].n)
    {
      channel->ends[1] = channel->ends[0];
      channel->ends[0] = group;
    }
  else if (group.n > channel->ends[1].n)
    channel->ends[1] = group;
  channel->most = channel->ends[1].n;
}

static void
find_network (PdPairs *self)
{
  Group group;

  for (guint i = 0; i < self->members->len; i += group.n)
    {
      group = group_at (self->members, i, FALSE);
      see_group (&self->channels[PD_LEVEL_NETWORK], group);
    }
}

/* The fullest socket, and the node whose second fullest socket is the fullest. */
static void
find_sockets (PdPairs *self)
{
  Channel memory = { .most = 0 }, node = { .most = 0 };
  Channel *interconnect = &self->channels[PD_LEVEL_INTERCONNECT];
  int last = -1;
  Group group;

  for (guint i = 0; i < self->sockets->len; i += group.n)
    {
      int now = g_array_index (self->sockets, Member, i).place.node;
      group = group_at (self->sockets, i, TRUE);
      if (now != last)
        node = (Channel){ .most = 0 };
      last = now;
      see_group (&node, group);
      if (node.most > interconnect->most)
        *interconnect = node;
      if (group.n > memory.most)
        memory = (Channel){ { group, group }, group.n };
    }
  if (memory.most >= 2)
    self->channels[PD_LEVEL_MEMORY] = memory;
}

PdPairs *
pd_pairs_new (const PdCpuPlace *places, guint n, PdPairsOf of)
{
  PdPairs *self = g_new0 (PdPairs, 1);

  self->members = count_members (places, n, of);
  self->sockets = g_array_copy (self->members);
  g_array_sort (self->members, compare_in_node);
  g_array_sort (self->sockets, compare_in_socket);
  find_network (self);
  find_sockets (self);
  return self;
}

void
pd_pairs_free (PdPairs *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->members);
  g_array_unref (self->sockets);
  g_free (self);
}

/* ---- who exchanges */

static const Member *
member_at (const PdPairs *self, PdPairLevel level, int end, guint i)
{
  const GArray *members = level == PD_LEVEL_NETWORK ? self->members : self->sockets;

  return &g_array_index (members, Member, self->channels[level].ends[end].first + i);
}

static int
rank_at (const PdPairs *self, PdPairLevel level, int end, guint i)
{
  return member_at (self, level, end, i)->rank;
}

guint
pd_pairs_most (const PdPairs *self, PdPairLevel level)
{
  g_return_val_if_fail (level < PD_N_LEVELS, 0);
  return self->channels[level].most;
}

static void
add (GArray *exchanges, int rank, int to, int from)
{
  PdPairExchange one = { rank, to, from };

  g_array_append_val (exchanges, one);
}

/* Rings of two, but for the last of an odd number: of three, or of one. */
static void
share_memory (const PdPairs *self, guint cf, GArray *exchanges)
{
  guint length;

  for (guint begin = 0; begin < cf; begin += length)
    {
      length = cf - begin == 3 ? 3 : MIN (2, cf - begin);
      for (guint i = 0; i < length; i++)
        add (exchanges, rank_at (self, PD_LEVEL_MEMORY, 0, begin + i),
             rank_at (self, PD_LEVEL_MEMORY, 0, begin + (i + 1) % length),
             rank_at (self, PD_LEVEL_MEMORY, 0, begin + (i + length - 1) % length));
    }
}

static void
share_between (const PdPairs *self, PdPairLevel level, guint cf, GArray *exchanges)
{
  for (guint i = 0; i < cf; i++)
    {
      int first = rank_at (self, level, 0, i), second = rank_at (self, level, 1, i);
      add (exchanges, first, second, second);
      add (exchanges, second, first, first);
    }
}

GArray *
pd_pairs_share (const PdPairs *self, PdPairLevel level, guint cf)
{
  g_return_val_if_fail (level < PD_N_LEVELS && cf >= 1 && cf <= self->channels[level].most, NULL);

  GArray *exchanges = g_array_new (FALSE, FALSE, sizeof (PdPairExchange));
  if (level == PD_LEVEL_MEMORY)
    share_memory (self, cf, exchanges);
  else
    share_between (self, level, cf, exchanges);
  return exchanges;
}

void
pd_pairs_ends (const PdPairs *self, PdPairLevel level, int node[2], int socket[2])
{
  g_return_if_fail (level < PD_N_LEVELS && self->channels[level].most > 0);

  for (int end = 0; end < 2; end++)
    {
      const PdCpuPlace *place = &member_at (self, level, end, 0)->place;
      node[end] = place->node;
      socket[end] = place->socket;
    }
}
