// SPDX-License-Identifier: GPL-3.0-or-later
// What the shared library shows: everything else is built with hidden visibility.
#ifndef SB_CORE_EXPORT_H
#define SB_CORE_EXPORT_H

#define SB_API __attribute__((visibility("default")))

#endif
