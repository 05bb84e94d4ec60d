//===- LentView.cpp - where arguments are in a copy -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/LentView.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;

/// How far from an element bytes between elements are watched.
static constexpr int64_t kMargin = 256;

namespace {

/// Extents and strides in bytes, the slowest axis first.
struct Axes {
  std::vector<int64_t> extents, strides;
};

} // namespace

/// Calls `body` with the place and the indices of each element, until it
/// returns true. No extent is 0.
template <typename Body>
static void walk(const Axes &axes, int64_t at, Body body) {
  std::vector<int64_t> indices(axes.extents.size());
  while (!body(at, indices)) {
    size_t axis = indices.size();
    for (; axis > 0; --axis) {
      at += axes.strides[axis - 1];
      if (++indices[axis - 1] < axes.extents[axis - 1])
        break;
      at -= axes.extents[axis - 1] * axes.strides[axis - 1];
      indices[axis - 1] = 0;
    }
    if (axis == 0)
      return;
  }
}

std::string LentView::describeByte(int64_t at) const {
  if (at < begin || at >= end)
    return "";
  int64_t first = begin;
  for (size_t axis = 0; axis < extents.size(); ++axis)
    first -= std::min<int64_t>(strides[axis], 0) * (extents[axis] - 1);
  std::string text;
  walk({extents, strides}, first,
       [&](int64_t place, const std::vector<int64_t> &indices) {
         if (at < place || at >= place + elementBytes)
           return false;
         text = "element [";
         for (size_t axis = 0; axis < indices.size(); ++axis)
           text += (axis ? ", " : "") + std::to_string(indices[axis]);
         text += "] of " + name;
         return true;
       });
  return text;
}

/// Adds the runs of bytes that are elements, with those that overlap.
static void addRuns(const LentView &view, std::vector<LentPiece> &runs) {
  if (view.begin == view.end)
    return;
  std::vector<std::pair<int64_t, int64_t>> byStride;
  for (size_t axis = 0; axis < view.extents.size(); ++axis)
    if (view.extents[axis] != 1 && view.strides[axis] != 0)
      byStride.emplace_back(std::abs(view.strides[axis]), view.extents[axis]);
  std::sort(byStride.begin(), byStride.end());
  int64_t bytes = view.elementBytes;
  size_t inner = 0;
  for (; inner < byStride.size() && byStride[inner].first == bytes; ++inner)
    bytes *= byStride[inner].second;
  Axes outer;
  for (size_t axis = byStride.size(); axis > inner; --axis) {
    outer.strides.push_back(byStride[axis - 1].first);
    outer.extents.push_back(byStride[axis - 1].second);
  }
  walk(outer, view.begin, [&](int64_t at, const std::vector<int64_t> &) {
    runs.push_back({at, at + bytes,
                    view.isWritten ? LentPiece::Kind::Written
                                   : LentPiece::Kind::Unwritten});
    return false;
  });
}

/// Runs that overlap are one, which is written if one of them is.
static void mergeRuns(std::vector<LentPiece> &runs) {
  auto isBefore = [](const LentPiece &a, const LentPiece &b) {
    return a.begin < b.begin;
  };
  if (!std::is_sorted(runs.begin(), runs.end(), isBefore))
    std::sort(runs.begin(), runs.end(), isBefore);
  size_t count = 0;
  for (const LentPiece &run : runs) {
    LentPiece *last = count ? &runs[count - 1] : nullptr;
    if (last && (run.begin < last->end ||
                 (run.begin == last->end && run.kind == last->kind))) {
      last->end = std::max(last->end, run.end);
      last->kind = std::max(last->kind, run.kind);
    } else {
      runs[count++] = run;
    }
  }
  runs.resize(count);
}

std::vector<LentPiece> broadloom::findPieces(const std::vector<LentView> &views,
                                             int64_t begin, int64_t end) {
  std::vector<LentPiece> runs, pieces;
  for (const LentView &view : views)
    addRuns(view, runs);
  mergeRuns(runs);
  auto addOutside = [&](int64_t from, int64_t to) {
    if (from < to)
      pieces.push_back({from, to, LentPiece::Kind::Outside});
  };
  int64_t at = begin;
  for (const LentPiece &run : runs) {
    if (at == begin || run.begin - at <= 2 * kMargin) {
      addOutside(at, run.begin);
    } else {
      addOutside(at, at + kMargin);
      addOutside(run.begin - kMargin, run.begin);
    }
    pieces.push_back(run);
    at = run.end;
  }
  addOutside(at, end);
  return pieces;
}
