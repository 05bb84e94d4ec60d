//===- ConvertedFile.cpp - what a converter of models writes --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/ConvertedFile.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace broadloom;
using llvm::StringRef;

static constexpr StringRef kConvertedMagic("\x89"
                                           "BLW\r\n\x1a\1",
                                           8);
static constexpr size_t kConvertedAlignment = 64;

namespace {

/// Takes parts from a file, one after the other.
class Reader {
public:
  explicit Reader(StringRef file) : file(file), at(kConvertedMagic.size()) {}

  /// `size` bytes from the next multiple of `alignment` on.
  StringRef take(uint64_t size, size_t alignment = 1) {
    uint64_t begin = llvm::alignTo(at, alignment);
    isWhole &= begin <= file.size() && size <= file.size() - begin;
    if (!isWhole)
      return "";
    at = begin + size;
    return file.substr(begin, size);
  }
  uint64_t takeNumber() {
    StringRef bytes = take(8);
    return isWhole ? llvm::support::endian::read64le(bytes.data()) : 0;
  }
  bool isDone() const { return isWhole && at == file.size(); }

  bool isWhole = true;

private:
  StringRef file;
  uint64_t at;
};

} // namespace

ConvertedModel
broadloom::readConverted(std::unique_ptr<llvm::MemoryBuffer> file,
                         const std::string &name) {
  ConvertedModel model;
  StringRef bytes = file->getBuffer();
  if (!bytes.starts_with(kConvertedMagic)) {
    model.program = llvm::MemoryBuffer::getMemBufferCopy(bytes, name);
    return model;
  }
  std::shared_ptr<const llvm::MemoryBuffer> owner = std::move(file);
  Reader reader(bytes);
  uint64_t count = reader.takeNumber(), textSize = reader.takeNumber();
  std::vector<uint64_t> sizes;
  for (uint64_t i = 0; i < count && reader.isWhole; ++i)
    sizes.push_back(reader.takeNumber());
  StringRef text = reader.take(textSize);
  for (uint64_t size : sizes)
    model.constants.emplace_back(reader.take(size, kConvertedAlignment), owner);
  if (reader.isDone())
    model.program = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  else
    model.constants.clear();
  return model;
}
