//===- Images.cpp - pools and resizing ------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

static std::string list(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// The extents of a pool's result: positions of the kernel on the padded image,
/// the last of which ends where the image does. There must be something to look
/// at (img-1), and no position on padding alone.
static Verdict judgePool(const Extents &image,
                         const std::vector<int64_t> &kernel,
                         const std::vector<int64_t> &pad,
                         const std::vector<int64_t> &stride) {
  Extents shape = image;
  for (size_t i = 0; i < 2; ++i) {
    int64_t before = pad[2 * i], after = pad[2 * i + 1];
    int64_t room = image[i + 1] + before + after - kernel[i];
    if (image[i + 1] < 1 || before >= kernel[i] || after >= kernel[i] ||
        room < 0 || room % stride[i] != 0)
      return std::nullopt;
    shape[i + 1] = room / stride[i] + 1;
  }
  return {{shape}};
}

static void addPools(std::vector<Case> &cases,
                     const std::vector<int64_t> &kernel,
                     const std::vector<int64_t> &pad,
                     const std::vector<int64_t> &stride) {
  std::string attributes = "kernel = array<i64: " + list(kernel) +
                           ">, pad = array<i64: " + list(pad) +
                           ">, stride = array<i64: " + list(stride) + ">";
  Case it;
  it.name = "tosa.max_pool2d";
  it.arguments = {{"f32", {4}}};
  it.results = {"f32"};
  it.body = "%r = tosa.max_pool2d %0 {" + attributes + "} : ($0) -> $r0";
  it.judge = [=](const Inputs &inputs) {
    return judgePool(inputs.shapes[0], kernel, pad, stride);
  };
  cases.push_back(it);
  it.name = "tosa.avg_pool2d";
  it.body =
      "%z = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () "
      "-> tensor<1xf32>\n%r = tosa.avg_pool2d %0, %z, %z {acc_type = f32, " +
      attributes + "} : ($0, tensor<1xf32>, tensor<1xf32>) -> $r0";
  cases.push_back(it);
}

static void addResize(std::vector<Case> &cases,
                      const std::vector<int64_t> &scale,
                      const std::vector<int64_t> &offset,
                      const std::vector<int64_t> &border,
                      const std::string &mode) {
  auto constant = [](const std::string &name,
                     const std::vector<int64_t> &numbers) {
    std::string count = std::to_string(numbers.size());
    return name + " = tosa.const_shape {values = dense<[" + list(numbers) +
           "]> : tensor<" + count + "xindex>} : () -> !tosa.shape<" + count +
           ">\n";
  };
  Case it;
  it.name = "tosa.resize";
  it.arguments = {{"f32", {4}}};
  it.results = {"f32"};
  it.body = constant("%s", scale) + constant("%o", offset) +
            constant("%b", border) +
            "%r = tosa.resize %0, %s, %o, %b {mode = " + mode +
            "} : ($0, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> $r0";
  it.judge = [=](const Inputs &inputs) -> Verdict {
    Extents shape = inputs.shapes[0];
    for (size_t i = 0; i < 2; ++i) {
      int64_t span = (shape[i + 1] - 1) * scale[2 * i] - offset[i] + border[i];
      if (shape[i + 1] < 1 || span < 0 || span % scale[2 * i + 1] != 0)
        return std::nullopt;
      shape[i + 1] = span / scale[2 * i + 1] + 1;
    }
    return {{shape}};
  };
  cases.push_back(it);
}

void broadloom::guards::addImages(std::vector<Case> &cases) {
  addPools(cases, {2, 2}, {0, 0, 0, 0}, {1, 1});
  addPools(cases, {1, 3}, {0, 0, 1, 1}, {1, 2});
  addPools(cases, {3, 2}, {2, 1, 0, 1}, {2, 1});
  addPools(cases, {1, 1}, {0, 0, 0, 0}, {2, 3});
  addResize(cases, {2, 1, 2, 1}, {0, 0}, {0, 0}, "BILINEAR");
  addResize(cases, {4, 2, 2, 2}, {-1, 1}, {1, 1}, "NEAREST_NEIGHBOR");
  addResize(cases, {2, 3, 3, 1}, {0, 2}, {0, -1}, "BILINEAR");
}
