//===- SymmetricEigen.cpp - eigenvalues -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/linear/MatrixFunctions.h"
#include "runtime/linear/Signs.h"

#include <Eigen/Eigenvalues>

using namespace broadloom;

/// Finds the values of the first operand of `item`; false if there are none.
template <typename T>
static bool solve(Eigen::SelfAdjointEigenSolver<Matrix<T>> &solver,
                  const MatrixItem &item, int options) {
  // The upper triangle is not read, and not asked to be finite.
  Matrix<T> matrix = load<T>(item.operands[0]);
  matrix.template triangularView<Eigen::StrictlyUpper>().setZero();
  return matrix.allFinite() &&
         solver.compute(matrix, options).info() == Eigen::Success;
}

template <typename T>
int32_t broadloom::computeSymmetricEigen(const MatrixItem &item) {
  if (item.operands[1].rows == 0)
    return 0;
  Eigen::SelfAdjointEigenSolver<Matrix<T>> solver;
  if (!solve(solver, item, Eigen::ComputeEigenvectors))
    return 1;
  Matrix<T> vectors = solver.eigenvectors();
  for (int64_t i = 0; i < vectors.cols(); ++i)
    if (hasNegativeSign(vectors.col(i)))
      vectors.col(i) = -vectors.col(i);
  store<T>(solver.eigenvalues(), item.operands[1]);
  store<T>(vectors, item.operands[2]);
  return 0;
}

template <typename T>
int32_t broadloom::computeSymmetricEigenvalues(const MatrixItem &item) {
  if (item.operands[1].rows == 0)
    return 0;
  Eigen::SelfAdjointEigenSolver<Matrix<T>> solver;
  if (!solve(solver, item, Eigen::EigenvaluesOnly))
    return 1;
  store<T>(solver.eigenvalues(), item.operands[1]);
  return 0;
}

template int32_t broadloom::computeSymmetricEigen<float>(const MatrixItem &);
template int32_t broadloom::computeSymmetricEigen<double>(const MatrixItem &);
template int32_t
broadloom::computeSymmetricEigenvalues<float>(const MatrixItem &);
template int32_t
broadloom::computeSymmetricEigenvalues<double>(const MatrixItem &);
