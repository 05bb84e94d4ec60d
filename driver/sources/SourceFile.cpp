//===- SourceFile.cpp - files that are read or mapped ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/SourceFile.h"

#include "runtime/memory/LargePages.h"

#include <chrono>
#include <utility>

using namespace broadloom;
using llvm::StringRef;

static llvm::Error makeChanged() {
  return llvm::createStringError(
      "the file has changed while it was read; try again once it is written");
}

/// The stamp of a path or of an open file.
template <typename File>
static llvm::ErrorOr<FileStamp> getStamp(const File &file) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(file, status))
    return error;
  FileStamp stamp;
  stamp.device = status.getUniqueID().getDevice();
  stamp.inode = status.getUniqueID().getFile();
  stamp.size = status.getSize();
  stamp.time = uint64_t(status.getLastModificationTime().time_since_epoch() /
                        std::chrono::nanoseconds(1));
  return stamp;
}

bool StampedFile::isUnchanged() const {
  auto now = getStamp(path);
  return now && *now == stamp;
}

namespace {

/// Bytes in memory that they have for themselves, with a zero behind them.
class OwnBuffer : public llvm::MemoryBuffer {
public:
  OwnBuffer(char *memory, size_t size, StringRef name)
      : memory(memory), name(name) {
    memory[size] = 0;
    init(memory, memory + size, /*RequiresNullTerminator=*/true);
  }
  ~OwnBuffer() override { returnMemory(memory, getAllocated(getBufferSize())); }

  static int64_t getAllocated(size_t size) { return int64_t(size) + 1; }

  StringRef getBufferIdentifier() const override { return name; }
  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }

private:
  char *memory;
  std::string name;
};

} // namespace

llvm::Expected<SourceFile> SourceFile::open(StringRef path) {
  auto opened = llvm::sys::fs::openNativeFileForRead(path);
  if (!opened)
    return opened.takeError();
  SourceFile file(path, *opened);
  auto stamp = getStamp(file.file);
  if (!stamp)
    return llvm::errorCodeToError(stamp.getError());
  file.stamped.stamp = *stamp;
  return std::move(file);
}

SourceFile::~SourceFile() {
  if (file != llvm::sys::fs::kInvalidFile)
    (void)llvm::sys::fs::closeFile(file);
}

SourceFile::SourceFile(SourceFile &&other) noexcept
    : stamped(std::move(other.stamped)),
      file(std::exchange(other.file, llvm::sys::fs::kInvalidFile)) {}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
SourceFile::read(StringRef name) const {
  size_t size = stamped.stamp.size;
  auto *memory =
      static_cast<char *>(obtainMemory(OwnBuffer::getAllocated(size)));
  if (!memory)
    return llvm::errorCodeToError(
        std::make_error_code(std::errc::not_enough_memory));
  auto buffer = std::make_unique<OwnBuffer>(memory, size, name);
  for (size_t end = 0; end < size;) {
    auto count = llvm::sys::fs::readNativeFileSlice(
        file, llvm::MutableArrayRef<char>(memory + end, size - end), end);
    if (!count)
      return count.takeError();
    if (*count == 0)
      return makeChanged();
    end += *count;
  }
  auto now = getStamp(file);
  if (!now || *now != stamped.stamp)
    return makeChanged();
  return std::unique_ptr<llvm::MemoryBuffer>(std::move(buffer));
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> SourceFile::map() const {
  auto buffer = llvm::MemoryBuffer::getOpenFile(
      file, stamped.path, stamped.stamp.size, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::errorCodeToError(buffer.getError());
  return std::move(*buffer);
}
