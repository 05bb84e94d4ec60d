//===- Triangles.cpp - Cholesky factors and triangular systems ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/LinearAlgebraKind.h"
#include "runtime/linear/MatrixFunctions.h"

#include <Eigen/Core>

#include <cmath>

using namespace broadloom;

/// Makes the lower triangle of `part` its Cholesky factor; returns the number,
/// counted from 1, of the first minor that is not positive, or 0.
template <typename T>
static int32_t factorCholesky(Eigen::Ref<Matrix<T>> part) {
  int64_t size = part.rows();
  if (size <= kFewColumns) {
    for (int64_t i = 0; i < size; ++i) {
      int64_t below = size - i - 1;
      T square = part(i, i) - part.row(i).head(i).squaredNorm();
      if (!(square > T(0)) || !std::isfinite(square))
        return int32_t(i) + 1;
      part(i, i) = std::sqrt(square);
      if (i > 0)
        part.col(i).tail(below).noalias() -=
            part.bottomLeftCorner(below, i) * part.row(i).head(i).adjoint();
      part.col(i).tail(below) /= part(i, i);
    }
    return 0;
  }
  int64_t half = size / 2, rest = size - half;
  Eigen::Ref<Matrix<T>> first = part.topLeftCorner(half, half);
  Eigen::Ref<Matrix<T>> last = part.bottomRightCorner(rest, rest);
  Eigen::Ref<Matrix<T>> below = part.bottomLeftCorner(rest, half);
  if (int32_t info = factorCholesky<T>(first))
    return info;
  first.template triangularView<Eigen::Lower>()
      .transpose()
      .template solveInPlace<Eigen::OnTheRight>(below);
  last.template selfadjointView<Eigen::Lower>().rankUpdate(below, T(-1));
  int32_t info = factorCholesky<T>(last);
  return info ? info + int32_t(half) : 0;
}

template <typename T>
int32_t broadloom::computeCholesky(const MatrixItem &item) {
  Matrix<T> matrix = load<T>(item.operands[0]);
  if (int32_t info = factorCholesky<T>(matrix)) {
    storeNothing<T>(item.operands[1]);
    return info;
  }
  matrix.template triangularView<Eigen::StrictlyUpper>().setZero();
  store<T>(matrix, item.operands[1]);
  return 0;
}

template <typename T>
int32_t broadloom::computeTriangularSolution(const MatrixItem &item) {
  Matrix<T> matrix = load<T>(item.operands[0]);
  Matrix<T> x = load<T>(item.operands[1]);
  if (x.size() == 0)
    return 0;
  bool isUnit = item.flags & kUnitDiagonal;
  if (item.flags & kUpperTriangle) {
    if (isUnit)
      matrix.template triangularView<Eigen::UnitUpper>().solveInPlace(x);
    else
      matrix.template triangularView<Eigen::Upper>().solveInPlace(x);
  } else if (isUnit) {
    matrix.template triangularView<Eigen::UnitLower>().solveInPlace(x);
  } else {
    matrix.template triangularView<Eigen::Lower>().solveInPlace(x);
  }
  store<T>(x, item.operands[2]);
  return 0;
}

template int32_t broadloom::computeCholesky<float>(const MatrixItem &);
template int32_t broadloom::computeCholesky<double>(const MatrixItem &);
template int32_t
broadloom::computeTriangularSolution<float>(const MatrixItem &);
template int32_t
broadloom::computeTriangularSolution<double>(const MatrixItem &);
