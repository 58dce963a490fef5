// SPDX-License-Identifier: GPL-3.0-or-later
// Models of a graph whose elements come and go: a copy of the graph with those that its neighbours call for.
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/model_data.h"

static sb_status populate(const sb_graph *source, const double monitored[], sb_lasting lasting,
                          sb_graph *graph, sb_error *err) {
  for (int i = 0; i < source->neighbour_count; i++) {
    const sb_neighbours *list = &source->neighbours[i];
    graph->place = graph->neighbours[i].place;
    SB_TRY(list->hooks->populate(list->self, monitored, lasting, graph, err));
    monitored += list->count * list->width;
  }
  return SB_OK;
}

static void report(const sb_graph *graph, sb_error *err, sb_errors *errors) {
  if (graph != NULL) {
    sb_place_into(&graph->place, err);
  }
  sb_errors_add(errors, err);
}

sb_status sb_model_populate(const sb_graph *source, const double monitored[], sb_lasting lasting,
                            sb_model **model, sb_errors *errors) {
  sb_graph *graph;
  sb_error err = {0};
  *model = NULL;
  sb_status status = sb_graph_copy(source, false, &graph, &err);
  if (status == SB_OK) {
    status = populate(source, monitored, lasting, graph, &err);
  }
  if (status != SB_OK) {
    report(graph, &err, errors);
  } else {
    status = sb_model_compile_graph(graph, model, errors);
  }
  sb_graph_destroy(graph);
  if (status != SB_OK) {
    return status;
  }
  int count = (*model)->network.monitored_count;
  (*model)->monitored = sb_zeroed(count, sizeof(double));
  if ((*model)->monitored == NULL) {
    sb_model_destroy(*model);
    *model = NULL;
    return SB_ERR_MEMORY;
  }
  memcpy((*model)->monitored, monitored, (size_t)count * sizeof(double));
  return SB_OK;
}

/** Where those that the graph monitors are at the start: found without a program. */
static sb_status read_start(const sb_graph *source, double **monitored, sb_errors *errors) {
  sb_network network = {0};
  sb_error err = {0};
  sb_status status = sb_network_build(source, &network, errors);
  if (status == SB_OK) {
    status = sb_layout_build(source, &network, errors);
  }
  if (status == SB_OK) {
    *monitored = sb_zeroed(network.monitored_count, sizeof(double));
    status = *monitored == NULL ? sb_fail(&err, SB_ERR_MEMORY, "out of memory")
                                : sb_monitors_start(&network, *monitored, &err);
    if (status != SB_OK) {
      sb_errors_add(errors, &err);
    }
  }
  sb_network_finish(&network);
  return status;
}

sb_status sb_model_populate_start(const sb_graph *graph, sb_model **model, sb_errors *errors) {
  sb_graph *source;
  sb_error err = {0};
  double *monitored = NULL;
  *model = NULL;
  sb_status status = sb_graph_copy(graph, true, &source, &err);
  if (status != SB_OK) {
    sb_errors_add(errors, &err);
    return status;
  }
  status = read_start(source, &monitored, errors);
  if (status == SB_OK) {
    status = sb_model_populate(source, monitored, (sb_lasting){0}, model, errors);
  }
  free(monitored);
  if (status != SB_OK) {
    sb_graph_destroy(source);
    return status;
  }
  (*model)->source = source;
  return SB_OK;
}
