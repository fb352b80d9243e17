/* What "predictor help TOPIC" says of subjects that are no commands, from the tables that the
 * program itself works by. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_HELP_TOPICS_H
#define PD_HELP_TOPICS_H

#include <glib.h>

/**
 * pd_help_topics:
 * Returns: (transfer none) (array zero-terminated=1): the names of the topics.
 */
const char *const *pd_help_topics (void);

/**
 * pd_help_topic_format:
 * @name: the name of a topic
 *
 * Returns: (transfer full) (nullable): the text, lines that end with a newline; %NULL if there is
 *   no such topic.
 */
char *pd_help_topic_format (const char *name);

#endif
