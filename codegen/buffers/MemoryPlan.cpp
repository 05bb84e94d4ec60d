//===- MemoryPlan.cpp - where values are while they live ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/MemoryPlan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <set>

using namespace broadloom::codegen;

/// The search compares each value with each other in each order, and may make
/// so many comparisons.
static constexpr int64_t kMostComparisons = int64_t(1) << 22;
static constexpr int kMostOrders = 64;

namespace {

//===----------------------------------------------------------------------===//
// In the order of the program
//===----------------------------------------------------------------------===//

/// Memory from which values are allocated, and to which they are freed.
class Gaps {
public:
  int64_t allocate(int64_t bytes) {
    int64_t offset = end;
    if (auto fitting = bySize.lower_bound({bytes, 0});
        fitting != bySize.end()) {
      auto [size, at] = *fitting;
      offset = at;
      erase(gaps.find(at));
      if (size > bytes)
        add(at + bytes, size - bytes);
      return offset;
    }
    // A gap at the end grows.
    if (!gaps.empty())
      if (auto last = std::prev(gaps.end());
          last->first + last->second == end) {
        offset = last->first;
        erase(last);
      }
    end = offset + bytes;
    return offset;
  }

  void free(int64_t offset, int64_t bytes) {
    auto next = gaps.lower_bound(offset);
    if (next != gaps.end() && next->first == offset + bytes) {
      bytes += next->second;
      erase(next);
    }
    next = gaps.lower_bound(offset);
    if (next != gaps.begin())
      if (auto before = std::prev(next);
          before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        erase(before);
      }
    add(offset, bytes);
  }

  int64_t size() const { return end; }

private:
  void add(int64_t offset, int64_t bytes) {
    gaps[offset] = bytes;
    bySize.insert({bytes, offset});
  }
  void erase(std::map<int64_t, int64_t>::iterator gap) {
    bySize.erase({gap->second, gap->first});
    gaps.erase(gap);
  }

  int64_t end = 0;
  /// Sizes by offset, and both, the smallest first.
  std::map<int64_t, int64_t> gaps;
  std::set<std::pair<int64_t, int64_t>> bySize;
};

/// Also finds the least size.
void planInOrder(const std::vector<LiveRange> &ranges, MemoryPlan &plan) {
  Gaps gaps;
  // Values by their ends, the earliest first.
  std::priority_queue<std::pair<int64_t, size_t>,
                      std::vector<std::pair<int64_t, size_t>>, std::greater<>>
      ends;
  int64_t live = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    for (; !ends.empty() && ends.top().first < ranges[i].begin; ends.pop()) {
      size_t ended = ends.top().second;
      gaps.free(plan.offsets[ended], ranges[ended].bytes);
      live -= ranges[ended].bytes;
    }
    plan.offsets[i] = gaps.allocate(ranges[i].bytes);
    ends.push({ranges[i].end, i});
    live += ranges[i].bytes;
    plan.leastSize = std::max(plan.leastSize, live);
  }
  plan.size = gaps.size();
}

//===----------------------------------------------------------------------===//
// Several orders
//===----------------------------------------------------------------------===//

/// The offset of a value beside those that are placed, which are in the order
/// of their offsets.
int64_t findOffset(const std::vector<LiveRange> &ranges,
                   const std::vector<size_t> &placed, const MemoryPlan &plan,
                   size_t value) {
  int64_t bytes = ranges[value].bytes, end = 0;
  int64_t offset = -1, smallest = 0;
  for (size_t other : placed) {
    if (ranges[other].begin > ranges[value].end ||
        ranges[value].begin > ranges[other].end)
      continue;
    int64_t gap = plan.offsets[other] - end;
    if (gap >= bytes && (offset < 0 || gap < smallest)) {
      smallest = gap;
      offset = end;
    }
    end = std::max(end, plan.offsets[other] + ranges[other].bytes);
  }
  return offset < 0 ? end : offset;
}

void planInOrder(const std::vector<LiveRange> &ranges,
                 const std::vector<size_t> &order, MemoryPlan &plan) {
  std::vector<size_t> placed;
  plan.size = 0;
  for (size_t value : order) {
    int64_t offset = findOffset(ranges, placed, plan, value);
    plan.offsets[value] = offset;
    plan.size = std::max(plan.size, offset + ranges[value].bytes);
    auto isBelow = [&](size_t other, int64_t at) {
      return plan.offsets[other] < at;
    };
    placed.insert(
        std::lower_bound(placed.begin(), placed.end(), offset, isBelow), value);
  }
}

/// Takes the plan of a better order, until there is none or it is best.
void search(const std::vector<LiveRange> &ranges, MemoryPlan &plan) {
  int64_t count = int64_t(ranges.size());
  int64_t orders =
      std::min<int64_t>(kMostOrders, kMostComparisons / (count * count));
  std::vector<size_t> order(ranges.size());
  std::vector<int64_t> weights(ranges.size());
  MemoryPlan other = plan;
  // Lehmer's generator and whole numbers, so that plans are the same
  // everywhere.
  uint64_t state = 1;
  auto next = [&](uint64_t count) {
    state = state * 48271 % 2147483647;
    return int64_t(state % count);
  };
  constexpr int64_t kLongestLife = int64_t(1) << 20;
  for (int64_t i = 0; i < orders && plan.size > plan.leastSize; ++i) {
    // First the largest, of equal ones the one that lives longest. Then sizes
    // count by chance, and half of the values before others if they live long.
    for (size_t k = 0; k < ranges.size(); ++k) {
      int64_t life =
          std::min(ranges[k].end - ranges[k].begin + 1, kLongestLife);
      int64_t units = ranges[k].bytes / MemoryPlan::kAlignment;
      weights[k] = units * kLongestLife + life;
      if (i == 0)
        continue;
      weights[k] = units * (300 + next(700));
      if (next(2) == 0)
        weights[k] *= int64_t(std::sqrt(double(life)));
    }
    std::iota(order.begin(), order.end(), size_t(0));
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
    });
    planInOrder(ranges, order, other);
    if (other.size < plan.size)
      plan = other;
  }
}

} // namespace

MemoryPlan broadloom::codegen::planMemory(std::vector<LiveRange> ranges) {
  MemoryPlan plan;
  if (ranges.empty())
    return plan;
  constexpr int64_t kLine = MemoryPlan::kAlignment;
  for (LiveRange &range : ranges)
    range.bytes = llvm::alignTo(range.bytes, kLine);
  plan.offsets.resize(ranges.size());
  planInOrder(ranges, plan);
  search(ranges, plan);
  return plan;
}
