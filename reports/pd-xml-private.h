/* Writing XML, attribute by attribute.
 * SPDX-License-Identifier: MIT */
#ifndef PD_XML_PRIVATE_H
#define PD_XML_PRIVATE_H

#include "reports/pd-report-private.h"

G_BEGIN_DECLS

/* A blank for each of @depth levels. */
void pd_xml_append_indent (GString *out, guint depth);

/* An attribute of the tag under way. */
void pd_xml_append_attribute (GString *out, const char *name, const char *value);
void pd_xml_append_integer (GString *out, const char *name, PdWide value);
void pd_xml_append_seconds (GString *out, const char *name, PdTimeSum value);
void pd_xml_append_double (GString *out, const char *name, const char *format, gdouble value);

/* ---- parts of the report, in pd-analysis-xml.c */

/* The attributes of a run that has been analysed. */
void pd_xml_append_analysed_run (GString *out, const PdReportRun *run);
/* The elements of an interval of such a run; @ranks: what each has of a call site, too. */
void pd_xml_append_analysed_interval (GString *out, const PdReportRun *run,
                                      const PdIntervalResult *r, gboolean ranks);

G_END_DECLS

#endif
