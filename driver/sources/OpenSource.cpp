//===- OpenSource.cpp - the contents of a source --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/OpenSource.h"

#include "driver/sources/ConvertModel.h"
#include "infer/functions/Library.h"

using namespace broadloom;

static llvm::Error makeError(llvm::StringRef name, const llvm::Twine &what) {
  return llvm::createStringError(name + ": error: " + what);
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readContents(const Source &source) {
  if (!source.isFile)
    return llvm::MemoryBuffer::getMemBufferCopy(source.contents, source.name);
  if (source.name != "-" && infer::isNoFile(source.name))
    return makeError(source.name, "cannot be read: it is not a regular file");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(source.name);
  if (!buffer)
    return makeError(source.name,
                     "cannot be read: " + buffer.getError().message());
  return std::move(*buffer);
}

llvm::Expected<OpenedSource> broadloom::openSource(const Source &source) {
  auto contents = readContents(source);
  if (!contents)
    return contents.takeError();
  const SourceForm &form = findSourceForm((*contents)->getBuffer());
  if (form.kind != SourceForm::Kind::Model)
    return OpenedSource{std::move(*contents), form.kind, form.program,
                        form.mistake};
  auto converted = convertModel(form, **contents);
  if (!converted)
    return makeError((*contents)->getBufferIdentifier(),
                     llvm::toString(converted.takeError()));
  // An environment variable may name a converter that is not ours.
  const SourceForm &made = findSourceForm((*converted)->getBuffer());
  return OpenedSource{std::move(*converted), made.kind, made.program,
                      made.mistake};
}
