// SPDX-License-Identifier: GPL-3.0-or-later
// Status codes and worded errors. Whoever detects an error words it, once; the netlist reader adds
// the place. The library itself never prints and never exits.
//
// What input or memory can make fail returns an sb_status, words the reason in `err` (or adds it to
// `errors`), and gives what it makes by a pointer, which is NULL (a number: -1) after a failure.
// Only a search for a name in a table or a graph returns what it finds, NULL: nothing.
#ifndef SB_CORE_ERROR_H
#define SB_CORE_ERROR_H

#include <stdbool.h>

#include "core/base/export.h"

/** The codes that users see as SBnnnn. The hundreds say where to look: 1 reading, 2 the language,
 *  3 values and units, 4 structure and causality, 5 simulation, 6 limits, 7 files, 9 bugs. */
typedef enum sb_status {
  SB_OK = 0,
  SB_ERR_XML = 101,        // not well-formed, or not UTF-8
  SB_ERR_FORBIDDEN = 102,  // DOCTYPE, entities, processing instructions, XInclude
  SB_ERR_TEXT = 103,       // text content where everything is in attributes
  SB_ERR_FILE = 104,       // a folder, a device or a pipe where a file is wanted
  SB_ERR_TOO_LARGE = 105,  // beyond a named limit of the reader
  SB_ERR_ELEMENT = 201,    // unknown or misplaced XML element
  SB_ERR_ATTRIBUTE = 202,  // unknown attribute
  SB_ERR_MISSING = 203,    // a required attribute or element is missing
  SB_ERR_DUPLICATE = 204,  // an id or a singleton given twice
  SB_ERR_REFERENCE = 205,  // a name that refers to nothing
  SB_ERR_NOT_YET = 206,    // reserved syntax
  SB_ERR_VERSION = 207,    // a language version that this program does not know
  SB_ERR_OVERRIDE = 208,   // a --set that matches nothing
  SB_ERR_NUMBER = 301,     // not a number
  SB_ERR_UNIT = 302,       // unknown unit, or a malformed one
  SB_ERR_DIMENSION = 303,  // a unit or a number of components that does not fit
  SB_ERR_RANGE = 304,      // a value out of its range
  SB_ERR_CHOICE = 305,     // not one of the words allowed
  SB_ERR_PORT = 401,       // a port unconnected, connected twice, or unknown
  SB_ERR_DOMAIN = 402,     // two physical domains on one bond
  SB_ERR_CAUSALITY = 403,  // a conflict of causality, a dependent storage
  SB_ERR_LOOP = 404,       // a nonlinear algebraic loop
  SB_ERR_SINGULAR = 405,   // a variable that nothing determines
  SB_ERR_STRUCTURE = 406,  // not a Dirac structure
  SB_ERR_SOLVER = 501,     // the integrator cannot go on
  SB_ERR_NOT_FINITE = 502, // an element gave infinity or not-a-number
  SB_ERR_CONTACT = 503,    // no reliable closest points
  SB_ERR_CHATTER = 504,    // events without end
  SB_ERR_AUDIT = 505,      // a residual above its limit, an expectation missed
  SB_ERR_UNSOLVED = 506,   // a nonlinear loop with no solution, or several
  SB_ERR_LIMIT = 601,      // a named limit of memory, time or steps
  SB_ERR_MEMORY = 602,     // out of memory
  SB_ERR_IO = 701,         // a file that cannot be read or written
  SB_ERR_USAGE = 702,      // a call or an option that makes no sense
  SB_ERR_INTERNAL = 901,   // a bug in screwbond
  SB_INTERRUPTED = 902,    // the caller asked to stop; not an error
} sb_status;

enum { SB_ERROR_TEXT = 480, SB_ERROR_HINT = 480, SB_ERROR_FILE = 256 };

/** One worded error. `line` and `column` count from 1; 0 means that no place is known. */
typedef struct sb_error {
  sb_status status;
  int line, column;
  char file[SB_ERROR_FILE];
  char text[SB_ERROR_TEXT];
  char hint[SB_ERROR_HINT];
  const char *param; // what of an element is wrong, so that its own place is shown; NULL: unknown
  bool warning;      // it stops nothing
} sb_error;

/** A list of errors, so that all faults of a model are reported in one run. Zero-initialise it.
 *  Past `SB_ERRORS_MAX` further errors are counted, not kept. */
enum { SB_ERRORS_MAX = 100 };
typedef struct sb_errors {
  sb_error *items; // (count) owned
  int count;
  int capacity;
  int dropped;
} sb_errors;

/** Words an error into `err` (which may be NULL) and returns `status`. */
SB_API sb_status sb_fail(sb_error *err, sb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** The same about a parameter of an element. @param param  borrowed for good: a row of a table */
SB_API sb_status sb_fail_at(sb_error *err, sb_status status, const char *param, const char *format,
                            ...) __attribute__((format(printf, 4, 5)));

/** A number for a message, in any locale: sb_number_word(x).text, up to 9 significant digits. */
typedef struct sb_number_text {
  char text[32];
} sb_number_text;
SB_API sb_number_text sb_number_word(double value);

/** Adds a hint to an error already worded. */
SB_API void sb_error_hint(sb_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Words what stops nothing but is likely to be a mistake. */
SB_API void sb_warn(sb_error *err, sb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Appends a copy of `err`; a failing allocation counts it as dropped. */
SB_API void sb_errors_add(sb_errors *errors, const sb_error *err);
/** Takes away those of one place, of what is stated otherwise elsewhere. */
SB_API void sb_errors_drop(sb_errors *errors, int line, int column);
SB_API void sb_errors_finish(sb_errors *errors);

/** The name of a status as users see it, for instance "SB0403". The buffer holds 8 bytes. */
SB_API const char *sb_status_code(sb_status status, char code[8]);

/** Leaves the calling function with the status of `call` unless that is SB_OK. */
#define SB_TRY(call)                                                                               \
  do {                                                                                             \
    sb_status sb_try_status = (call);                                                              \
    if (sb_try_status != SB_OK) {                                                                  \
      return sb_try_status;                                                                        \
    }                                                                                              \
  } while (0)

#endif
