//===- Svd.cpp - singular values ------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/linear/MatrixFunctions.h"
#include "runtime/linear/Signs.h"

#include <Eigen/SVD>

using namespace broadloom;

template <typename T> int32_t broadloom::computeSvd(const MatrixItem &item) {
  const MatrixView &u = item.operands[1], &values = item.operands[2];
  MatrixView v = item.operands[3].transposed();
  if (values.rows == 0) {
    store<T>(Matrix<T>(Matrix<T>::Identity(u.rows, u.columns)), u);
    store<T>(Matrix<T>(Matrix<T>::Identity(v.rows, v.columns)), v);
    return 0;
  }
  Matrix<T> matrix = load<T>(item.operands[0]);
  if (!matrix.allFinite())
    return 1;
  unsigned options =
      (u.columns > values.rows ? Eigen::ComputeFullU : Eigen::ComputeThinU) |
      (v.columns > values.rows ? Eigen::ComputeFullV : Eigen::ComputeThinV);
  Eigen::BDCSVD<Matrix<T>> found(matrix, options);
  if (found.info() != Eigen::Success)
    return 1;
  Matrix<T> left = found.matrixU(), right = found.matrixV();
  for (int64_t i = 0; i < values.rows; ++i)
    if (hasNegativeSign(left.col(i))) {
      left.col(i) = -left.col(i);
      right.col(i) = -right.col(i);
    }
  store<T>(left, u);
  store<T>(found.singularValues(), values);
  store<T>(right, v);
  return 0;
}

template <typename T>
int32_t broadloom::computeSingularValues(const MatrixItem &item) {
  if (item.operands[1].rows == 0)
    return 0;
  Matrix<T> matrix = load<T>(item.operands[0]);
  if (!matrix.allFinite())
    return 1;
  Eigen::BDCSVD<Matrix<T>> found(matrix);
  if (found.info() != Eigen::Success)
    return 1;
  store<T>(found.singularValues(), item.operands[1]);
  return 0;
}

template int32_t broadloom::computeSvd<float>(const MatrixItem &);
template int32_t broadloom::computeSvd<double>(const MatrixItem &);
template int32_t broadloom::computeSingularValues<float>(const MatrixItem &);
template int32_t broadloom::computeSingularValues<double>(const MatrixItem &);
