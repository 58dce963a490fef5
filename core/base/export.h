// SPDX-License-Identifier: GPL-3.0-or-later
// What the shared library shows: everything else is built with hidden visibility. The names are those
// of C for programs in C++, too.
#ifndef SB_CORE_EXPORT_H
#define SB_CORE_EXPORT_H

#ifdef __cplusplus
#define SB_API extern "C" __attribute__((visibility("default")))
#else
#define SB_API extern __attribute__((visibility("default")))
#endif

#endif
