//===- Lu.cpp - elimination with pivots -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/linear/MatrixFunctions.h"

#include <Eigen/Core>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

using namespace broadloom;

namespace {

/// L and U of a matrix, and the exchanges of rows.
template <typename T> class Elimination {
public:
  using Part = Eigen::Ref<Matrix<T>>;

  explicit Elimination(const MatrixView &view)
      : factors(load<T>(view)),
        pivots(size_t(std::min(view.rows, view.columns))) {
    eliminate(factors, 0);
  }

  /// The pivot that is zero, counted from 1; 0 if there is none.
  int32_t info() const {
    for (size_t i = 0; i < pivots.size(); ++i)
      if (factors(Eigen::Index(i), Eigen::Index(i)) == T(0))
        return int32_t(i) + 1;
    return 0;
  }

  Matrix<T> factors;
  std::vector<int64_t> pivots;

private:
  /// Eliminates a part whose first pivot is pivot `first` of all.
  void eliminate(Part part, int64_t first) {
    int64_t count = std::min(part.rows(), part.cols());
    if (count <= kFewColumns)
      return eliminateFew(part, first);
    // The left half, then the right one in the order of its rows.
    int64_t half = count / 2, rest = part.cols() - half;
    Part left = part.leftCols(half), right = part.rightCols(rest);
    eliminate(left, first);
    exchange(right, first, half);
    Part above = right.topRows(half),
         below = right.bottomRows(part.rows() - half);
    left.topRows(half).template triangularView<Eigen::UnitLower>().solveInPlace(
        above);
    below.noalias() -= left.bottomRows(part.rows() - half) * above;
    eliminate(below, first + half);
    exchange(left.bottomRows(part.rows() - half), first + half, count - half);
    for (int64_t i = half; i < count; ++i)
      pivots[size_t(first + i)] += half;
  }

  void eliminateFew(Part part, int64_t first) {
    for (int64_t i = 0; i < std::min(part.rows(), part.cols()); ++i) {
      int64_t below = part.rows() - i - 1, right = part.cols() - i - 1;
      int64_t best = i;
      for (int64_t row = i + 1; row < part.rows(); ++row)
        if (std::abs(part(row, i)) > std::abs(part(best, i)))
          best = row;
      pivots[size_t(first + i)] = best;
      if (best != i)
        part.row(i).swap(part.row(best));
      if (part(i, i) == T(0))
        continue;
      part.col(i).tail(below) /= part(i, i);
      part.bottomRightCorner(below, right).noalias() -=
          part.col(i).tail(below) * part.row(i).tail(right);
    }
  }

  void exchange(Part part, int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      if (int64_t with = pivots[size_t(first + i)]; with != i)
        part.row(i).swap(part.row(with));
  }
};

} // namespace

template <typename T> int32_t broadloom::computeLu(const MatrixItem &item) {
  Elimination<T> found(item.operands[0]);
  store<T>(found.factors, item.operands[1]);
  for (size_t i = 0; i < found.pivots.size(); ++i)
    *item.operands[2].at<int32_t>(int64_t(i), 0) = int32_t(found.pivots[i]);
  return found.info();
}

template <typename T>
int32_t broadloom::computeSolution(const MatrixItem &item) {
  Elimination<T> found(item.operands[0]);
  int32_t info = found.info();
  if (info != 0) {
    storeNothing<T>(item.operands[2]);
    return info;
  }
  Matrix<T> x = load<T>(item.operands[1]);
  if (x.size() == 0)
    return 0;
  for (size_t i = 0; i < found.pivots.size(); ++i)
    if (int64_t with = found.pivots[i]; with != int64_t(i))
      x.row(Eigen::Index(i)).swap(x.row(with));
  found.factors.template triangularView<Eigen::UnitLower>().solveInPlace(x);
  found.factors.template triangularView<Eigen::Upper>().solveInPlace(x);
  store<T>(x, item.operands[2]);
  return 0;
}

int32_t broadloom::computePermutation(const MatrixItem &item) {
  const MatrixView &pivots = item.operands[0], &rows = item.operands[1];
  for (int64_t row = 0; row < rows.rows; ++row)
    *rows.at<int32_t>(row, 0) = int32_t(row);
  for (int64_t i = 0; i < pivots.rows; ++i) {
    int32_t with = *pivots.at<int32_t>(i, 0);
    if (with < 0 || with >= rows.rows)
      return int32_t(i) + 1;
    std::swap(*rows.at<int32_t>(i, 0), *rows.at<int32_t>(with, 0));
  }
  return 0;
}

template int32_t broadloom::computeLu<float>(const MatrixItem &);
template int32_t broadloom::computeLu<double>(const MatrixItem &);
template int32_t broadloom::computeSolution<float>(const MatrixItem &);
template int32_t broadloom::computeSolution<double>(const MatrixItem &);
