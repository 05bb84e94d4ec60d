//===- LinearAlgebraCall.cpp - linear algebra for compiled code -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/LinearAlgebraKind.h"
#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Tensor.h"
#include "runtime/linear/MatrixFunctions.h"
#include "runtime/memory/StridedCopy.h"
#include "runtime/threads/ParallelFor.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <new>

using namespace broadloom;

namespace {

using MatrixFunction = int32_t (*)(const MatrixItem &);

/// In the order of LinearAlgebraKind, for f32 and f64.
constexpr MatrixFunction kFunctions[][2] = {
    {computeLu<float>, computeLu<double>},
    {computePermutation, computePermutation},
    {computeSolution<float>, computeSolution<double>},
    {computeTriangularSolution<float>, computeTriangularSolution<double>},
    {computeCholesky<float>, computeCholesky<double>},
    {computeQr<float>, computeQr<double>},
    {computeSvd<float>, computeSvd<double>},
    {computeSingularValues<float>, computeSingularValues<double>},
    {computeSymmetricEigen<float>, computeSymmetricEigen<double>},
    {computeSymmetricEigenvalues<float>, computeSymmetricEigenvalues<double>},
    {computeExponential<float>, computeExponential<double>},
};
static_assert(std::size(kFunctions) == std::size(kLinearAlgebraForms));

/// The operands of all matrices.
class MatrixBatch {
public:
  MatrixBatch(const LinearAlgebraForm &form, BroadloomElementType type,
              int32_t flags, const BroadloomView *views)
      : form(form), flags(flags), views(views),
        bytes(broadloomElementBytes(type)),
        rank(views[0].rank - int64_t(getAxes(form, 0).size())) {
    for (int64_t axis = 0; axis < rank; ++axis)
      matrices *= extents(0)[axis];
  }

  int64_t count() const { return matrices; }

  /// About the bytes of an element-wise operation that takes as long.
  int64_t getWork() const {
    int64_t work = 1;
    for (int32_t i = 0; i < 3; ++i) {
      // The product of rows, columns and the larger of them.
      int64_t extent = 1;
      for (size_t axis = 0; axis < getAxes(form, 0).size(); ++axis) {
        int64_t is = extents(0)[rank + int64_t(axis)];
        extent =
            i == 2 ? std::max(extent, is) : (int64_t(axis) == i ? is : extent);
      }
      if (__builtin_mul_overflow(work, std::max<int64_t>(extent, 1), &work))
        return INT64_MAX;
    }
    if (__builtin_mul_overflow(work, matrices * bytes, &work))
      return INT64_MAX;
    return work;
  }

  MatrixItem get(int64_t matrix) const {
    MatrixItem item;
    item.flags = flags;
    for (int32_t i = 0; i < form.numOperands; ++i)
      item.operands[i] = view(i, matrix);
    return item;
  }

private:
  const int64_t *extents(int32_t operand) const {
    return descriptorOf(views[operand]).dims;
  }

  /// The part of an operand that belongs to a matrix.
  MatrixView view(int32_t operand, int64_t matrix) const {
    int64_t size = hasIndices(form, operand) ? int64_t(sizeof(int32_t)) : bytes;
    const int64_t *dims = extents(operand);
    const int64_t *strides = dims + views[operand].rank;
    int64_t offset = 0;
    for (int64_t axis = rank - 1; axis >= 0; --axis) {
      offset += matrix % dims[axis] * strides[axis];
      matrix /= dims[axis];
    }
    size_t axes = getAxes(form, operand).size();
    return {elementsOf(views[operand], size) + offset * size,
            axes > 0 ? dims[rank] : 1, axes > 1 ? dims[rank + 1] : 1,
            axes > 0 ? strides[rank] : 0, axes > 1 ? strides[rank + 1] : 0};
  }

  const LinearAlgebraForm &form;
  int32_t flags;
  const BroadloomView *views;
  int64_t bytes;
  int64_t rank;
  int64_t matrices = 1;
};

/// lin-2: the first matrix that has failed, and the number that its function
/// gave.
class FirstFailure {
public:
  void note(int64_t matrix, int32_t info) {
    int64_t is = matrix << kInfoBits | std::min(info, kInfoMask);
    int64_t was = first.load();
    while (is < was && !first.compare_exchange_weak(was, is))
      ;
  }
  bool found() const { return first.load() != INT64_MAX; }
  int64_t matrix() const { return first.load() >> kInfoBits; }
  int64_t info() const { return first.load() & kInfoMask; }

private:
  static constexpr int32_t kInfoBits = 24;
  static constexpr int32_t kInfoMask = (1 << kInfoBits) - 1;
  std::atomic<int64_t> first{INT64_MAX};
};

} // namespace

int32_t broadloomLinearAlgebra(BroadloomCall *call,
                               const BroadloomGuardSite *site, int32_t kind,
                               int32_t elementType, int32_t flags,
                               const BroadloomView *views) {
  const LinearAlgebraForm &form = getForm(LinearAlgebraKind(kind));
  MatrixFunction compute = kFunctions[kind][elementType == BROADLOOM_F64];
  MatrixBatch batch(form, BroadloomElementType(elementType), flags, views);
  FirstFailure failure;
  std::atomic<bool> hasMemory{true};
  auto run = [&](int32_t, int64_t begin, int64_t end) noexcept {
    try {
      for (int64_t matrix = begin; matrix < end; ++matrix) {
        MatrixItem item = batch.get(matrix);
        int32_t info = compute(item);
        if (form.hasInfo)
          *item.operands[form.numOperands - 1].at<int32_t>(0, 0) = info;
        if (info != 0)
          failure.note(matrix, info);
      }
    } catch (const std::bad_alloc &) {
      hasMemory = false;
    }
  };
  parallelFor(threadsFor(call->threads(), batch.getWork()), batch.count(), run);
  if (!hasMemory) {
    call->setPlace(site->location);
    return call->failMemory();
  }
  if (!failure.found() || flags & kUncheckedAlgebra)
    return BROADLOOM_OK;
  int64_t values[] = {failure.matrix(), failure.info()};
  return broadloomFail(call, site, values);
}
