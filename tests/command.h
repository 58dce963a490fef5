// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the command in a folder, as a script does. SB_COMMAND is its path.
#ifndef SB_TESTS_COMMAND_H
#define SB_TESTS_COMMAND_H

#include "tests/fixture.h"

#include <fcntl.h>
#include <sys/wait.h>

enum { ARGUMENTS_MAX = 20 };

/** A folder to work in, and what the last command said. */
typedef struct workplace {
  char folder[FOLDER_SIZE];
  char *out, *err;
  char *text; // of the last file
} workplace;

static inline int set_up_workplace(void **state) {
  workplace *w = calloc(1, sizeof *w);
  assert_non_null(w);
  make_folder(w->folder);
  *state = w;
  return 0;
}

static inline int tear_down_workplace(void **state) {
  workplace *w = *state;
  remove_folder(w->folder);
  free(w->out);
  free(w->err);
  free(w->text);
  free(w);
  return 0;
}

static inline void redirect(const char *path, int descriptor) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0) {
    _exit(126);
  }
  (void)close(file);
}

/** Starts the command in the folder with the words of `line`: separated by blanks, or in '...'. */
static inline pid_t start_command(const workplace *w, const char *line) {
  const char *program = getenv("SB_COMMAND");
  assert_non_null(program);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    char words[1024], *argv[ARGUMENTS_MAX] = {(char *)program}, *rest = words;
    (void)snprintf(words, sizeof words, "%s", line);
    for (int i = 1; i < ARGUMENTS_MAX - 1 && rest != NULL; i++) {
      rest += strspn(rest, " ");
      bool quoted = *rest == '\'';
      argv[i] = *rest == '\0' ? NULL : rest + quoted;
      rest = strpbrk(rest + quoted, quoted ? "'" : " ");
      if (rest != NULL) {
        *rest++ = '\0';
      }
    }
    if (chdir(w->folder) != 0) {
      _exit(126);
    }
    redirect("stdout", STDOUT_FILENO);
    redirect("stderr", STDERR_FILENO);
    (void)execv(program, argv);
    _exit(126);
  }
  return child;
}

/** Waits for its end. @return its exit code */
static inline int finish_command(workplace *w, pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  free(w->out);
  free(w->err);
  w->out = read_file(w->folder, "stdout");
  w->err = read_file(w->folder, "stderr");
  if (!WIFEXITED(status)) {
    fail_msg("ended by signal %d: %s", WTERMSIG(status), w->err);
  }
  return WEXITSTATUS(status);
}

static inline int run_command(workplace *w, const char *line) {
  return finish_command(w, start_command(w, line));
}

static inline void expect_code(workplace *w, const char *line, int expected) {
  int code = run_command(w, line);
  if (code != expected) {
    fail_msg("screwbond %s: exit %d, not %d\n%s%s", line, code, expected, w->out, w->err);
  }
}

/** The text of a file of the folder, until the next one is asked for; there must be one. */
static inline const char *file_text(workplace *w, const char *name) {
  free(w->text);
  w->text = read_file(w->folder, name);
  if (w->text == NULL) {
    fail_msg("there is no file %s", name);
  }
  return w->text;
}

#endif
