//===- Qr.cpp - orthogonal factors ----------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/linear/MatrixFunctions.h"

#include <Eigen/QR>

using namespace broadloom;

template <typename T> int32_t broadloom::computeQr(const MatrixItem &item) {
  const MatrixView &q = item.operands[1], &r = item.operands[2];
  Matrix<T> basis = Matrix<T>::Identity(q.rows, q.columns);
  Matrix<T> triangle = Matrix<T>::Zero(r.rows, r.columns);
  if (item.operands[0].rows > 0 && item.operands[0].columns > 0) {
    Eigen::HouseholderQR<Matrix<T>> found(load<T>(item.operands[0]));
    basis.applyOnTheLeft(found.householderQ());
    triangle = found.matrixQR().topRows(r.rows);
    triangle.template triangularView<Eigen::StrictlyLower>().setZero();
  }
  store<T>(basis, q);
  store<T>(triangle, r);
  return 0;
}

template int32_t broadloom::computeQr<float>(const MatrixItem &);
template int32_t broadloom::computeQr<double>(const MatrixItem &);
