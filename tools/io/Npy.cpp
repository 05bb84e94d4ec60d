//===- Npy.cpp - tensors in NumPy's .npy files ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/Npy.h"
#include "tools/io/NpyHeader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

using namespace broadloom::io;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "the byte orders of .npy files are handled for little-endian "
              "machines");

/// Bytes to which a header may grow; those of arrays of numbers have about 100.
static constexpr uint64_t longestHeader = 1 << 20;
/// The size of chunks in which data is moved.
static constexpr size_t chunkBytes = 1 << 20;

namespace {

/// A file being read, with its size if it is known.
class Source {
public:
  Source() = default;
  ~Source() {
    if (isOwn)
      close(descriptor);
  }
  Source(const Source &) = delete;

  Error open(const std::string &path);
  /// Continues to read a file that stays open, of which `bytes` have been read.
  Error resume(int file, std::string bytes);
  /// Reads exactly `size` bytes; `what` describes them in the message.
  Error read(void *buffer, uint64_t size, const char *what);
  /// An error if the file is known to have fewer than `size` bytes left.
  Error require(uint64_t size, const std::string &what);

  /// The remaining bytes, or nothing if the file is not a regular one.
  std::optional<uint64_t> left;

private:
  Error failed(const char *what) const {
    return std::string(what) + ": " + std::strerror(errno);
  }
  /// Determines the remaining bytes.
  Error measure();

  int descriptor = -1;
  bool isOwn = false;
  /// Bytes that were read before.
  std::string begin;
};

} // namespace

Error Source::open(const std::string &path) {
  descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failed("cannot open the file");
  isOwn = true;
  return measure();
}

Error Source::resume(int file, std::string bytes) {
  descriptor = file;
  begin = std::move(bytes);
  return measure();
}

Error Source::measure() {
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return failed("cannot read the file");
  if (S_ISDIR(status.st_mode))
    return "cannot read the file: it is a folder";
  off_t position =
      S_ISREG(status.st_mode) ? lseek(descriptor, 0, SEEK_CUR) : -1;
  if (position >= 0)
    left = begin.size() +
           static_cast<uint64_t>(std::max<off_t>(status.st_size - position, 0));
  return {};
}

Error Source::require(uint64_t size, const std::string &what) {
  if (!left || *left >= size)
    return {};
  return "the file is truncated, or wrong about its size: " +
         std::to_string(size) + " bytes of " + what + " are announced, but " +
         std::to_string(*left) + " are left";
}

Error Source::read(void *buffer, uint64_t size, const char *what) {
  char *bytes = static_cast<char *>(buffer);
  uint64_t done = std::min<uint64_t>(begin.size(), size);
  std::memcpy(bytes, begin.data(), done);
  begin.erase(0, done);
  while (done < size) {
    ssize_t count = ::read(descriptor, bytes + done,
                           std::min<uint64_t>(size - done, 1u << 30));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failed("cannot read the file");
    if (count == 0)
      return "the file is truncated: it ends after " + std::to_string(done) +
             " of " + std::to_string(size) + " bytes of " + what;
    done += count;
  }
  if (left)
    *left -= std::min(*left, size);
  return {};
}

/// Reads magic, version, length and dictionary.
static Result<NpyHeader> readHeader(Source &source) {
  char start[8];
  if (source.left && *source.left < sizeof(start))
    return Failure{"not a .npy file: it has only " +
                   std::to_string(*source.left) + " bytes"};
  if (Error error = source.read(start, sizeof(start), "magic"); !error.empty())
    return Failure{error};
  if (std::memcmp(start, "\x93NUMPY", 6) != 0)
    return Failure{std::memcmp(start, "PK", 2) == 0
                       ? "not a .npy file but an archive: write one array with "
                         "numpy.save, not numpy.savez"
                       : "not a .npy file: it does not begin as one"};
  unsigned major = static_cast<unsigned char>(start[6]);
  unsigned minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0)
    return Failure{"format " + std::to_string(major) + "." +
                   std::to_string(minor) +
                   " of .npy is not known; 1.0, 2.0 and 3.0 are"};

  unsigned char bytes[4] = {};
  if (Error error = source.read(bytes, major == 1 ? 2 : 4, "header length");
      !error.empty())
    return Failure{error};
  uint64_t length = bytes[0] | bytes[1] << 8 | bytes[2] << 16 |
                    static_cast<uint64_t>(bytes[3]) << 24;
  if (Error error = source.require(length, "header"); !error.empty())
    return Failure{error};
  if (length > longestHeader)
    return Failure{"the header is said to have " + std::to_string(length) +
                   " bytes; more than " + std::to_string(longestHeader) +
                   " are not read"};
  std::string text(length, ' ');
  if (Error error = source.read(text.data(), length, "header"); !error.empty())
    return Failure{error};
  return parseNpyHeader(text);
}

/// Reverses the bytes of each of `count` elements.
static void swapBytes(char *data, int64_t count, int64_t elementBytes) {
  for (int64_t i = 0; i < count; ++i, data += elementBytes)
    std::reverse(data, data + elementBytes);
}

/// Converts `tensor` from Fortran order to row-major order.
static Result<OwnedTensor> toRowMajor(const OwnedTensor &tensor,
                                      const std::vector<int64_t> &extents) {
  BroadloomTensor view = *tensor;
  view.release = nullptr;
  int64_t stride = 1;
  for (int32_t axis = 0; axis < view.rank; ++axis) {
    view.dims[view.rank + axis] = stride;
    stride *= extents[axis];
  }
  auto result = createTensor(view.elementType, extents);
  if (result)
    RowMajorReader(view).read(static_cast<char *>((*result)->data),
                              broadloomTensorCount(&view));
  return result;
}

/// Reads the data of a file of unknown size (a FIFO). Memory is allocated as
/// data arrives, so that a header may announce any size.
static Result<std::unique_ptr<char[]>> readGrowing(Source &source,
                                                   uint64_t size) {
  std::unique_ptr<char[]> buffer;
  uint64_t have = 0;
  while (have < size) {
    uint64_t next = std::min(size, std::max<uint64_t>(chunkBytes, have * 2));
    std::unique_ptr<char[]> grown(new (std::nothrow) char[next]);
    if (!grown)
      return Failure{"no memory for " + std::to_string(next) + " bytes"};
    if (have)
      std::memcpy(grown.get(), buffer.get(), have);
    buffer = std::move(grown);
    if (Error error = source.read(buffer.get() + have, next - have, "data");
        !error.empty())
      return Failure{error};
    have = next;
  }
  return buffer;
}

/// Reads the data into a tensor, in the order of the file.
static Result<OwnedTensor> readData(Source &source, BroadloomElementType type,
                                    const std::vector<int64_t> &extents) {
  // Checks the size before memory is requested.
  uint64_t size = broadloomElementBytes(type);
  for (int64_t extent : extents)
    if (__builtin_mul_overflow(size, static_cast<uint64_t>(extent), &size))
      return Failure{"the size of " + shapeText(type, extents) +
                     " overflows 64 bits"};
  if (Error error = source.require(size, "data of " + shapeText(type, extents));
      !error.empty())
    return Failure{error};
  if (source.left && *source.left > size)
    return Failure{"the file is wrong about its size: " +
                   std::to_string(*source.left - size) +
                   " bytes are left after the data of " +
                   shapeText(type, extents)};

  std::unique_ptr<char[]> early;
  if (!source.left) {
    auto data = readGrowing(source, size);
    if (!data)
      return Failure{data.error()};
    early = std::move(*data);
  }
  auto tensor = createTensor(type, extents);
  if (!tensor || size == 0)
    return tensor;
  if (early)
    std::memcpy((*tensor)->data, early.get(), size);
  else if (Error error = source.read((*tensor)->data, size, "data");
           !error.empty())
    return Failure{error};
  return tensor;
}

static Result<OwnedTensor>
readOpened(Source &source, std::optional<BroadloomElementType> expected) {
  auto header = readHeader(source);
  if (!header)
    return Failure{header.error()};
  auto type = npyElementType(header->descriptor, expected);
  if (!type)
    return Failure{type.error()};
  if (header->extents.size() > BROADLOOM_MAX_RANK)
    return Failure{"the array has " + std::to_string(header->extents.size()) +
                   " axes, but at most " + std::to_string(BROADLOOM_MAX_RANK) +
                   " are supported"};
  auto tensor = readData(source, *type, header->extents);
  if (!tensor)
    return tensor;

  char *data = static_cast<char *>((*tensor)->data);
  int64_t count = broadloomTensorCount(&**tensor);
  if (header->descriptor.order == '>')
    swapBytes(data, count, broadloomElementBytes(*type));
  if (*type == BROADLOOM_I1)
    for (int64_t i = 0; i < count; ++i)
      data[i] = data[i] != 0;
  if (header->fortranOrder && header->extents.size() > 1 && count > 0)
    return toRowMajor(*tensor, header->extents);
  return tensor;
}

/// Reads from `source`; `error` is that of opening it.
static Result<OwnedTensor>
readNamed(Source &source, const Error &error, const std::string &name,
          std::optional<BroadloomElementType> expected) {
  if (!error.empty())
    return Failure{name + ": " + error};
  auto tensor = readOpened(source, expected);
  if (!tensor)
    return Failure{name + ": " + tensor.error()};
  return tensor;
}

Result<OwnedTensor>
broadloom::io::readNpy(const std::string &path,
                       std::optional<BroadloomElementType> expected) {
  Source source;
  Error error = source.open(path);
  return readNamed(source, error, path, expected);
}

Result<OwnedTensor>
broadloom::io::readNpy(int descriptor, const std::string &begin,
                       const std::string &name,
                       std::optional<BroadloomElementType> expected) {
  Source source;
  Error error = source.resume(descriptor, begin);
  return readNamed(source, error, name, expected);
}

Error broadloom::io::writeNpy(OutputFile &file, const BroadloomTensor &tensor) {
  std::vector<int64_t> extents(tensor.dims, tensor.dims + tensor.rank);
  std::string header = formatNpyHeader(tensor.elementType, extents);
  if (Error error = file.write(header.data(), header.size()); !error.empty())
    return error;
  int64_t elementBytes = broadloomElementBytes(tensor.elementType);
  int64_t count = broadloomTensorCount(&tensor);
  if (count <= 0)
    return {};
  if (isRowMajor(tensor))
    return file.write(static_cast<const char *>(tensor.data) +
                          tensor.offset * elementBytes,
                      count * elementBytes);
  std::vector<char> buffer(chunkBytes);
  RowMajorReader reader(tensor);
  while (size_t read = reader.read(buffer.data(), chunkBytes / elementBytes))
    if (Error error = file.write(buffer.data(), read * elementBytes);
        !error.empty())
      return error;
  return {};
}
