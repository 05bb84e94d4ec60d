//===- OpenSource.cpp - the contents of a source --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/OpenSource.h"

#include "driver/saved/SavedProgram.h"
#include "driver/sources/ConvertModel.h"
#include "driver/sources/SourceFile.h"
#include "infer/functions/Library.h"

using namespace broadloom;

static llvm::Error makeError(llvm::StringRef name, const llvm::Twine &what) {
  return llvm::createStringError(name + ": error: " + what);
}

/// Whether it is the file of a saved program, behind which no reader needs a
/// zero.
static bool isSavedFile(const std::string &path) {
  constexpr size_t kBegin = 16;
  auto begin = llvm::MemoryBuffer::getFileSlice(path, kBegin, 0);
  return begin && isSavedProgram((*begin)->getBuffer());
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readIntoMemory(const std::string &path) {
  llvm::Expected<SourceFile> file = SourceFile::open(path);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> contents =
      file ? file->read(path) : file.takeError();
  if (!contents)
    return makeError(path,
                     "cannot be read: " + llvm::toString(contents.takeError()));
  return contents;
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readContents(const Source &source, bool borrows) {
  if (!source.isFile && borrows)
    return llvm::MemoryBuffer::getMemBuffer(
        source.contents, source.name,
        /*RequiresNullTerminator=*/!isSavedProgram(source.contents));
  if (!source.isFile)
    return llvm::MemoryBuffer::getMemBufferCopy(source.contents, source.name);
  if (source.name != "-" && infer::isNoFile(source.name))
    return makeError(source.name, "cannot be read: it is not a regular file");
  bool isSaved = source.name != "-" && isSavedFile(source.name);
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(
      source.name, /*IsText=*/false, /*RequiresNullTerminator=*/!isSaved);
  if (!buffer)
    return makeError(source.name,
                     "cannot be read: " + buffer.getError().message());
  // Constants of a program stay where they are read, and users write files
  // again in place.
  if ((*buffer)->getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap &&
      findSourceForm((*buffer)->getBuffer()).kind == SourceForm::Kind::Program)
    return readIntoMemory(source.name);
  return std::move(*buffer);
}

llvm::Expected<OpenedSource> broadloom::openSource(const Source &source,
                                                   bool borrows) {
  auto contents = readContents(source, borrows);
  if (!contents)
    return contents.takeError();
  const SourceForm &form = findSourceForm((*contents)->getBuffer());
  if (form.kind != SourceForm::Kind::Model)
    return OpenedSource{std::move(*contents), form.kind, form.program,
                        form.mistake,         {},        {}};
  auto converted = convertModel(form, **contents, source.isFile);
  if (!converted)
    return makeError((*contents)->getBufferIdentifier(),
                     llvm::toString(converted.takeError()));
  // An environment variable may name a converter that is not ours.
  const SourceForm &made = findSourceForm(converted->program->getBuffer());
  return OpenedSource{std::move(converted->program),
                      made.kind,
                      made.program,
                      made.mistake,
                      std::move(converted->constants),
                      std::move(converted->files)};
}
