// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/number.h"
#include "core/network/quantity.h"
#include "report/put_private.h"
#include "report/whole_file.h"

struct sb_results {
  FILE *out;
  int components;          // of all columns
  int lines, lines_max;    // in the buffer, and how many it holds at least
  struct timespec flushed; // when lines were last handed to the system
  char *buffer;            // so large that the system never sees a part of a line
  char path[];
};

enum { NAME_MAX_LENGTH = 512, BUFFER_SIZE = 1 << 16 };
/** Who reads along, or kills the run, misses no more lines than those of this time [s]. */
static const double interval = 0.2;

static void put_header(const sb_results *results, const sb_results_column columns[], int count) {
  (void)fputs("t [s]", results->out);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < columns[i].count; k++) {
      char name[NAME_MAX_LENGTH], field[NAME_MAX_LENGTH + 80], unit[64];
      const char *units = columns[i].unit == NULL ? "" : columns[i].unit;
      sb_component_name(name, sizeof name, columns[i].label, k, columns[i].count);
      (void)sb_unit_of_component(units, k, unit);
      (void)snprintf(field, sizeof field, "%s%s%s%s", name, unit[0] == '\0' ? "" : " [", unit,
                     unit[0] == '\0' ? "" : "]");
      (void)fputc(',', results->out);
      sb_put_csv_field(results->out, field);
    }
  }
  (void)fputs("\r\n", results->out);
}

static sb_status flush(sb_results *results, sb_error *err) {
  results->lines = 0;
  (void)clock_gettime(CLOCK_MONOTONIC, &results->flushed);
  if (fflush(results->out) != 0) {
    return sb_fail(err, SB_ERR_IO, "cannot write %s: %s", results->path, strerror(errno));
  }
  return SB_OK;
}

static bool is_due(const sb_results *results) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  double elapsed = (double)(now.tv_sec - results->flushed.tv_sec) +
                   1e-9 * (double)(now.tv_nsec - results->flushed.tv_nsec);
  return results->lines >= results->lines_max || elapsed >= interval;
}

/** A buffer for lines of the present columns, with a separator behind each number. */
static sb_status make_buffer(sb_results *results, sb_error *err) {
  size_t line = ((size_t)results->components + 1) * (SB_NUMBER_SIZE + 1) + 2;
  size_t size = line > BUFFER_SIZE ? line : BUFFER_SIZE;
  results->buffer = malloc(size);
  if (results->buffer == NULL || setvbuf(results->out, results->buffer, _IOFBF, size) != 0) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  results->lines_max = (int)(size / line);
  return SB_OK;
}

sb_status sb_results_create(const char *path, const sb_results_column columns[], int count,
                            sb_results **results, sb_error *err) {
  *results = NULL;
  sb_results *made = malloc(sizeof *made + strlen(path) + 1);
  if (made == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  char *draft;
  *made = (sb_results){0};
  for (int i = 0; i < count; i++) {
    made->components += columns[i].count;
  }
  (void)strcpy(made->path, path);
  sb_status status = sb_draft_open(path, &made->out, &draft, err);
  if (status != SB_OK) {
    free(made);
    return status;
  }
  status = make_buffer(made, err);
  put_header(made, columns, count);
  status = status == SB_OK ? flush(made, err) : status;
  sb_status renamed = sb_draft_finish(path, draft, status == SB_OK, status == SB_OK ? err : NULL);
  if (status != SB_OK || renamed != SB_OK) {
    (void)sb_results_destroy(made, NULL);
    return status != SB_OK ? status : renamed;
  }
  *results = made;
  return SB_OK;
}

sb_status sb_results_add(sb_results *results, double t, const double values[], sb_error *err) {
  sb_put_number(results->out, t);
  for (int i = 0; i < results->components; i++) {
    (void)fputc(',', results->out);
    sb_put_number(results->out, values[i]);
  }
  (void)fputs("\r\n", results->out);
  results->lines++;
  return is_due(results) ? flush(results, err) : SB_OK;
}

sb_status sb_results_destroy(sb_results *results, sb_error *err) {
  if (results == NULL) {
    return SB_OK;
  }
  sb_status status = SB_OK;
  if (fclose(results->out) != 0) {
    status = sb_fail(err, SB_ERR_IO, "cannot write %s: %s", results->path, strerror(errno));
  }
  free(results->buffer);
  free(results);
  return status;
}
