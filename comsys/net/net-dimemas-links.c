/* Assignment of links to transfers by the rules of Dimemas.
 *
 * A transfer first takes a link out of its source, then one into its target. If its
 * source has no free link out, it may borrow the link of another transfer that still
 * waits for its second link; but only if it can start then. The lender waits for a
 * link out again, before all others. Links that carry both directions are lent for
 * either.
 *
 * A free link is offered to the first transfer that waits for it; a link that carries
 * both directions also to the first transfer that waits for the other direction. A
 * transfer that cannot start then goes to the end of the queue.
 *
 * Without lending (the memory of a node), and where links carry both directions,
 * the link of the endpoint of the lower number is taken first, so that no two wait
 * for each other.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-dimemas-private.h"
#include "comsys/net/net-dimemas-links-private.h"

/* ---- queues */

void
pd_links_append (PdDimemas *self, PdLinksQueue *queue, guint32 item)
{
  PdLinksItem *new = &self->items[item];

  new->next = 0;
  new->previous = queue->tail;
  *(queue->tail == 0 ? &queue->head : &self->items[queue->tail].next) = item;
  queue->tail = item;
}

static void
prepend (PdDimemas *self, PdLinksQueue *queue, guint32 item)
{
  PdLinksItem *new = &self->items[item];

  new->previous = 0;
  new->next = queue->head;
  *(queue->head == 0 ? &queue->tail : &self->items[queue->head].previous) = item;
  queue->head = item;
}

static void
take_out (PdDimemas *self, PdLinksQueue *queue, guint32 item)
{
  const PdLinksItem *old = &self->items[item];

  *(old->previous == 0 ? &queue->head : &self->items[old->previous].next) = old->next;
  *(old->next == 0 ? &queue->tail : &self->items[old->next].previous) = old->previous;
}

guint32
pd_links_pop (PdDimemas *self, PdLinksQueue *queue)
{
  guint32 item = queue->head;

  if (item != 0)
    take_out (self, queue, item);
  return item;
}

/* ---- lending */

/* From now on it has a link out and waits for another. */
static void
add_lender (PdDimemas *self, guint32 item)
{
  PdLinksItem *new = &self->items[item];
  PdLinksQueue *lenders = &self->links[new->ends[PD_LINKS_OUT]].lenders;

  if (new->lends)
    return;
  new->lends = TRUE;
  new->next_lender = 0;
  new->previous_lender = lenders->tail;
  *(lenders->tail == 0 ? &lenders->head : &self->items[lenders->tail].next_lender) = item;
  lenders->tail = item;
}

static void
remove_lender (PdDimemas *self, guint32 item)
{
  PdLinksItem *old = &self->items[item];
  PdLinksQueue *lenders = &self->links[old->ends[PD_LINKS_OUT]].lenders;

  if (!old->lends)
    return;
  old->lends = FALSE;
  *(old->previous_lender == 0 ? &lenders->head : &self->items[old->previous_lender].next_lender) =
      old->next_lender;
  *(old->next_lender == 0 ? &lenders->tail : &self->items[old->next_lender].previous_lender) =
      old->previous_lender;
}

/* The link of the first lender of @endpoint is another's. */
static void
borrow (PdDimemas *self, guint32 endpoint)
{
  PdLinks *links = &self->links[endpoint];
  guint32 lender = links->lenders.head;
  PdLinksItem *item = &self->items[lender];

  remove_lender (self, lender);
  item->has[PD_LINKS_OUT] = FALSE;
  take_out (self, &self->links[item->ends[PD_LINKS_IN]].queues[PD_LINKS_IN], lender);
  prepend (self, &links->queues[PD_LINKS_OUT], lender);
}

/* ---- getting */

static guint32 *
free_links (PdDimemas *self, guint32 endpoint, PdLinksWay way)
{
  return &self->links[endpoint].free[self->half_duplex ? PD_LINKS_OUT : way];
}

/* Whether the transfer has a link of that kind now. */
static gboolean
take_free (PdDimemas *self, PdLinksItem *item, PdLinksWay way)
{
  guint32 *n_free = free_links (self, item->ends[way], way);

  if (item->has[way])
    return TRUE;
  if (*n_free == 0)
    return FALSE;
  (*n_free)--;
  item->has[way] = TRUE;
  return TRUE;
}

static gboolean
wait_at (PdDimemas *self, guint32 i, PdLinksWay way)
{
  pd_links_append (self, &self->links[self->items[i].ends[way]].queues[way], i);
  return FALSE;
}

static gboolean
get_by_lending (PdDimemas *self, guint32 i)
{
  PdLinksItem *item = &self->items[i];
  guint32 source = item->ends[PD_LINKS_OUT], target = item->ends[PD_LINKS_IN];
  gboolean has_out = take_free (self, item, PD_LINKS_OUT);

  if (!has_out && self->links[source].lenders.head == 0)
    return wait_at (self, i, PD_LINKS_OUT);
  gboolean borrows_in = FALSE;
  if (!take_free (self, item, PD_LINKS_IN))
    borrows_in = self->half_duplex && self->links[target].lenders.head != 0;
  if (!item->has[PD_LINKS_IN] && !borrows_in)
    {
      if (!has_out)
        return wait_at (self, i, PD_LINKS_OUT);
      add_lender (self, i);
      return wait_at (self, i, PD_LINKS_IN);
    }
  if (!has_out)
    borrow (self, source);
  if (borrows_in)
    borrow (self, target);
  remove_lender (self, i);
  item->has[PD_LINKS_OUT] = item->has[PD_LINKS_IN] = TRUE;
  return TRUE;
}

static gboolean
get_in_order (PdDimemas *self, guint32 i)
{
  PdLinksItem *item = &self->items[i];
  gboolean in_first = self->half_duplex && item->ends[PD_LINKS_OUT] > item->ends[PD_LINKS_IN];
  PdLinksWay first = in_first ? PD_LINKS_IN : PD_LINKS_OUT;
  PdLinksWay second = in_first ? PD_LINKS_OUT : PD_LINKS_IN;

  if (!take_free (self, item, first))
    return wait_at (self, i, first);
  return take_free (self, item, second) || wait_at (self, i, second);
}

gboolean
pd_links_get (PdDimemas *self, guint32 item)
{
  const PdLinksItem *wanted = &self->items[item];

  if (!self->is_limited || wanted->ends[PD_LINKS_OUT] == wanted->ends[PD_LINKS_IN])
    return TRUE;
  return self->config->lending == PD_DIMEMAS_LENDS ? get_by_lending (self, item)
                                                   : get_in_order (self, item);
}

void
pd_links_release (PdDimemas *self, guint32 endpoint, PdLinksWay way)
{
  (*free_links (self, endpoint, way))++;
}
