//===- SourceForm.cpp - what a file is ------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/SourceForm.h"

#include "driver/inspect/CodeDescription.h"
#include "driver/saved/SavedProgram.h"
#include "read/flatbuffers/ReadFile.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace broadloom;
using llvm::StringRef;
using Kind = SourceForm::Kind;

static bool isBytecodeText(StringRef contents) {
  return mlir::isBytecode(llvm::MemoryBufferRef(contents, ""));
}

static bool isTfliteModel(StringRef contents) {
  return contents.size() >= 8 && contents.substr(4, 4) == "TFL3";
}

/// A model of ONNX has no magic number. It begins with its version, which is a
/// small number, and then with one of the fields that a model has.
static bool isOnnxModel(StringRef contents) {
  constexpr StringRef kSecondFields = "\x12\x1a\x22\x28\x32\x3a\x42\x72";
  return contents.size() > 3 && contents[0] == 0x08 && contents[1] > 0 &&
         kSecondFields.contains(contents[2]);
}

static bool isNumpyArray(StringRef contents) {
  return contents.starts_with("\x93NUMPY");
}

static bool isArchive(StringRef contents) {
  return contents.starts_with("PK\x03\x04");
}

/// Whether an archive is one of torch.export.save: it has one of these files,
/// the second before PyTorch 2.8. An archive has the names of its files
/// uncompressed.
static bool isExportedProgram(StringRef contents) {
  return isArchive(contents) &&
         (contents.contains("/archive_format") ||
          contents.contains("serialized_exported_program.json"));
}

static constexpr char kAddToPath[] =
    "add the folder bin of a build or an installation of Broadloom to PATH";

/// The first one that recognizes the contents counts.
static const SourceForm kForms[] = {
    {Kind::Model,
     "a TensorFlow Lite model",
     ".tflite",
     isTfliteModel,
     read::ProgramForm::Bytecode,
     {"tosa-converter-for-tflite",
      "install it with 'pip install tosa-converter-for-tflite'",
      "BROADLOOM_TFLITE_CONVERTER", /*needsPath=*/false}},
    {Kind::Model,
     "a program of torch.export",
     ".pt2",
     isExportedProgram,
     read::ProgramForm::Text,
     {"broadloom-torch", kAddToPath, "BROADLOOM_TORCH_CONVERTER",
      /*needsPath=*/true}},
    {Kind::Model,
     "an ONNX model",
     ".onnx",
     isOnnxModel,
     read::ProgramForm::Text,
     {"broadloom-onnx", kAddToPath, "BROADLOOM_ONNX_CONVERTER",
      /*needsPath=*/true}},
    {Kind::Program, "a TOSA file", ".tosa", read::isTosaFile,
     read::ProgramForm::TosaFile},
    {Kind::Program, "bytecode", ".mlirbc", isBytecodeText,
     read::ProgramForm::Bytecode},
    {Kind::SavedProgram, "a saved program", ".blm", isSavedProgram},
    {Kind::Code,
     "machine code",
     "",
     isCode,
     read::ProgramForm::Text,
     {},
     "the file is a compiled library or object, not a program; "
     "'broadloom inspect' shows what it takes"},
    {Kind::Other,
     "a NumPy array",
     "",
     isNumpyArray,
     read::ProgramForm::Text,
     {},
     "the file is a NumPy array, not a program; give it with --input"},
    {Kind::Other,
     "an archive",
     "",
     isArchive,
     read::ProgramForm::Text,
     {},
     "the file is an archive that torch.export.save did not write, or it is "
     "damaged"},
};

static const SourceForm kText = {Kind::Program, "MLIR text", "", nullptr};

const SourceForm &broadloom::findSourceForm(StringRef contents) {
  auto form = llvm::find_if(kForms, [&](const SourceForm &form) {
    return form.recognizes(contents);
  });
  return form == std::end(kForms) ? kText : *form;
}

const SourceForm *broadloom::findSourceFormOfName(StringRef name) {
  StringRef ending = llvm::sys::path::extension(name);
  auto form = llvm::find_if(kForms, [&](const SourceForm &form) {
    return !form.ending.empty() && form.ending == ending;
  });
  return form == std::end(kForms) ? nullptr : form;
}
