//===- MatrixFunctions.h - functions of one matrix --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each LinearAlgebraKind, for f32 and f64. Each takes one
// matrix of a batch and returns 0, or the number by which it says where it has
// failed (LinearAlgebraForm::failure). Each may throw std::bad_alloc.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_LINEAR_MATRIXFUNCTIONS_H
#define BROADLOOM_RUNTIME_LINEAR_MATRIXFUNCTIONS_H

#include "runtime/linear/Matrix.h"

namespace broadloom {

template <typename T> int32_t computeLu(const MatrixItem &item);
template <typename T> int32_t computeSolution(const MatrixItem &item);
template <typename T> int32_t computeTriangularSolution(const MatrixItem &item);
template <typename T> int32_t computeCholesky(const MatrixItem &item);
template <typename T> int32_t computeQr(const MatrixItem &item);
template <typename T> int32_t computeSvd(const MatrixItem &item);
template <typename T> int32_t computeSingularValues(const MatrixItem &item);
template <typename T> int32_t computeSymmetricEigen(const MatrixItem &item);
template <typename T>
int32_t computeSymmetricEigenvalues(const MatrixItem &item);
template <typename T> int32_t computeExponential(const MatrixItem &item);
int32_t computePermutation(const MatrixItem &item);

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_LINEAR_MATRIXFUNCTIONS_H
