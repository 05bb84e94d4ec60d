//===- MatrixExponential.cpp - the exponential of a matrix ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/linear/MatrixFunctions.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

using namespace broadloom;

/// In f64 for all elements: one form of the algorithm is compiled.
template <typename T>
int32_t broadloom::computeExponential(const MatrixItem &item) {
  if (item.operands[0].rows == 0)
    return 0;
  Matrix<double> matrix = load<double, T>(item.operands[0]);
  if (!matrix.allFinite()) {
    storeNothing<T>(item.operands[1]);
    return 0;
  }
  Matrix<double> exponential = matrix.exp();
  store<T>(exponential, item.operands[1]);
  return 0;
}

template int32_t broadloom::computeExponential<float>(const MatrixItem &);
template int32_t broadloom::computeExponential<double>(const MatrixItem &);
