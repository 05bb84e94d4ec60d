//===- ConvertedFile.cpp - what a converter of models writes --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/ConvertedFile.h"

#include "driver/sources/SourceFile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace broadloom;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr StringRef kConvertedMagic("\x89"
                                           "BLW\r\n\x1a\3",
                                           8);
static constexpr size_t kConvertedAlignment = 64;

namespace {

/// A file that has constants.
struct ConstantFile {
  uint64_t pathSize;
  /// As it was before the converter has read the file.
  FileStamp stamp;
  std::shared_ptr<const llvm::MemoryBuffer> contents;
};

struct ConstantPlace {
  /// 0 for the converter's own file.
  uint64_t file;
  uint64_t begin, size;
};

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

static llvm::Error makeDamage() {
  return llvm::createStringError("what it has written is cut off or damaged");
}

/// Opens a file, which must be as it was, and reads or maps it. Notes it in
/// `mapped` if it is mapped.
static llvm::Error open(ConstantFile &file, StringRef path, StringRef model,
                        std::vector<StampedFile> &mapped) {
  auto makeError = [&](llvm::Error error) {
    return llvm::createStringError(
        "its weights in " + path +
        " cannot be read: " + llvm::toString(std::move(error)));
  };
  auto opened = SourceFile::open(path);
  if (!opened)
    return makeError(opened.takeError());
  if (opened->getStamped().stamp != file.stamp)
    return llvm::createStringError("the file " + path +
                                   " with its weights has changed meanwhile; "
                                   "try again once it is written");
  bool isModel = llvm::sys::fs::equivalent(path, model);
  auto contents = isModel ? opened->read(path) : opened->map();
  if (!contents)
    return makeError(contents.takeError());
  file.contents = std::move(*contents);
  if (!isModel)
    mapped.push_back(opened->getStamped());
  return llvm::Error::success();
}

/// The bytes at a place; null where no file has them.
static std::optional<SharedBytes> find(const ConstantPlace &place,
                                       ArrayRef<ConstantFile> files) {
  if (place.file > files.size())
    return std::nullopt;
  const auto &contents = files[place.file - 1].contents;
  StringRef bytes = contents->getBuffer();
  if (place.begin > bytes.size() || place.size > bytes.size() - place.begin)
    return std::nullopt;
  return SharedBytes(bytes.substr(place.begin, place.size), contents);
}

llvm::Expected<ConvertedModel>
broadloom::readConverted(std::unique_ptr<llvm::MemoryBuffer> file,
                         const std::string &name, StringRef modelPath) {
  ConvertedModel model;
  StringRef bytes = file->getBuffer();
  if (!bytes.starts_with(kConvertedMagic)) {
    model.program = llvm::MemoryBuffer::getMemBufferCopy(bytes, name);
    return std::move(model);
  }
  std::shared_ptr<const llvm::MemoryBuffer> owner = std::move(file);
  Reader reader(bytes);
  uint64_t numFiles = reader.takeNumber(), count = reader.takeNumber(),
           textSize = reader.takeNumber();
  std::vector<ConstantFile> files;
  for (uint64_t i = 0; i < numFiles && reader.isWhole; ++i) {
    ConstantFile file = {};
    for (uint64_t *number :
         {&file.pathSize, &file.stamp.device, &file.stamp.inode,
          &file.stamp.size, &file.stamp.time})
      *number = reader.takeNumber();
    files.push_back(file);
  }
  std::vector<ConstantPlace> places;
  for (uint64_t i = 0; i < count && reader.isWhole; ++i) {
    uint64_t number = reader.takeNumber(), begin = reader.takeNumber();
    places.push_back({number, begin, reader.takeNumber()});
  }
  for (ConstantFile &named : files) {
    StringRef path = reader.take(named.pathSize);
    if (!reader.isWhole)
      return makeDamage();
    if (llvm::Error error = open(named, path, modelPath, model.files))
      return std::move(error);
  }
  StringRef text = reader.take(textSize);
  for (const ConstantPlace &place : places) {
    std::optional<SharedBytes> constant =
        place.file == 0
            ? SharedBytes(reader.take(place.size, kConvertedAlignment), owner)
            : find(place, files);
    if (!constant || !reader.isWhole)
      return makeDamage();
    model.constants.push_back(std::move(*constant));
  }
  if (!reader.isDone())
    return makeDamage();
  model.program = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  return std::move(model);
}
