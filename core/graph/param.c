// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/param.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

enum { DEFAULT_COUNT_MAX = 16 };

static bool is_alias(const char *aliases, const char *name) {
  size_t length = strlen(name);
  for (const char *word = aliases; word != NULL && *word != '\0';) {
    size_t size = strcspn(word, " ");
    if (size == length && memcmp(word, name, size) == 0) {
      return true;
    }
    word += size + strspn(word + size, " ");
  }
  return false;
}

const sb_param *sb_param_find(const sb_param *table, const char *name) {
  for (const sb_param *param = table; param != NULL && param->name != NULL; param++) {
    if (strcmp(param->name, name) == 0 || is_alias(param->aliases, name)) {
      return param;
    }
  }
  return NULL;
}

/** The name as a netlist writes it: rows named after fields have '_' for '-'. */
static const char *spelled(const sb_param *param, char name[64]) {
  size_t i = 0;
  for (; param->name[i] != '\0' && i < 63; i++) {
    name[i] = (char)(param->name[i] == '_' ? '-' : param->name[i]);
  }
  name[i] = '\0';
  return name;
}

static const double least = 1e-100, most = 1e100; // SI

sb_status sb_direction_check(const char *name, const double values[], int count, sb_error *err) {
  double length = 0;
  for (int i = 0; i < count; i++) {
    length = fmax(length, fabs(values[i]));
  }
  if (length == 0) {
    return sb_fail(err, SB_ERR_RANGE, "%s is zero, and tells no direction", name);
  }
  if (length >= least && length <= most) {
    return SB_OK;
  }
  return sb_fail(err, SB_ERR_RANGE, "%s must have a length from %s to %s, not %s", name,
                 sb_number_word(least).text, sb_number_word(most).text,
                 sb_number_word(length).text);
}

static sb_status check_range(const sb_param *param, const double values[], int count,
                             sb_error *err) {
  char name[64];
  (void)spelled(param, name);
  bool positive = param->range == SB_POSITIVE || (param->range == SB_ONE_POSITIVE && count == 1);
  bool not_negative =
      param->range == SB_NOT_NEGATIVE || (param->range == SB_ONE_NOT_NEGATIVE && count == 1);
  for (int i = 0; i < count; i++) {
    if (!isfinite(values[i])) {
      return sb_fail(err, SB_ERR_RANGE, "%s must be finite", name);
    }
    if (positive && !(values[i] > 0)) {
      return sb_fail(err, SB_ERR_RANGE, "%s must be positive", name);
    }
    if (not_negative && !(values[i] >= 0)) {
      return sb_fail(err, SB_ERR_RANGE, "%s must not be negative", name);
    }
    if (param->range == SB_NONZERO && values[i] == 0) {
      return sb_fail(err, SB_ERR_RANGE, "%s must not be zero", name);
    }
    if (param->range == SB_INCREASING && i > 0 && !(values[i] > values[i - 1])) {
      return sb_fail(err, SB_ERR_RANGE,
                     "%s must increase from each number to the next: %s follows %s", name,
                     sb_number_word(values[i]).text, sb_number_word(values[i - 1]).text);
    }
  }
  return param->range == SB_DIRECTION ? sb_direction_check(name, values, count, err) : SB_OK;
}

static sb_status check_size(const char *name, double value, bool sized, bool zero, sb_error *err) {
  const double size = fabs(value), low = sized ? least : -most, high = most;
  if (size == 0 || (size <= most && (size >= least || !sized))) {
    return SB_OK;
  }
  return sb_fail(err, SB_ERR_RANGE, "%s must be %sfrom %s to %s in SI units%s, not %s", name,
                 zero ? "zero or " : "", sb_number_word(low).text, sb_number_word(high).text,
                 sized && value < 0 ? ", or minus that" : "", sb_number_word(value).text);
}

sb_status sb_param_check_size(const sb_param *param, const double values[], int count,
                              sb_error *err) {
  const bool zero = param->range == SB_NOT_NEGATIVE || param->range == SB_ONE_NOT_NEGATIVE;
  const bool sized = zero || param->range == SB_POSITIVE || param->range == SB_ONE_POSITIVE ||
                     param->range == SB_NONZERO;
  char name[64];
  for (int i = 0; i < count && param->range != SB_DIRECTION; i++) {
    SB_TRY(check_size(spelled(param, name), values[i], sized, zero, err));
  }
  return SB_OK;
}

static sb_status set_list(sb_list *list, const double values[], int count, sb_error *err) {
  double *copy = malloc((size_t)count * sizeof *copy);
  if (copy == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(copy, values, (size_t)count * sizeof *copy);
  free(list->values);
  *list = (sb_list){copy, count};
  return SB_OK;
}

sb_status sb_param_set(const sb_param *param, void *self, const double values[], int count,
                       sb_error *err) {
  char *field = (char *)self + param->offset;
  int wanted = param->kind == SB_PARAM_VECTOR ? param->count : 1;
  char name[64];
  (void)spelled(param, name);
  if (param->kind == SB_PARAM_CHOICE || param->kind == SB_PARAM_FLAG) {
    return sb_fail(err, SB_ERR_CHOICE, "%s takes a word, not a number", name);
  }
  if (param->kind == SB_PARAM_EXPRESSION) {
    return sb_fail(err, SB_ERR_CHOICE, "%s takes an expression, not a number", name);
  }
  if (param->kind == SB_PARAM_LIST ? count < 1 : count != wanted) {
    return sb_fail(err, SB_ERR_DIMENSION, "%s takes %d number%s, got %d", name, wanted,
                   wanted == 1 ? "" : "s", count);
  }
  SB_TRY(check_range(param, values, count, err));
  if (param->formula != NULL) {
    sb_param_take(param->formula, self, NULL);
  }
  if (param->kind == SB_PARAM_LIST) {
    return set_list((sb_list *)(void *)field, values, count, err);
  }
  if (param->kind == SB_PARAM_INT) {
    if (values[0] != floor(values[0]) || fabs(values[0]) > 1e9) {
      return sb_fail(err, SB_ERR_RANGE, "%s must be a whole number", name);
    }
    int whole = (int)values[0];
    memcpy(field, &whole, sizeof whole);
    return SB_OK;
  }
  memcpy(field, values, (size_t)count * sizeof *values);
  return SB_OK;
}

static const char *const flag_words[] = {"no", "yes", NULL};

sb_status sb_param_choose(const sb_param *param, void *self, const char *word, sb_error *err) {
  char name[64];
  (void)spelled(param, name);
  const char *const *words = param->kind == SB_PARAM_FLAG ? flag_words : param->choices;
  if (param->kind != SB_PARAM_CHOICE && param->kind != SB_PARAM_FLAG) {
    return sb_fail(err, SB_ERR_CHOICE, "%s takes a number, not a word", name);
  }
  for (int i = 0; words[i] != NULL; i++) {
    if (strcmp(words[i], word) == 0) {
      if (param->kind == SB_PARAM_FLAG) {
        *(bool *)((char *)self + param->offset) = i == 1;
      } else {
        memcpy((char *)self + param->offset, &i, sizeof i);
      }
      return SB_OK;
    }
  }
  char list[200] = "";
  for (int i = 0; words[i] != NULL; i++) {
    if (strlen(list) + strlen(words[i]) + 3 < sizeof list) {
      strcat(strcat(list, i == 0 ? "" : ", "), words[i]);
    }
  }
  sb_status status = sb_fail(err, SB_ERR_CHOICE, "%s cannot be '%s'", name, word);
  sb_error_hint(err, "one of: %s", list);
  return status;
}

static sb_expression **expression_of(const sb_param *param, void *self) {
  return (sb_expression **)(void *)((char *)self + param->offset);
}

void sb_param_take(const sb_param *param, void *self, sb_expression *expression) {
  sb_expression **field = expression_of(param, self);
  sb_expression_destroy(*field);
  *field = expression;
}

sb_status sb_param_express(const sb_param *param, void *self, const char *text, sb_error *err) {
  char name[64];
  const sb_param *row = param->formula != NULL ? param->formula : param;
  if (row->kind != SB_PARAM_EXPRESSION) {
    return sb_fail(err, SB_ERR_CHOICE, "%s takes no expression", spelled(param, name));
  }
  static const char *const signals[SB_SIGNALS_MAX] = {"u1", "u2", "u3", "u4",
                                                      "u5", "u6", "u7", "u8"};
  const char *variables[SB_EXPRESSION_VARIABLES_MAX];
  sb_vocabulary vocabulary = {.variables = variables,
                              .signal_count = row->signals ? SB_SIGNALS_MAX : 0};
  for (const sb_argument *a = row->arguments; a != NULL && a->name != NULL; a++) {
    variables[vocabulary.variable_count++] = a->name;
  }
  for (int i = 0; i < vocabulary.signal_count; i++) {
    variables[vocabulary.variable_count++] = signals[i];
  }
  sb_expression *expression;
  SB_TRY(sb_expression_compile(text, strlen(text), &vocabulary, &expression, err));
  sb_expression_fold(expression);
  sb_param_take(row, self, expression);
  return SB_OK;
}

static bool set_default(const sb_param *param, void *self) {
  if (param->kind == SB_PARAM_CHOICE || param->kind == SB_PARAM_FLAG) {
    (void)sb_param_choose(param, self, param->fallback, NULL);
    return true;
  }
  if (param->kind == SB_PARAM_EXPRESSION) {
    return true; // left out
  }
  double values[DEFAULT_COUNT_MAX];
  int count = 0;
  size_t used;
  for (const char *text = param->fallback; *text != '\0' && count < DEFAULT_COUNT_MAX;
       text += used) {
    text += strspn(text, " ");
    if (sb_number_parse(text, strlen(text), &values[count], &used) != SB_OK) {
      return true;
    }
    count++;
  }
  return sb_param_set(param, self, values, count, NULL) != SB_ERR_MEMORY;
}

bool sb_params_default(const sb_param *table, void *self) {
  bool ok = true;
  for (const sb_param *param = table; param != NULL && param->name != NULL; param++) {
    ok = (param->fallback == NULL || set_default(param, self)) && ok;
  }
  return ok;
}

static sb_status copy_owned(const sb_param *param, void *copy, sb_status status, sb_error *err) {
  if (param->kind == SB_PARAM_LIST) {
    sb_list *list = (sb_list *)(void *)((char *)copy + param->offset);
    sb_list source = *list;
    *list = (sb_list){0};
    if (status == SB_OK && source.values != NULL) {
      status = set_list(list, source.values, source.count, err);
    }
  } else if (param->kind == SB_PARAM_EXPRESSION) {
    sb_expression **field = expression_of(param, copy), *source = *field;
    *field = NULL;
    if (status == SB_OK && source != NULL) {
      status = sb_expression_copy(source, field, err);
    }
  }
  return param->formula != NULL ? copy_owned(param->formula, copy, status, err) : status;
}

sb_status sb_params_copy(const sb_param *table, const void *self, size_t size, void *copy,
                         sb_error *err) {
  memcpy(copy, self, size);
  sb_status status = SB_OK;
  for (const sb_param *param = table; param != NULL && param->name != NULL; param++) {
    status = copy_owned(param, copy, status, err);
  }
  return status;
}

static void free_owned(const sb_param *param, void *self) {
  if (param->kind == SB_PARAM_LIST) {
    sb_list *list = (sb_list *)(void *)((char *)self + param->offset);
    free(list->values);
    *list = (sb_list){0};
  } else if (param->kind == SB_PARAM_EXPRESSION) {
    sb_param_take(param, self, NULL);
  }
  if (param->formula != NULL) {
    free_owned(param->formula, self);
  }
}

void sb_params_finish(const sb_param *table, void *self) {
  for (const sb_param *param = table; param != NULL && param->name != NULL; param++) {
    free_owned(param, self);
  }
}
