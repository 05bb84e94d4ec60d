//===- Signs.h - the signs of vectors ---------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Singular vectors and eigenvectors have either sign (lin-3). Here the first of
// their largest elements is positive, so that equal matrices have equal vectors
// on all machines.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_LINEAR_SIGNS_H
#define BROADLOOM_RUNTIME_LINEAR_SIGNS_H

#include <Eigen/Core>

namespace broadloom {

/// Whether a vector has the other sign.
template <typename Vector> bool hasNegativeSign(const Vector &vector) {
  Eigen::Index largest = 0;
  vector.cwiseAbs().maxCoeff(&largest);
  return vector(largest) < 0;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_LINEAR_SIGNS_H
