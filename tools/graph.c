// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond graph: the bond graph as text for Graphviz, or drawn by its command dot.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/analysis/drawing.h"
#include "load.h"
#include "report/whole_file.h"

enum { NOT_FOUND = 127 };

static sb_status write_all(int descriptor, const char *text, sb_error *err) {
  for (size_t left = strlen(text); left > 0;) {
    ssize_t done = write(descriptor, text, left);
    if (done < 0 && errno != EINTR) {
      return sb_fail(err, SB_ERR_IO, "cannot write the drawing: %s", strerror(errno));
    }
    text += done > 0 ? done : 0;
    left -= done > 0 ? (size_t)done : 0;
  }
  return SB_OK;
}

/** The drawing as a file that can be read from its start. */
static FILE *spool(const char *text, sb_error *err) {
  FILE *file = tmpfile();
  if (file == NULL) {
    (void)sb_fail(err, SB_ERR_IO, "cannot make a temporary file: %s", strerror(errno));
    return NULL;
  }
  if (write_all(fileno(file), text, err) != SB_OK || lseek(fileno(file), 0, SEEK_SET) != 0) {
    (void)fclose(file);
    return NULL;
  }
  return file;
}

/** Runs dot without a shell, from `in` to `out`. */
static sb_status run_dot(int in, int out, sb_error *err) {
  char program[] = "dot", format[] = "-Tsvg";
  char *const argv[] = {program, format, NULL};
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) {
      (void)execvp(program, argv);
    }
    _exit(NOT_FOUND);
  }
  if (child < 0) {
    return sb_fail(err, SB_ERR_IO, "cannot start dot: %s", strerror(errno));
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
    (void)sb_fail(err, SB_ERR_IO, "--svg needs the command dot, which is not installed");
    sb_error_hint(err, "it is in the Debian package graphviz: apt install graphviz");
    return SB_ERR_IO;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return sb_fail(err, SB_ERR_IO, "dot failed");
  }
  return SB_OK;
}

static sb_status draw(const char *text, bool svg, FILE *out, sb_error *err) {
  if (!svg) {
    return fputs(text, out) >= 0 && fflush(out) == 0
               ? SB_OK
               : sb_fail(err, SB_ERR_IO, "cannot write the drawing: %s", strerror(errno));
  }
  FILE *in = spool(text, err);
  if (in == NULL) {
    return SB_ERR_IO;
  }
  sb_status status = run_dot(fileno(in), fileno(out), err);
  (void)fclose(in);
  return status;
}

/** Copies a file from its start. */
static void copy(const void *context, FILE *out) {
  FILE *in = *(FILE *const *)context;
  char block[4096];
  rewind(in);
  for (size_t size; (size = fread(block, 1, sizeof block, in)) > 0;) {
    (void)fwrite(block, 1, size, out);
  }
}

/** Writes a file whole or not at all: what has been drawn without fault. */
static sb_status draw_file(const char *text, const arguments *args, sb_error *err) {
  SB_TRY(sb_file_replaceable(args->folder, err));
  FILE *drawn = tmpfile();
  if (drawn == NULL) {
    return sb_fail(err, SB_ERR_IO, "cannot make a temporary file: %s", strerror(errno));
  }
  sb_status status = draw(text, args->svg, drawn, err);
  if (status == SB_OK) {
    status = sb_whole_file(args->folder, copy, &drawn, err);
  }
  (void)fclose(drawn);
  return status;
}

int graph_model(const arguments *args) {
  loaded model;
  int code = loaded_init(&model, args);
  if (code == EXIT_FINE) {
    sb_error err = {0};
    char *text;
    sb_status status = sb_model_draw(model.model, &text, &err);
    if (status == SB_OK) {
      status =
          args->folder != NULL ? draw_file(text, args, &err) : draw(text, args->svg, stdout, &err);
    }
    free(text);
    code = status == SB_OK ? code : complain_once(&err, args->json);
  }
  loaded_finish(&model);
  return code;
}
