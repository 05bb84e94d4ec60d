//===- ConvertModel.cpp - models that other programs read -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/ConvertModel.h"
#include "driver/sources/OwnProgram.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace broadloom;
using llvm::StringRef;

// Converting a model of 100 MB takes some seconds.
static constexpr unsigned kConversionSeconds = 600;

static llvm::Expected<std::string> findConverter(const SourceForm &form) {
  const ModelConverter &kind = form.converter;
  if (const char *named = std::getenv(kind.variable)) {
    if (llvm::sys::fs::can_execute(named))
      return std::string(named);
    return llvm::createStringError(
        llvm::Twine("is ") + form.article + ", and '" + named + "', which " +
        kind.variable + " names, is no program that can be run");
  }
  if (std::string own = findOwnProgram(kind.program); !own.empty())
    return own;
  if (auto found = llvm::sys::findProgramByName(kind.program))
    return *found;
  return llvm::createStringError(
      llvm::Twine("is ") + form.article + ", which '" + kind.program +
      "' converts, and PATH has no such program; " + kind.advice +
      ", or name it in " + kind.variable);
}

namespace {

/// A file that exists as long as this object, which only its owner can read; or
/// another file, which stays.
struct TemporaryFile {
  static llvm::Expected<TemporaryFile> create(StringRef ending) {
    llvm::SmallString<128> model, path;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "broadloom-model-%%%%%%%%" + ending);
    int file = -1;
    std::error_code error = llvm::sys::fs::createUniqueFile(
        model, file, path, llvm::sys::fs::OF_None,
        llvm::sys::fs::owner_read | llvm::sys::fs::owner_write);
    if (!error)
      error = llvm::sys::Process::SafelyCloseFileDescriptor(file);
    if (error)
      return llvm::createStringError("no temporary file can be made for it: " +
                                     error.message());
    return TemporaryFile(path);
  }
  explicit TemporaryFile(StringRef path, bool isKept = false)
      : path(path),
        remover(isKept ? nullptr : std::make_unique<llvm::FileRemover>(path)) {}

  std::string path;
  /// A pointer, because FileRemover cannot be moved, and a copy would remove
  /// the file.
  std::unique_ptr<llvm::FileRemover> remover;
};

} // namespace

/// The end of the converter's output.
static std::string readWords(StringRef path) {
  auto words = llvm::MemoryBuffer::getFile(path);
  StringRef text = words ? (*words)->getBuffer().trim() : "";
  return text.empty() ? "it says nothing" : text.take_back(2000).str();
}

/// Runs the converter. Its output goes to the file `words`.
static llvm::Error run(const std::string &converter,
                       llvm::ArrayRef<StringRef> arguments, StringRef words) {
  std::optional<StringRef> outputs[] = {StringRef(), words, words};
  std::string error;
  int status =
      llvm::sys::ExecuteAndWait(converter, arguments, std::nullopt, outputs,
                                kConversionSeconds, 0, &error);
  if (status == 0)
    return llvm::Error::success();
  if (status < 0)
    return llvm::createStringError(llvm::Twine("'") + converter +
                                   "' does not convert it: " + error);
  return llvm::createStringError(llvm::Twine("'") + converter +
                                 "' does not convert it: " + readWords(words));
}

/// The file that the converter reads: the model's own, or a copy where there is
/// none, as of a model in memory or of standard input, or it is called
/// otherwise.
static llvm::Expected<TemporaryFile> findInput(const SourceForm &form,
                                               const llvm::MemoryBuffer &model,
                                               bool isFile) {
  StringRef own = model.getBufferIdentifier();
  uint64_t size = 0;
  if (isFile && own.ends_with(form.ending) &&
      llvm::sys::fs::is_regular_file(own) &&
      !llvm::sys::fs::file_size(own, size) && size == model.getBufferSize())
    return TemporaryFile(own, /*isKept=*/true);
  auto copy = TemporaryFile::create(form.ending);
  if (!copy)
    return copy.takeError();
  std::error_code error;
  llvm::raw_fd_ostream stream(copy->path, error);
  stream << model.getBuffer();
  stream.close();
  if (error || stream.has_error()) {
    stream.clear_error();
    return llvm::createStringError(
        "a copy for the converter cannot be written to " + copy->path);
  }
  return std::move(*copy);
}

llvm::Expected<ConvertedModel>
broadloom::convertModel(const SourceForm &form, const llvm::MemoryBuffer &model,
                        bool isFile) {
  auto converter = findConverter(form);
  if (!converter)
    return converter.takeError();
  auto input = findInput(form, model, isFile);
  if (!input)
    return input.takeError();
  // The ending requests constants beside the text of converters that can do it.
  auto output = TemporaryFile::create(
      form.program == read::ProgramForm::Bytecode ? ".mlirbc" : ".blw");
  if (!output)
    return output.takeError();
  auto words = TemporaryFile::create(".txt");
  if (!words)
    return words.takeError();
  std::string name = model.getBufferIdentifier().str();
  llvm::SmallVector<StringRef> arguments = {*converter, input->path};
  if (form.converter.needsPath)
    arguments.append({"--name", name});
  else
    arguments.push_back("--bytecode");
  arguments.append({"-o", output->path});
  if (llvm::Error failed = run(*converter, arguments, words->path))
    return std::move(failed);
  auto program = llvm::MemoryBuffer::getFile(output->path, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
  if (!program || (*program)->getBufferSize() == 0)
    return llvm::createStringError(
        llvm::Twine("'") + *converter +
        "' does not convert it: " + readWords(words->path));
  // The locations in the converted text are the model's nodes, as lines of the
  // model's own file name. The text itself needs another name.
  if (form.converter.needsPath)
    name += ".mlir";
  auto made = readConverted(std::move(*program), name, input->path);
  if (!made)
    return llvm::createStringError(
        llvm::Twine("'") + *converter +
        "' does not convert it: " + llvm::toString(made.takeError()));
  return std::move(*made);
}
