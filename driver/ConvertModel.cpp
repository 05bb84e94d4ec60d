//===- ConvertModel.cpp - models that other programs read -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ConvertModel.h"
#include "driver/OwnProgram.h"

#include "llvm/ADT/StringSwitch.h"
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
static constexpr unsigned kSeconds = 600;

struct broadloom::ModelKind {
  const char *article;
  /// The converter, what to do if there is none, and the environment variable
  /// that may name another converter.
  const char *converter, *advice, *variable;
  /// The endings of files of models and of programs.
  const char *ending, *programEnding;
  /// Whether the converter is told the path of the model: other files may be
  /// beside it.
  bool needsPath;
};

static constexpr char kAddToPath[] =
    "add the folder bin of a build or an installation of Broadloom to PATH";

static constexpr ModelKind kTflite = {"a TensorFlow Lite model",
                                      "tosa-converter-for-tflite",
                                      "install it with 'pip install "
                                      "tosa-converter-for-tflite'",
                                      "BROADLOOM_TFLITE_CONVERTER",
                                      "tflite",
                                      "mlirbc",
                                      /*needsPath=*/false};
static constexpr ModelKind kOnnx = {"an ONNX model",
                                    "broadloom-onnx",
                                    kAddToPath,
                                    "BROADLOOM_ONNX_CONVERTER",
                                    "onnx",
                                    "mlir",
                                    /*needsPath=*/true};
static constexpr ModelKind kExported = {"a program of torch.export",
                                        "broadloom-torch",
                                        kAddToPath,
                                        "BROADLOOM_TORCH_CONVERTER",
                                        "pt2",
                                        "mlir",
                                        /*needsPath=*/true};

/// A model of ONNX has no magic number. It begins with its version, which is a
/// small number, and then with one of the fields that a model has.
static bool isOnnx(StringRef contents) {
  constexpr StringRef kSecondFields = "\x12\x1a\x22\x28\x32\x3a\x42\x72";
  return contents.size() > 3 && contents[0] == 0x08 && contents[1] > 0 &&
         kSecondFields.contains(contents[2]);
}

static bool isArchive(StringRef contents) {
  return contents.starts_with("PK\x03\x04");
}

/// Whether an archive is one of torch.export.save: it has one of these files,
/// the second before PyTorch 2.8. An archive has the names of its files
/// uncompressed.
static bool isExported(StringRef contents) {
  return isArchive(contents) &&
         (contents.contains("/archive_format") ||
          contents.contains("serialized_exported_program.json"));
}

StringRef broadloom::findMistake(StringRef contents) {
  if (contents.starts_with("\x93NUMPY"))
    return "the file is a NumPy array, not a program; give it with --input";
  if (contents.starts_with("\x7f"
                           "ELF"))
    return "the file is a compiled library or object, not a program; "
           "'broadloom inspect' shows what it takes";
  if (isArchive(contents))
    return "the file is an archive that torch.export.save did not write, or it "
           "is damaged";
  return {};
}

const ModelKind *broadloom::findModelKind(StringRef contents) {
  if (contents.size() >= 8 && contents.substr(4, 4) == "TFL3")
    return &kTflite;
  if (isExported(contents))
    return &kExported;
  return isOnnx(contents) ? &kOnnx : nullptr;
}

StringRef broadloom::findFormOfName(StringRef name) {
  return llvm::StringSwitch<StringRef>(llvm::sys::path::extension(name))
      .Case(".tosa", "a TOSA file")
      .Case(".tflite", kTflite.article)
      .Case(".onnx", kOnnx.article)
      .Case(".pt2", "a file of torch.export")
      .Case(".mlirbc", "bytecode")
      .Case(".blm", "a saved program")
      .Default("");
}

static llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static llvm::Expected<std::string> findConverter(const ModelKind &kind) {
  if (const char *named = std::getenv(kind.variable)) {
    if (llvm::sys::fs::can_execute(named))
      return std::string(named);
    return makeError(llvm::Twine("is ") + kind.article + ", and '" + named +
                     "', which " + kind.variable +
                     " names, is no program that can be run");
  }
  if (std::string own = findOwnProgram(kind.converter); !own.empty())
    return own;
  if (auto found = llvm::sys::findProgramByName(kind.converter))
    return *found;
  return makeError(llvm::Twine("is ") + kind.article + ", which '" +
                   kind.converter +
                   "' converts, and PATH has no such program; " + kind.advice +
                   ", or name it in " + kind.variable);
}

namespace {

/// A file that exists as long as this object; only its owner can read it.
struct TemporaryFile {
  static llvm::Expected<TemporaryFile> create(StringRef ending) {
    llvm::SmallString<128> model, path;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "broadloom-model-%%%%%%%%." + ending);
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
broadloom::convertModel(const ModelKind &kind,
                        const llvm::MemoryBuffer &model) {
  auto converter = findConverter(kind);
  if (!converter)
    return converter.takeError();
  // The model may have come from standard input.
  auto input = TemporaryFile::create(kind.ending);
  if (!input)
    return input.takeError();
  auto output = TemporaryFile::create(kind.programEnding);
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
  std::string name = model.getBufferIdentifier().str();
  llvm::SmallVector<StringRef> arguments = {*converter, input->path};
  if (kind.needsPath)
    arguments.append({"--name", name});
  else
    arguments.push_back("--bytecode");
  arguments.append({"-o", output->path});
  if (llvm::Error failed = run(*converter, arguments, words->path))
    return std::move(failed);
  auto program = llvm::MemoryBuffer::getFile(output->path);
  if (!program || (*program)->getBufferSize() == 0)
    return makeError(llvm::Twine("'") + *converter +
                     "' does not convert it: " + readWords(words->path));
  // The locations in the converted text are the model's nodes, as lines of the
  // model's own file name. The text itself needs another name.
  if (kind.needsPath)
    name += ".mlir";
  return llvm::MemoryBuffer::getMemBufferCopy((*program)->getBuffer(), name);
}
