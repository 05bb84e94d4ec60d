//===- LoomExtents.h - names for the extents of arguments -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library: shared by #loom.extents and its verification on
// functions.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMEXTENTS_H
#define BROADLOOM_DIALECT_LOOMEXTENTS_H

#include "dialect/LoomDialect.h"

#include <string>

namespace broadloom::loom {

/// The text of a range: `0 to 512 step 8`.
std::string toText(const NameRange &range);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_LOOMEXTENTS_H
