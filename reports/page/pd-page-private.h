/* The parts of a page, and the sections of the report.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_PRIVATE_H
#define PD_PAGE_PRIVATE_H

#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-json.h"
#include "reports/run/pd-report-types.h"
#include "reports/page/pd-page.h"

struct _PdPage
{
  char *title;
  GString *head;
  GString *tiles;
  GString *contents;
  GString *body;
  PdJson json;    /* without the last bracket */
  guint folded;   /* the section under way: a bit for each level, whether it can be folded */
  guint depth;    /* of sections */
  gsize room_end; /* how large words and data may be together */
};

/* Returns: how many bytes may be added until the room of pd_page_set_room() is full. */
gsize pd_page_get_left (const PdPage *self);

/* ---- what time is made of */

#define PD_PAGE_N_PARTS 5

typedef struct
{
  const char *style; /* the class that has its colour */
  const char *name;  /* "communication" */
  PdCharacteristic c;
} PdPagePart;

/* ---- sections of the report. @prefix: of the keys of its data, "run1" */

/* Adds the words in "PREFIX-WHAT", an identifier or a key. */
char *pd_page_key (const char *prefix, const char *what);

#endif
