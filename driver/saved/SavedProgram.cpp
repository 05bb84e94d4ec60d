//===- SavedProgram.cpp - a compiled program as a file --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file: kMagic, a checksum, the size of the parts that follow, and these
// parts, each with its size before it; then large constants, each at a multiple
// of kAlignment. Sizes are 64 bits, least byte first. The first part is JSON,
// the others are the source, the texts of shape libraries, the shape queries
// and the object files. The checksum is that of the size and the parts. Those
// of the constants are in the JSON, so that they are read without it.
//
//===----------------------------------------------------------------------===//

#include "driver/saved/SavedProgram.h"

#include "codegen/target/CodeTarget.h"
#include "driver/Compiler.h"
#include "driver/saved/SignatureJson.h"
#include "runtime/abi/Abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using llvm::StringRef;

static constexpr StringRef kMagic("\x89"
                                  "BLM\r\n\x1a\2",
                                  8);
static constexpr size_t kDigest = 32;
static constexpr size_t kAlignment = 64;
/// The bytes before the parts.
static constexpr size_t kHead = 8 + kDigest + 8;

using Hash = llvm::BLAKE3;

std::string broadloom::getCodeIdentity() {
  std::string identity = std::string("broadloom ") + version() + " abi " +
                         std::to_string(BROADLOOM_ABI_VERSION);
  auto target = codegen::CodeTarget::getHost();
  if (!target) {
    llvm::consumeError(target.takeError());
    return identity;
  }
  llvm::orc::JITTargetMachineBuilder builder = target->getBuilder();
  return identity + " " + target->getTriple().str() + " " + builder.getCPU() +
         " " + builder.getFeatures().getString();
}

void SavedProgram::setOptions(CompileOptions &options) const {
  options.strategy = strategy;
  options.dynamicToStatic = dynamicToStatic;
  options.optimiseCode = optimiseCode;
  options.fillElided = fillElided;
  options.constants = given;
}

bool broadloom::isSavedProgram(StringRef bytes) {
  // The last byte is the format.
  return bytes.starts_with(kMagic.drop_back());
}

static std::string hashBytes(StringRef bytes) {
  auto digest = Hash::hash(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  return std::string(reinterpret_cast<const char *>(digest.data()), kDigest);
}

static std::string writeDigest(StringRef bytes) {
  return llvm::toHex(hashBytes(bytes), /*LowerCase=*/true);
}

static llvm::json::Object describe(StringRef bytes, std::string digest) {
  return llvm::json::Object{{"size", int64_t(bytes.size())},
                            {"digest", std::move(digest)}};
}

std::vector<std::string> SavedProgram::hashGiven() const {
  std::vector<std::string> digests;
  for (const SharedBytes &constant : given)
    digests.push_back(writeDigest(constant.bytes));
  return digests;
}

static std::string writeHeader(const SavedProgram &program) {
  llvm::json::Array constants, given;
  for (const codegen::OutsideConstant &constant : program.code.constants) {
    llvm::json::Object row =
        describe(constant.bytes, writeDigest(constant.bytes));
    row["symbol"] = constant.symbol;
    row["plain"] = constant.isPlain;
    constants.push_back(std::move(row));
  }
  std::vector<std::string> digests =
      program.givenDigests.size() == program.given.size() ? program.givenDigests
                                                          : program.hashGiven();
  for (auto [constant, digest] : llvm::zip_equal(program.given, digests))
    given.push_back(describe(constant.bytes, digest));
  llvm::json::Object header{
      {"identity", program.identity},
      {"name", program.name},
      {"strategy", int64_t(program.strategy)},
      {"dynamic_to_static", int64_t(program.dynamicToStatic)},
      {"optimise", program.optimiseCode},
      {"diagnostics", llvm::json::fixUTF8(program.diagnostics)},
      {"libraries", int64_t(program.shapeLibraries.size())},
      {"constants", std::move(constants)},
      {"given", std::move(given)},
      {"functions", toJson(program.functions)}};
  if (program.only)
    header["only"] = *program.only;
  if (program.fillElided)
    header["fill_elided"] = *program.fillElided;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(header));
  return text;
}

static size_t alignUp(size_t offset) {
  return llvm::alignTo(offset, kAlignment);
}

static void addSize(std::string &to, size_t size) {
  char bytes[8];
  llvm::support::endian::write64le(bytes, size);
  to.append(bytes, sizeof(bytes));
}

SavedFile::SavedFile(const SavedProgram &program) {
  header = writeHeader(program);
  std::vector<StringRef> parts = {header, program.source.bytes};
  parts.insert(parts.end(), program.shapeLibraries.begin(),
               program.shapeLibraries.end());
  parts.push_back(program.queries);
  parts.insert(parts.end(), program.code.objects.begin(),
               program.code.objects.end());
  // The sizes of all parts and of each, as 64 bits.
  size_t all = 0;
  for (StringRef part : parts)
    all += 8 + part.size();
  sizes.reserve(8 * (parts.size() + 1));
  pieces.push_back("");
  auto add = [&](size_t size) {
    addSize(sizes, size);
    pieces.push_back(StringRef(sizes).take_back(8));
  };
  add(all);
  for (StringRef part : parts) {
    add(part.size());
    pieces.push_back(part);
  }
  Hash hasher;
  for (StringRef piece : pieces)
    hasher.update(piece);
  auto digest = hasher.final();
  StringRef found(reinterpret_cast<const char *>(digest.data()), kDigest);
  checksum = llvm::toHex(found, /*LowerCase=*/true);
  head = kMagic.str() + found.str();
  pieces.front() = head;
  size_t offset = kHead + all;
  static constexpr char kZeros[kAlignment] = {};
  auto addAligned = [&](StringRef bytes) {
    if (size_t gap = alignUp(offset) - offset)
      pieces.emplace_back(kZeros, gap);
    pieces.push_back(bytes);
    offset = alignUp(offset) + bytes.size();
  };
  for (const codegen::OutsideConstant &constant : program.code.constants)
    addAligned(constant.bytes);
  for (const SharedBytes &constant : program.given)
    addAligned(constant.bytes);
}

size_t SavedFile::size() const {
  size_t size = 0;
  for (StringRef piece : pieces)
    size += piece.size();
  return size;
}

std::string SavedFile::toString() const {
  std::string bytes;
  bytes.reserve(size());
  for (StringRef piece : pieces)
    bytes += piece;
  return bytes;
}

std::string broadloom::writeSavedProgram(const SavedProgram &program) {
  return SavedFile(program).toString();
}

/// The parts after the checksum; nothing if their sizes do not add up.
static std::optional<std::vector<StringRef>> split(StringRef body) {
  std::vector<StringRef> parts;
  while (!body.empty()) {
    if (body.size() < 8)
      return std::nullopt;
    uint64_t size = llvm::support::endian::read64le(body.data());
    body = body.drop_front(8);
    if (size > body.size())
      return std::nullopt;
    parts.push_back(body.take_front(size));
    body = body.drop_front(size);
  }
  return parts;
}

namespace {

/// A large constant behind the parts.
struct Section {
  StringRef bytes, digest;
  bool isWhole() const { return writeDigest(bytes) == digest; }
};

/// What a file has.
struct Layout {
  llvm::json::Value header = nullptr;
  std::vector<StringRef> parts;
  std::vector<Section> constants, given;
};

} // namespace

/// The large constants that `list` describes, from `offset` on; false if the
/// file ends before they do.
static bool findSections(const llvm::json::Array *list, StringRef file,
                         size_t &offset, std::vector<Section> &sections) {
  return list && llvm::all_of(*list, [&](const llvm::json::Value &value) {
           const llvm::json::Object *object = value.getAsObject();
           int64_t size = object ? object->getInteger("size").value_or(-1) : -1;
           size_t begin = alignUp(offset);
           if (size < 0 || begin > file.size() ||
               size_t(size) > file.size() - begin)
             return false;
           sections.push_back({file.substr(begin, size_t(size)),
                               object->getString("digest").value_or("")});
           offset = begin + size_t(size);
           return true;
         });
}

/// What a file of the right format has; nothing if its parts are damaged, or
/// its sizes do not add up.
static std::optional<Layout> findLayout(StringRef file) {
  if (file.size() < kHead)
    return std::nullopt;
  StringRef digest = file.substr(kMagic.size(), kDigest);
  StringRef rest = file.drop_front(kMagic.size() + kDigest);
  uint64_t size = llvm::support::endian::read64le(rest.data());
  if (size > rest.size() - 8 || hashBytes(rest.take_front(8 + size)) != digest)
    return std::nullopt;
  auto parts = split(rest.substr(8, size));
  // The header, the source and the queries.
  if (!parts || parts->size() < 3)
    return std::nullopt;
  auto header = llvm::json::parse(parts->front());
  if (!header) {
    llvm::consumeError(header.takeError());
    return std::nullopt;
  }
  Layout layout;
  layout.header = std::move(*header);
  layout.parts = std::move(*parts);
  const llvm::json::Object *object = layout.header.getAsObject();
  size_t offset = kHead + size;
  if (!object ||
      !findSections(object->getArray("constants"), file, offset,
                    layout.constants) ||
      !findSections(object->getArray("given"), file, offset, layout.given) ||
      offset != file.size())
    return std::nullopt;
  return layout;
}

/// The constants that code refers to; false if one of them is damaged.
static bool readConstants(const Layout &layout,
                          const std::shared_ptr<const void> &owner,
                          Verify verify,
                          std::vector<codegen::OutsideConstant> &constants) {
  const llvm::json::Array &list =
      *layout.header.getAsObject()->getArray("constants");
  for (auto [value, section] : llvm::zip_equal(list, layout.constants)) {
    const llvm::json::Object &row = *value.getAsObject();
    bool isPlain = row.getBoolean("plain").value_or(false);
    if ((!isPlain || verify == Verify::All) && !section.isWhole())
      return false;
    constants.push_back({row.getString("symbol").value_or("").str(),
                         section.bytes, isPlain, owner});
    // The file's bytes may be anywhere in memory.
    if (!owner ||
        !llvm::isAddrAligned(llvm::Align(kAlignment), section.bytes.data()))
      constants.back().copy();
  }
  return true;
}

bool broadloom::areGivenWhole(llvm::MemoryBufferRef file) {
  std::optional<Layout> layout = findLayout(file.getBuffer());
  return layout && llvm::all_of(layout->given, [](const Section &section) {
           return section.isWhole();
         });
}

static bool readHeader(const llvm::json::Value &value, SavedProgram &program,
                       size_t &numLibraries) {
  const llvm::json::Object *header = value.getAsObject();
  program.identity = header->getString("identity").value_or("").str();
  program.name = header->getString("name").value_or("").str();
  program.strategy = Strategy(header->getInteger("strategy").value_or(0));
  program.dynamicToStatic =
      DynamicToStatic(header->getInteger("dynamic_to_static").value_or(0));
  program.optimiseCode = header->getBoolean("optimise").value_or(true);
  program.diagnostics = header->getString("diagnostics").value_or("").str();
  if (auto only = header->getString("only"))
    program.only = only->str();
  if (const llvm::json::Value *seed = header->get("fill_elided"))
    program.fillElided = seed->getAsUINT64();
  numLibraries = size_t(header->getInteger("libraries").value_or(0));
  return fromJson(header->getArray("functions"), program.functions);
}

llvm::Expected<SavedProgram>
broadloom::readSavedProgram(llvm::MemoryBufferRef file,
                            std::shared_ptr<const void> owner, Verify verify) {
  StringRef bytes = file.getBuffer();
  if (!bytes.starts_with(kMagic))
    return llvm::createStringError(
        "the saved program has another format; save it again with this "
        "version");
  std::optional<Layout> layout = findLayout(bytes);
  SavedProgram program;
  size_t numLibraries = 0;
  if (!layout || !readHeader(layout->header, program, numLibraries) ||
      layout->parts.size() - 3 < numLibraries ||
      !readConstants(*layout, owner, verify, program.code.constants) ||
      (verify == Verify::All && !areGivenWhole(file)))
    return llvm::createStringError(
        "the saved program is damaged; save it again");
  auto keep = [&](StringRef part) {
    return owner ? SharedBytes(part, owner) : SharedBytes(part.str());
  };
  auto next = layout->parts.begin() + 1;
  program.source = keep(*next++);
  for (size_t i = 0; i < numLibraries; ++i)
    program.shapeLibraries.push_back((next++)->str());
  program.queries = (next++)->str();
  for (; next != layout->parts.end(); ++next)
    program.code.objects.push_back(next->str());
  for (const Section &section : layout->given)
    program.given.push_back(keep(section.bytes));
  return program;
}
