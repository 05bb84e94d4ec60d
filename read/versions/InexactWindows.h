//===- InexactWindows.h - windows that do not end with the image *- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before TOSA 1.0, the windows of convolutions and pools could end before the
// image, and the rest of the image was ignored. TOSA 1.0 does not allow that.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_VERSIONS_INEXACTWINDOWS_H
#define BROADLOOM_READ_VERSIONS_INEXACTWINDOWS_H

#include "read/versions/OldOperation.h"

namespace broadloom::read {

/// Cuts off the part of the padding, and then of the image of `op`, that no
/// window reaches. Does nothing if an extent is dynamic: a guard checks it.
void cutToWindows(mlir::Operation *op, Changes &changes);

} // namespace broadloom::read

#endif // BROADLOOM_READ_VERSIONS_INEXACTWINDOWS_H
