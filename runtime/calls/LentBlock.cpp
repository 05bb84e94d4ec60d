//===- LentBlock.cpp - one copy that a library gets -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/LentBlock.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <random>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace broadloom;

/// The C library maps blocks of more than this on their own, unless it has as
/// much at hand.
static constexpr size_t kLeastMapped = (size_t(32) << 20) + 1;
/// How often a larger block is asked for where it has.
static constexpr int kMostTries = 4;
/// The bytes behind a copy, and those in front of a block that is mapped on its
/// own, which begins with a page of which the C library uses 16 bytes at each
/// end.
static constexpr int64_t kZoneBytes = 4096, kFrontBytes = 4000;
static constexpr int64_t kHeaderBytes = 2 * int64_t(sizeof(size_t));
/// The C library has the size of a block in the second word, with this bit if
/// it is mapped on its own, among three; the first one has the bytes before.
static constexpr size_t kMappedBit = 2, kSizeBits = 7;

static constexpr char kIsCopy[] =
    "; it was given a copy, so that the memory of the call does not have it";

static size_t getPageBytes() {
  static const auto bytes = size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

//===----------------------------------------------------------------------===//
// Memory that may be gone
//===----------------------------------------------------------------------===//

/// Reads two words at each of two addresses. Fails where one cannot be read.
static bool readWords(char *first, char *second,
                      std::array<std::array<size_t, 2>, 2> &words) {
  iovec to = {&words, sizeof words};
  iovec from[] = {{first, sizeof words[0]}, {second, sizeof words[1]}};
  ssize_t count = process_vm_readv(getpid(), &to, 1, from, 2, 0);
  if (count >= 0 || errno == EFAULT)
    return count == ssize_t(sizeof words);
  // The system may not allow it. This fails where a page is not mapped, and
  // does nothing otherwise.
  size_t page = getPageBytes();
  char *begin = first - reinterpret_cast<uintptr_t>(first) % page;
  size_t size = size_t(second + sizeof words[1] - begin);
  if (msync(begin, size, MS_ASYNC) != 0 && errno == ENOMEM)
    return false;
  std::memcpy(&words[0], first, sizeof words[0]);
  std::memcpy(&words[1], second, sizeof words[1]);
  return true;
}

/// Whether a header is that of a block that the C library has mapped on its
/// own.
static bool isMappedHeader(const std::array<size_t, 2> &header) {
  return (header[1] & kSizeBits) == kMappedBit &&
         (header[0] + (header[1] & ~kSizeBits)) % getPageBytes() == 0;
}

/// Whether all of such a block is mapped. `block` is behind the header.
static bool isMapped(char *block, const std::array<size_t, 2> &header) {
  return msync(block - kHeaderBytes - header[0],
               header[0] + (header[1] & ~kSizeBits), MS_ASYNC) == 0;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// A block that begins with a page; null if there is no memory.
static char *allocatePages(size_t bytes) {
  void *block = nullptr;
  return posix_memalign(&block, getPageBytes(), bytes) == 0
             ? static_cast<char *>(block)
             : nullptr;
}

/// Another number for each block of the process.
static size_t makeNumber() {
  static const size_t first = std::random_device()();
  static std::atomic<size_t> count{0};
  return (first + count.fetch_add(1)) * size_t(0x9e3779b97f4a7c15);
}

void LentBlock::allocate(int64_t size) {
  size_t wanted = std::max(kLeastMapped, size_t(size + kHeaderBytes));
  std::array<Words, 2> words;
  for (int i = 0; i < kMostTries; ++i) {
    std::free(block);
    block = allocatePages(wanted << i);
    if (!block)
      throw std::bad_alloc();
    size_t usable = malloc_usable_size(block);
    if (usable % getPageBytes() != 0 ||
        !readWords(block - kHeaderBytes, block + usable - kHeaderBytes,
                   words) ||
        !isMappedHeader(words[0]) || words[0][0] < size_t(kFrontBytes) ||
        (words[0][1] & ~kSizeBits) != usable + size_t(kHeaderBytes))
      continue;
    mapped = usable;
    header = words[0];
    size_t number = makeNumber();
    cookie = {number, ~number};
    std::memcpy(block + mapped - kHeaderBytes, &cookie, sizeof cookie);
    return;
  }
}

/// The bytes of the pages that have pieces of a copy.
static int64_t countPageBytes(const std::vector<LentPiece> &pieces) {
  auto page = int64_t(getPageBytes());
  int64_t count = 0, next = INT64_MIN;
  for (const LentPiece &piece : pieces) {
    // Pages before the copy have negative numbers.
    int64_t first = std::max(next, (piece.begin + page) / page),
            last = (piece.end - 1 + page) / page;
    count += std::max<int64_t>(last - first + 1, 0);
    next = std::max(next, last + 1);
  }
  return count * page;
}

LentBlock::LentBlock(char *memory, int64_t bytes, std::vector<LentView> of,
                     int64_t lead, char zone)
    : views(std::move(of)),
      pieces(findPieces(views, -lead - kFrontBytes, bytes + kZoneBytes)),
      memory(memory), bytes(bytes) {
  size_t size = 0;
  for (const LentPiece &piece : pieces)
    size += size_t(piece.end - piece.begin);
  // Nothing fails once the block is there.
  known.resize(size);
  allocate(lead + bytes + kZoneBytes);
  copy = block + lead;
  if (!mapped) {
    // The first piece is what is before the elements.
    pieces.front().begin = -lead;
  }
  residentBytes = countPageBytes(pieces) + int64_t(size) +
                  int64_t(pieces.size() * sizeof(LentPiece));
  fill(zone);
}

void LentBlock::fill(char zone) {
  char *was = known.data();
  for (const LentPiece &piece : pieces) {
    char *begin = copy + piece.begin;
    size_t size = size_t(piece.end - piece.begin);
    if (piece.kind == LentPiece::Kind::Outside)
      std::memset(begin, zone, size);
    else
      std::memcpy(begin, memory + piece.begin, size);
    if (mapped && begin < block && block <= begin + size)
      std::memcpy(block - kHeaderBytes, &header, sizeof header);
    std::memcpy(was, begin, size);
    was += size;
  }
}

LentBlock::~LentBlock() {
  if (isFreed())
    return;
  if (mapped)
    std::memcpy(block - kHeaderBytes, &header, sizeof header);
  std::free(block);
}

bool LentBlock::isFreed() {
  if (wasFreed || !mapped)
    return wasFreed;
  std::array<Words, 2> words;
  if (!readWords(block - kHeaderBytes, block + mapped - kHeaderBytes, words) ||
      words[1] != cookie)
    wasFreed = true;
  else
    // The block has got another size where it is.
    wasFreed = words[0] != header && words[0][0] == header[0] &&
               isMappedHeader(words[0]) && isMapped(block, words[0]);
  return wasFreed;
}

/// "element [3] of argument 'x'", or what else byte `at` is.
std::string LentBlock::describeWrite(int64_t at) const {
  if (at < 0)
    return "memory before the start of " + views.front().name;
  if (at >= bytes)
    return "memory behind the end of " +
           std::max_element(views.begin(), views.end(),
                            [](const LentView &a, const LentView &b) {
                              return a.end < b.end;
                            })
               ->name;
  for (const LentView &view : views)
    if (std::string text = view.describeByte(at); !text.empty())
      return text;
  auto around =
      std::find_if(views.begin(), views.end(), [&](const LentView &view) {
        return view.begin <= at && at < view.end;
      });
  return "memory between the elements of " +
         (around == views.end() ? views.front() : *around).name;
}

void LentBlock::takeElements(const LentPiece &piece, char *was) {
  for (int64_t at = piece.begin; at < piece.end; ++at, ++was) {
    // Read once, because a thread that the function has left may write it, and
    // written where it changed, because other threads may write those beside.
    char now = static_cast<volatile char *>(copy)[at];
    if (now != *was)
      memory[at] = *was = now;
  }
}

std::optional<LentBlock::Change> LentBlock::findChange(bool hasReturned) {
  std::optional<Change> found;
  char *was = known.data();
  for (const LentPiece &piece : pieces) {
    char *now = copy + piece.begin;
    auto size = size_t(piece.end - piece.begin);
    bool isSame = std::memcmp(was, now, size) == 0;
    if (!isSame && !hasReturned && piece.kind == LentPiece::Kind::Written) {
      takeElements(piece, was);
    } else if (!isSame) {
      if (!found) {
        int64_t first = std::mismatch(was, was + size, now).first - was;
        found = Change{piece.begin + first, piece.kind};
      }
      if (piece.kind == LentPiece::Kind::Outside)
        std::memcpy(now, was, size);
      else
        std::memcpy(was, now, size);
    }
    was += size;
  }
  return found;
}

std::string LentBlock::takeBack() {
  if (isFreed())
    return "it freed " + views.front().name +
           ", which is its caller's; it was given a copy, so that the memory "
           "of the call is as it was before";
  std::optional<Change> change = findChange(/*hasReturned=*/false);
  if (!change)
    return "";
  return "it wrote " + describeWrite(change->at) +
         (change->kind == LentPiece::Kind::Unwritten
              ? ", which its effects do not declare"
              : "") +
         kIsCopy;
}

std::string LentBlock::findLateFault() {
  if (isFreed())
    return "it freed " + views.front().name +
           " after it had returned, which is its caller's; it was given a copy";
  std::optional<Change> change = findChange(/*hasReturned=*/true);
  if (!change)
    return "";
  return "it wrote " + describeWrite(change->at) + " after it had returned" +
         kIsCopy;
}
