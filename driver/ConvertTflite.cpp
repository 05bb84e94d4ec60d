//===- ConvertTflite.cpp - TensorFlow Lite models -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ConvertTflite.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace broadloom;
using llvm::StringRef;

static constexpr char kConverter[] = "tosa-converter-for-tflite";
// Converting a model of 100 MB takes some seconds.
static constexpr unsigned kSeconds = 600;

bool broadloom::isTflite(StringRef contents) {
  return contents.size() >= 8 && contents.substr(4, 4) == "TFL3";
}

static llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static llvm::Expected<std::string> findConverter() {
  if (const char *named = std::getenv("BROADLOOM_TFLITE_CONVERTER")) {
    if (llvm::sys::fs::can_execute(named))
      return std::string(named);
    return makeError(llvm::Twine("is a TensorFlow Lite model, and '") + named +
                     "', which BROADLOOM_TFLITE_CONVERTER names, is no program "
                     "that can be run");
  }
  if (auto found = llvm::sys::findProgramByName(kConverter))
    return *found;
  return makeError(llvm::Twine("is a TensorFlow Lite model, which '") +
                   kConverter +
                   "' converts, and PATH has no such program; install it with "
                   "'pip install " +
                   kConverter + "', or name it in BROADLOOM_TFLITE_CONVERTER");
}

namespace {

/// A file that is there while this object is, for its owner alone.
struct TemporaryFile {
  static llvm::Expected<TemporaryFile> create(StringRef ending) {
    llvm::SmallString<128> model, path;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "broadloom-tflite-%%%%%%%%." + ending);
    int file = -1;
    std::error_code error = llvm::sys::fs::createUniqueFile(
        model, file, path, llvm::sys::fs::OF_None,
        llvm::sys::fs::owner_read | llvm::sys::fs::owner_write);
    if (!error)
      error = llvm::sys::Process::SafelyCloseFileDescriptor(file);
    if (error)
      return makeError("no temporary file can be made for it: " +
                       error.message());
    return TemporaryFile(path);
  }
  explicit TemporaryFile(StringRef path)
      : path(path), remover(std::make_unique<llvm::FileRemover>(path)) {}

  std::string path;
  /// FileRemover has no move: of two copies the first removes the file.
  std::unique_ptr<llvm::FileRemover> remover;
};

} // namespace

/// What the converter has said, in short.
static std::string readWords(StringRef path) {
  auto words = llvm::MemoryBuffer::getFile(path);
  StringRef text = words ? (*words)->getBuffer().trim() : "";
  return text.empty() ? "it says nothing" : text.take_back(2000).str();
}

/// Runs the converter. What it says goes to the file `words`.
static llvm::Error run(const std::string &converter, StringRef model,
                       StringRef program, StringRef words) {
  StringRef arguments[] = {converter, model, "--bytecode", "-o", program};
  std::optional<StringRef> outputs[] = {StringRef(), words, words};
  std::string error;
  int status = llvm::sys::ExecuteAndWait(converter, arguments, std::nullopt,
                                         outputs, kSeconds, 0, &error);
  if (status == 0)
    return llvm::Error::success();
  if (status < 0)
    return makeError(llvm::Twine("'") + converter +
                     "' does not convert it: " + error);
  return makeError(llvm::Twine("'") + converter +
                   "' does not convert it: " + readWords(words));
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
broadloom::convertTflite(const llvm::MemoryBuffer &model) {
  auto converter = findConverter();
  if (!converter)
    return converter.takeError();
  // The model may have come from standard input.
  auto input = TemporaryFile::create("tflite");
  if (!input)
    return input.takeError();
  auto output = TemporaryFile::create("mlirbc");
  if (!output)
    return output.takeError();
  auto words = TemporaryFile::create("txt");
  if (!words)
    return words.takeError();
  std::error_code error;
  llvm::raw_fd_ostream stream(input->path, error);
  stream << model.getBuffer();
  stream.close();
  if (error || stream.has_error()) {
    stream.clear_error();
    return makeError("a copy for the converter cannot be written to " +
                     input->path);
  }
  if (llvm::Error failed =
          run(*converter, input->path, output->path, words->path))
    return std::move(failed);
  auto program = llvm::MemoryBuffer::getFile(output->path);
  if (!program || (*program)->getBufferSize() == 0)
    return makeError(llvm::Twine("'") + *converter +
                     "' does not convert it: " + readWords(words->path));
  return llvm::MemoryBuffer::getMemBufferCopy((*program)->getBuffer(),
                                              model.getBufferIdentifier());
}
