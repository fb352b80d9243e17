/* What a page consists of, and the sections of the report.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_PRIVATE_H
#define PD_PAGE_PRIVATE_H

#include "reports/pd-json-private.h"
#include "reports/pd-page.h"

G_BEGIN_DECLS

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

/* Appends the element with the data of the charts. */
void pd_page_write_data (const PdPage *self, GString *out);

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

/* With CPU_time less Insufficient_parallelism they make up Total_time; from the first,
 * productive computation, I/O_time is to be taken away. */
extern const PdPagePart pd_page_parts[PD_PAGE_N_PARTS];

/* Returns: that part of the total time of @r. */
PdTimeSum pd_page_get_part (const PdIntervalResult *r, guint part);

/* Appends a cell with a bar of the parts of @r; @whole is what fills it. */
void pd_page_append_bar (GString *out, const PdIntervalResult *r, PdTimeSum whole);

/* Appends the key to their colours. */
void pd_page_append_key (GString *out);

/* ---- sections of the report. @prefix: of the keys of its data, "run1" */

/* Where time goes, in each interval. */
void pd_page_add_intervals (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_characteristics (PdPage *self, const PdReportRun *run);
void pd_page_add_processors (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_efficiencies (PdPage *self, const PdReport *report, const PdReportRun *run,
                               const char *prefix);
void pd_page_add_samples (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_recorded (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_sensitivity (PdPage *self, const PdReportRun *run, const char *prefix);
/* What the analysis of @run says of the program, and where one looks first. */
void pd_page_add_diagnosis (PdPage *self, const PdReportRun *run);
/* Wait states and call sites of each interval. */
void pd_page_add_analysis (PdPage *self, const PdReportRun *run, const char *prefix,
                           gboolean ranks);
void pd_page_add_machine (PdPage *self, const PdReport *report);
/* Of runs that have been followed. */
void pd_page_add_timeline (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_matrix (PdPage *self, const PdReportRun *run, const char *prefix);

/* Adds the words in "PREFIX-WHAT", an identifier or a key. */
char *pd_page_key (const char *prefix, const char *what);

G_END_DECLS

#endif
