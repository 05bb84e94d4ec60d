//===- Memory.cpp - memory with nothing beside it -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Memory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace broadloom::guards;

static size_t pageBytes() {
  static const size_t bytes = size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

Pages::Pages(size_t bytes)
    : size((bytes + pageBytes() - 1) / pageBytes() * pageBytes()) {
  void *all = mmap(nullptr, size + 2 * pageBytes(), PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  data = static_cast<char *>(all) + pageBytes();
  if (all == MAP_FAILED || mprotect(data, size, PROT_READ | PROT_WRITE) != 0) {
    std::perror("guards: no memory");
    std::exit(2);
  }
}

Pages::Pages(Pages &&other) noexcept
    : data(std::exchange(other.data, nullptr)), size(other.size) {}

Pages::~Pages() {
  if (data)
    munmap(data - pageBytes(), size + 2 * pageBytes());
}

void Pages::protect() { mprotect(data, size, PROT_READ); }

BroadloomTensor broadloom::guards::place(const Pages &pages,
                                         BroadloomElementType type,
                                         const Extents &extents,
                                         Layout layout) {
  int64_t bytes = broadloomElementBytes(type), count = countElements(extents);
  size_t rank = extents.size();
  Extents strides(rank);
  int64_t step = 1;
  for (size_t i = 0; i < rank; ++i) {
    size_t axis = layout == Layout::Columns ? i : rank - 1 - i;
    strides[axis] = layout == Layout::Backwards ? -step : step;
    step *= std::max<int64_t>(extents[axis], 1);
  }
  char *data = layout == Layout::AtEnd || layout == Layout::Columns
                   ? pages.end() - count * bytes
                   : pages.begin();
  if (layout == Layout::Backwards && count > 0)
    data += (count - 1) * bytes;
  BroadloomTensor tensor;
  broadloomTensorBorrow(type, int32_t(rank), extents.data(), strides.data(),
                        data, &tensor);
  return tensor;
}

/// The bits of a small number.
static uint64_t bitsOf(BroadloomElementType type, int64_t value) {
  float single = float(value);
  uint32_t word;
  std::memcpy(&word, &single, sizeof(word));
  double twice = double(value);
  uint64_t both;
  std::memcpy(&both, &twice, sizeof(both));
  switch (type) {
  case BROADLOOM_F32:
    return word;
  case BROADLOOM_F64:
    return both;
  case BROADLOOM_BF16:
    return word >> 16;
  case BROADLOOM_F16:
    // Exact for the small integers that are used here.
    return value == 0 ? 0
                      : (word >> 16 & 0x8000) |
                            ((((word >> 23) & 0xFF) - 127 + 15) << 10) |
                            ((word >> 13) & 0x3FF);
  default:
    return uint64_t(value);
  }
}

const Pages &broadloom::guards::pagesOf(BroadloomElementType type,
                                        int64_t value) {
  static std::map<std::pair<int, int64_t>, Pages> known;
  auto found = known.find({type, value});
  if (found != known.end())
    return found->second;
  // The largest operand has five axes.
  Pages pages(8192);
  int64_t bytes = broadloomElementBytes(type);
  uint64_t bits = bitsOf(type, value);
  for (char *at = pages.begin(); at != pages.end(); at += bytes)
    std::memcpy(at, &bits, size_t(bytes));
  pages.protect();
  return known.emplace(std::make_pair(int(type), value), std::move(pages))
      .first->second;
}

Output::Output(size_t bytes) : pages(bytes) {
  poison.assign(pages.end() - pages.begin(), char(0xA5));
  clear();
}

void Output::clear() {
  std::memcpy(pages.begin(), poison.data(), poison.size());
}

BroadloomTensor Output::prepare(BroadloomElementType type,
                                const Extents &extents, Layout layout) {
  clear();
  BroadloomTensor tensor = place(pages, type, extents, layout);
  int64_t bytes = countElements(extents) * broadloomElementBytes(type);
  bool atEnd = layout == Layout::AtEnd || layout == Layout::Columns;
  first = atEnd ? pages.end() - bytes : pages.begin();
  last = first + bytes;
  return tensor;
}

bool Output::isClean(bool untouched) const {
  auto poisoned = [&](const char *from, const char *to) {
    return std::memcmp(from, poison.data(), size_t(to - from)) == 0;
  };
  return poisoned(pages.begin(), untouched ? pages.end() : first) &&
         poisoned(untouched ? pages.end() : last, pages.end());
}
