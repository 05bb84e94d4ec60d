//===- TakesText.h - what a function takes, in words ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a function's arguments and results, which listings of programs
// and errors about calls share.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_TAKESTEXT_H
#define BROADLOOM_SHAPE_TAKESTEXT_H

#include "shape/Shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

/// `4`, `?`, or the name in `names` of an extent that is not a number. `names`
/// has an entry for each axis, or none at all; an empty name is no name.
std::string extentText(ShapeView shape, const std::vector<std::string> &names,
                       size_t axis);

/// `BxTx64` of the texts of extents; nothing for rank 0.
std::string joinExtents(const std::vector<std::string> &extents);

/// `tensor<4x?xf32>` of `4x?` and `f32`; a shape is written as toString does.
std::string tensorText(std::string_view shape, std::string_view elementType);

/// `img: tensor<4x?xf32>`; the type alone where the argument has no name.
std::string namedText(std::string_view name, std::string_view type);

/// `tensor<4x?xf32>`, `tensor<BxTxf32>`, `tensor<*xf32>`, `tensor<f32>`.
std::string tensorText(ShapeView shape, const std::vector<std::string> &names,
                       std::string_view elementType);

/// `1 argument`, `2 arguments`, `no arguments`.
std::string countText(size_t count, std::string_view noun);

/// `2 arguments: tensor<?xf32>, tensor<4xi8>`. If there are more than `limit`
/// types, the first ones and the number of the others.
std::string listText(const std::vector<std::string> &types,
                     std::string_view noun, size_t limit = 8);

/// `'main' takes 2 arguments: tensor<?xf32>, tensor<4xi8>`.
std::string takesText(std::string_view function,
                      const std::vector<std::string> &types);

/// `1 argument is given, but 'main' takes 2 arguments: ...`.
std::string wrongCountText(size_t given, std::string_view function,
                           const std::vector<std::string> &types);

/// `the array of 2 arguments is null`.
std::string nullArrayText(size_t count);

/// `argument 'img'`, or `argument 0` where the argument has no name: the words
/// of every message about an argument.
std::string argumentText(int64_t index, std::string_view name = {});

/// `argument 0 has element type i8 but the function takes f32`. `argument` is
/// an argumentText.
std::string wrongTypeText(std::string_view argument, std::string_view given,
                          std::string_view declared);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_TAKESTEXT_H
