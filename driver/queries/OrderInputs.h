//===- OrderInputs.h - arguments that are given by name ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input on a command line is a text for the next argument, or `NAME=` and a
// text for the argument of that name. A text such as `f32=2` is typed and never
// a name: an argument `f32` is given by position.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_QUERIES_ORDERINPUTS_H
#define BROADLOOM_DRIVER_QUERIES_ORDERINPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace broadloom {

/// What may be a name at the beginning of `input`, with its `=`; empty if the
/// text there is a type such as `2x3xf32`, or if there is no `=`.
llvm::StringRef getNamePart(llvm::StringRef input);

/// Puts the inputs in the order of `names`, the names of the arguments, and
/// removes the names. Inputs without one are for the arguments that are not
/// named, in their order. Nothing happens if there are not as many inputs as
/// arguments. Returns an error if an argument is given twice, or if an input
/// begins with the name of none and is no file.
std::string orderInputs(std::vector<std::string> &inputs,
                        llvm::ArrayRef<std::string> names);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_QUERIES_ORDERINPUTS_H
