//===- Matrix.h - one matrix of a batch -------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the elements of a tensor, which have any strides, and the matrices of
// Eigen, which are column by column.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_LINEAR_MATRIX_H
#define BROADLOOM_RUNTIME_LINEAR_MATRIX_H

#include <Eigen/Core>

#include <cstdint>
#include <limits>

namespace broadloom {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

/// A part of an operand that belongs to one matrix: `rows` by `columns`
/// elements, one column for a vector. The strides are in elements.
struct MatrixView {
  char *data;
  int64_t rows, columns;
  int64_t rowStride, columnStride;

  template <typename T> T *at(int64_t row, int64_t column) const {
    return reinterpret_cast<T *>(data) + row * rowStride +
           column * columnStride;
  }

  MatrixView transposed() const {
    return {data, columns, rows, columnStride, rowStride};
  }
};

/// What belongs to one matrix of a batch: the operands in order, and
/// LinearAlgebraFlags.
struct MatrixItem {
  MatrixView operands[4];
  int32_t flags;
};

template <typename T, typename Element = T>
Matrix<T> load(const MatrixView &view) {
  Matrix<T> matrix(view.rows, view.columns);
  for (int64_t column = 0; column < view.columns; ++column)
    for (int64_t row = 0; row < view.rows; ++row)
      matrix(row, column) = T(*view.at<Element>(row, column));
  return matrix;
}

template <typename T, typename Source>
void store(const Source &matrix, const MatrixView &view) {
  for (int64_t column = 0; column < view.columns; ++column)
    for (int64_t row = 0; row < view.rows; ++row)
      *view.at<T>(row, column) = T(matrix(row, column));
}

/// Sets all elements to NaN.
template <typename T> void storeNothing(const MatrixView &view) {
  for (int64_t column = 0; column < view.columns; ++column)
    for (int64_t row = 0; row < view.rows; ++row)
      *view.at<T>(row, column) = std::numeric_limits<T>::quiet_NaN();
}

/// The number of rows for which a recursive factorisation goes row by row.
inline constexpr int64_t kFewColumns = 16;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_LINEAR_MATRIX_H
