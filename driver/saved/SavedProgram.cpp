//===- SavedProgram.cpp - a compiled program as a file --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file: kMagic, the SHA-256 of what follows, and then parts, each with its
// size before it as 64 bits, least byte first. The first part is JSON, the
// others are the source, the texts of shape libraries, the shape queries and
// the object files.
//
//===----------------------------------------------------------------------===//

#include "driver/saved/SavedProgram.h"

#include "codegen/target/CodeTarget.h"
#include "driver/Compiler.h"
#include "runtime/abi/Abi.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using llvm::StringRef;

static constexpr StringRef kMagic("\x89"
                                  "BLM\r\n\x1a\1",
                                  8);
static constexpr size_t kDigest = 32;

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
}

bool broadloom::isSavedProgram(StringRef bytes) {
  // The last byte is the format.
  return bytes.starts_with(kMagic.drop_back());
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static llvm::json::Value write(const TensorSignature &tensor) {
  llvm::json::Object object{{"type", int64_t(tensor.elementType)},
                            {"signless", tensor.signless},
                            {"shape", toString(tensor.shape)}};
  if (!tensor.name.empty())
    object["name"] = tensor.name;
  if (!tensor.names.empty())
    object["names"] = llvm::json::Array(tensor.names);
  if (tensor.shape.isRanked())
    object["rank"] = int64_t(tensor.shape.rank());
  return object;
}

static llvm::json::Array write(const std::vector<TensorSignature> &tensors) {
  llvm::json::Array array;
  for (const TensorSignature &tensor : tensors)
    array.push_back(write(tensor));
  return array;
}

static bool read(const llvm::json::Value &value, TensorSignature &tensor) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return false;
  auto type = object->getInteger("type");
  auto shape = object->getString("shape");
  if (!type || *type < 0 || *type > BROADLOOM_F64 || !shape)
    return false;
  tensor.elementType = BroadloomElementType(*type);
  tensor.signless = object->getBoolean("signless").value_or(true);
  auto rank = object->getInteger("rank");
  std::optional<Shape> parsed =
      rank && *rank == 0 ? Shape(nullptr, 0) : parseShape(*shape);
  if (!parsed)
    return false;
  tensor.shape = std::move(*parsed);
  tensor.name = object->getString("name").value_or("").str();
  if (const llvm::json::Array *names = object->getArray("names"))
    for (const llvm::json::Value &name : *names)
      tensor.names.push_back(name.getAsString().value_or("").str());
  return true;
}

static bool read(const llvm::json::Array *array,
                 std::vector<TensorSignature> &tensors) {
  return array && llvm::all_of(*array, [&](const llvm::json::Value &value) {
           return read(value, tensors.emplace_back());
         });
}

static llvm::json::Array write(const std::vector<VariableSignature> &list) {
  llvm::json::Array array;
  for (const VariableSignature &variable : list)
    array.push_back(llvm::json::Object{
        {"name", variable.name},
        {"type", write(variable.type)},
        {"written", variable.isWritten},
        {"extents", llvm::json::Array(variable.initialExtents)},
        {"initial", llvm::encodeBase64(variable.initial)}});
  return array;
}

static bool read(const llvm::json::Value &value, VariableSignature &variable) {
  const llvm::json::Object *object = value.getAsObject();
  const llvm::json::Value *type = object ? object->get("type") : nullptr;
  auto initial = object ? object->getString("initial") : std::nullopt;
  const llvm::json::Array *extents =
      object ? object->getArray("extents") : nullptr;
  std::vector<char> bytes;
  if (!type || !read(*type, variable.type) || !initial || !extents ||
      llvm::errorToBool(llvm::decodeBase64(*initial, bytes)))
    return false;
  variable.name = object->getString("name").value_or("").str();
  variable.isWritten = object->getBoolean("written").value_or(false);
  variable.initial.assign(bytes.begin(), bytes.end());
  int64_t element = broadloomElementBytes(variable.type.elementType);
  int64_t all = element, given = int64_t(bytes.size());
  bool isCounted = true;
  for (const llvm::json::Value &extent : *extents) {
    int64_t number = extent.getAsInteger().value_or(-1);
    if (number < 0)
      return false;
    isCounted &= !llvm::MulOverflow(all, number, all);
    variable.initialExtents.push_back(number);
  }
  return extents->size() <= BROADLOOM_MAX_RANK &&
         (given == 0 || given == element || (isCounted && given == all));
}

static llvm::json::Array write(const std::vector<FunctionSignature> &list) {
  llvm::json::Array array;
  for (const FunctionSignature &function : list)
    array.push_back(llvm::json::Object{{"name", function.name},
                                       {"arguments", write(function.arguments)},
                                       {"results", write(function.results)},
                                       {"variables", write(function.variables)},
                                       {"no_shapes", function.whyNoShapes}});
  return array;
}

static bool read(const llvm::json::Array *array,
                 std::vector<FunctionSignature> &list) {
  return array && llvm::all_of(*array, [&](const llvm::json::Value &value) {
           const llvm::json::Object *object = value.getAsObject();
           if (!object)
             return false;
           FunctionSignature &function = list.emplace_back();
           function.name = object->getString("name").value_or("").str();
           function.whyNoShapes =
               object->getString("no_shapes").value_or("").str();
           if (const llvm::json::Array *variables =
                   object->getArray("variables"))
             for (const llvm::json::Value &variable : *variables)
               if (!read(variable, function.variables.emplace_back()))
                 return false;
           return read(object->getArray("arguments"), function.arguments) &&
                  read(object->getArray("results"), function.results);
         });
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string writeHeader(const SavedProgram &program) {
  llvm::json::Object header{
      {"identity", program.identity},
      {"name", program.name},
      {"strategy", int64_t(program.strategy)},
      {"dynamic_to_static", int64_t(program.dynamicToStatic)},
      {"optimise", program.optimiseCode},
      {"diagnostics", llvm::json::fixUTF8(program.diagnostics)},
      {"libraries", int64_t(program.shapeLibraries.size())},
      {"functions", write(program.functions)}};
  if (program.only)
    header["only"] = *program.only;
  if (program.fillElided)
    header["fill_elided"] = *program.fillElided;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(header));
  return text;
}

std::string broadloom::writeSavedProgram(const SavedProgram &program) {
  std::string body;
  auto add = [&](StringRef part) {
    char size[8];
    llvm::support::endian::write64le(size, part.size());
    body.append(size, sizeof(size));
    body += part;
  };
  add(writeHeader(program));
  add(program.source);
  for (const std::string &library : program.shapeLibraries)
    add(library);
  add(program.queries);
  for (const std::string &object : program.objects)
    add(object);
  auto digest = llvm::SHA256::hash(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(body.data()), body.size()));
  return kMagic.str() +
         std::string(reinterpret_cast<const char *>(digest.data()), kDigest) +
         body;
}

StringRef broadloom::getChecksum(StringRef file) {
  return file.substr(kMagic.size(), kDigest);
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

static bool readHeader(StringRef text, SavedProgram &program,
                       size_t &numLibraries) {
  auto value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *header = value->getAsObject();
  if (!header)
    return false;
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
  return read(header->getArray("functions"), program.functions);
}

llvm::Expected<SavedProgram>
broadloom::readSavedProgram(llvm::MemoryBufferRef file) {
  StringRef rest = file.getBuffer();
  if (!rest.consume_front(kMagic))
    return llvm::createStringError(
        "the saved program has another format; save it again with this "
        "version");
  StringRef digest = rest.take_front(kDigest);
  rest = rest.drop_front(std::min(kDigest, rest.size()));
  auto found = llvm::SHA256::hash(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(rest.data()), rest.size()));
  bool isWhole =
      digest ==
      StringRef(reinterpret_cast<const char *>(found.data()), kDigest);
  auto parts = isWhole ? split(rest) : std::nullopt;
  SavedProgram program;
  size_t numLibraries = 0;
  // The header, the source and the queries.
  if (!parts || parts->size() < 3 ||
      !readHeader(parts->front(), program, numLibraries) ||
      parts->size() - 3 < numLibraries)
    return llvm::createStringError(
        "the saved program is damaged; save it again");
  auto next = parts->begin() + 1;
  program.source = (next++)->str();
  for (size_t i = 0; i < numLibraries; ++i)
    program.shapeLibraries.push_back((next++)->str());
  program.queries = (next++)->str();
  for (; next != parts->end(); ++next)
    program.objects.push_back(next->str());
  return program;
}
