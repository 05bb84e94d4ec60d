//===- Products.cpp - products, convolutions, Fourier transforms ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

static const char kZero[] =
    "%z = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () -> "
    "tensor<1xf32>\n";

static std::string list(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// How many positions of a window there are along an axis, by walking: the last
/// one must end where the padded input does.
static std::optional<int64_t> countPositions(int64_t input, int64_t kernel,
                                             int64_t before, int64_t after,
                                             int64_t stride, int64_t dilation) {
  if (kernel < 1)
    return std::nullopt;
  int64_t last = input + before + after - 1;
  int64_t reach = (kernel - 1) * dilation;
  for (int64_t count = 1, at = 0; at + reach <= last; ++count, at += stride)
    if (at + reach == last)
      return count;
  return std::nullopt;
}

/// One bias for each channel, or one for all.
static bool takesBias(const Extents &bias, int64_t channels) {
  return bias[0] == channels || bias[0] == 1;
}

namespace {
/// Attributes of a convolution, two numbers for each axis of the image, or one.
struct Window {
  std::vector<int64_t> pad, stride, dilation;
};
} // namespace

static std::string write(const Window &window) {
  return "{acc_type = f32, pad = array<i64: " + list(window.pad) +
         ">, stride = array<i64: " + list(window.stride) +
         ">, dilation = array<i64: " + list(window.dilation) + ">}";
}

static Case makeConvolution(const std::string &name, size_t rank,
                            const Window &window) {
  Case it;
  it.name = "tosa." + name;
  it.arguments = {{"f32", {rank}}, {"f32", {rank}}, {"f32", {1}}};
  it.results = {"f32"};
  it.body = std::string(kZero) + "%r = tosa." + name + " %0, %1, %2, %z, %z " +
            write(window) +
            " : ($0, $1, $2, tensor<1xf32>, tensor<1xf32>) -> $r0";
  return it;
}

/// conv2d and conv3d: channels of the output, the kernel, channels of the
/// input.
static Case convolution(const std::string &name, size_t rank,
                        const Window &window) {
  Case it = makeConvolution(name, rank, window);
  it.judge = [window](const Inputs &inputs) -> Verdict {
    const Extents &image = inputs.shapes[0], &filter = inputs.shapes[1];
    if (image.back() != filter.back() ||
        !takesBias(inputs.shapes[2], filter[0]))
      return std::nullopt;
    Extents shape = {image[0]};
    for (size_t i = 0; i < window.stride.size(); ++i) {
      auto extent = countPositions(image[i + 1], filter[i + 1],
                                   window.pad[2 * i], window.pad[2 * i + 1],
                                   window.stride[i], window.dilation[i]);
      if (!extent)
        return std::nullopt;
      shape.push_back(*extent);
    }
    shape.push_back(filter[0]);
    return {{shape}};
  };
  return it;
}

static Case depthwise(const Window &window) {
  Case it = makeConvolution("depthwise_conv2d", 4, window);
  it.judge = [window](const Inputs &inputs) -> Verdict {
    const Extents &image = inputs.shapes[0], &filter = inputs.shapes[1];
    int64_t channels = filter[2] * filter[3];
    if (image[3] != filter[2] || !takesBias(inputs.shapes[2], channels))
      return std::nullopt;
    auto height =
        countPositions(image[1], filter[0], window.pad[0], window.pad[1],
                       window.stride[0], window.dilation[0]);
    auto width =
        countPositions(image[2], filter[1], window.pad[2], window.pad[3],
                       window.stride[1], window.dilation[1]);
    if (!height || !width)
      return std::nullopt;
    return {{{image[0], *height, *width, channels}}};
  };
  return it;
}

static Case transposed(const std::vector<int64_t> &pad,
                       const std::vector<int64_t> &stride) {
  Case it = makeConvolution("transpose_conv2d", 4, {});
  it.body = std::string(kZero) +
            "%r = tosa.transpose_conv2d %0, %1, %2, %z, %z {acc_type = f32, "
            "out_pad = array<i64: " +
            list(pad) + ">, stride = array<i64: " + list(stride) +
            ">} : ($0, $1, $2, tensor<1xf32>, tensor<1xf32>) -> $r0";
  it.judge = [pad, stride](const Inputs &inputs) -> Verdict {
    const Extents &image = inputs.shapes[0], &filter = inputs.shapes[1];
    if (image[3] != filter[3] || !takesBias(inputs.shapes[2], filter[0]))
      return std::nullopt;
    Extents shape = {image[0], 0, 0, filter[0]};
    for (size_t i = 0; i < 2; ++i) {
      int64_t kernel = filter[i + 1], before = pad[2 * i],
              after = pad[2 * i + 1];
      if (image[i + 1] < 1 || kernel < 1 || before <= -kernel ||
          after <= -kernel)
        return std::nullopt;
      shape[i + 1] = (image[i + 1] - 1) * stride[i] + before + after + kernel;
      if (shape[i + 1] < 1)
        return std::nullopt;
    }
    return {{shape}};
  };
  return it;
}

static Case matmul() {
  Case it;
  it.name = "tosa.matmul";
  it.arguments = {{"f32", {3}}, {"f32", {3}}};
  it.results = {"f32"};
  it.body = std::string(kZero) +
            "%r = tosa.matmul %0, %1, %z, %z : ($0, $1, tensor<1xf32>, "
            "tensor<1xf32>) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    const Extents &a = inputs.shapes[0], &b = inputs.shapes[1];
    if (a[0] != b[0] || a[2] != b[1])
      return std::nullopt;
    return {{{a[0], a[1], b[2]}}};
  };
  return it;
}

static bool isPowerOfTwo(int64_t number) {
  for (int64_t power = 1; power <= number; power *= 2)
    if (power == number)
      return true;
  return false;
}

static void addFourier(std::vector<Case> &cases) {
  Case it;
  it.name = "tosa.fft2d";
  it.arguments = {{"f32", {3}}, {"f32", {3}}};
  it.results = {"f32", "f32"};
  it.body = "%r0, %r1 = tosa.fft2d %0, %1 {inverse = false, local_bound = "
            "false} : ($0, $1) -> ($r0, $r1)";
  it.judge = [](const Inputs &inputs) -> Verdict {
    const Extents &shape = inputs.shapes[0];
    if (shape != inputs.shapes[1] || !isPowerOfTwo(shape[1]) ||
        !isPowerOfTwo(shape[2]))
      return std::nullopt;
    return {{shape, shape}};
  };
  cases.push_back(it);

  it.name = "tosa.rfft2d";
  it.arguments = {{"f32", {3}}};
  it.body =
      "%r0, %r1 = tosa.rfft2d %0 {local_bound = false} : ($0) -> ($r0, $r1)";
  it.judge = [](const Inputs &inputs) -> Verdict {
    Extents shape = inputs.shapes[0];
    if (!isPowerOfTwo(shape[1]) || !isPowerOfTwo(shape[2]))
      return std::nullopt;
    shape[2] = shape[2] / 2 + 1;
    return {{shape, shape}};
  };
  cases.push_back(it);

  // What is known of the width by then is not said by a condition on extents
  // any more, and the shape function runs with the program (sf-4).
  it.name = "tosa.fft2d behind tosa.slice";
  it.results = {"f32", "f32", "f32"};
  it.body =
      "%h = tosa.dim %0 {axis = 1 : i32} : ($0) -> !tosa.shape<1>\n"
      "%two = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> "
      "!tosa.shape<1>\n%w = tosa.mul_shape %h, %two : (!tosa.shape<1>, "
      "!tosa.shape<1>) -> !tosa.shape<1>\n"
      "%start = tosa.const_shape {values = dense<0> : tensor<3xindex>} : () "
      "-> !tosa.shape<3>\n%ones = tosa.const_shape {values = dense<1> : "
      "tensor<2xindex>} : () -> !tosa.shape<2>\n"
      "%size = tosa.concat_shape %ones, %w : (!tosa.shape<2>, "
      "!tosa.shape<1>) -> !tosa.shape<3>\n"
      "%r2 = tosa.slice %0, %start, %size : ($0, !tosa.shape<3>, "
      "!tosa.shape<3>) -> $r2\n%r0, %r1 = tosa.fft2d %0, %0 {inverse = true} "
      ": ($0, $0) -> ($r0, $r1)";
  it.judge = [](const Inputs &inputs) -> Verdict {
    const Extents &shape = inputs.shapes[0];
    if (!isPowerOfTwo(shape[1]) || !isPowerOfTwo(shape[2]) || shape[0] < 1 ||
        2 * shape[1] > shape[2])
      return std::nullopt;
    return {{shape, shape, {1, 1, 2 * shape[1]}}};
  };
  cases.push_back(it);
}

void broadloom::guards::addProducts(std::vector<Case> &cases) {
  cases.push_back(matmul());
  for (const Window &window : {Window{{0, 0, 0, 0}, {1, 1}, {1, 1}},
                               {{1, 0, 0, 2}, {1, 1}, {1, 2}},
                               {{1, 1, 1, 1}, {2, 1}, {1, 1}}}) {
    cases.push_back(convolution("conv2d", 4, window));
    cases.push_back(depthwise(window));
  }
  cases.push_back(
      convolution("conv3d", 5, {{0, 0, 1, 0, 0, 0}, {1, 1, 2}, {1, 1, 1}}));
  cases.push_back(transposed({0, 0, 0, 0}, {1, 1}));
  cases.push_back(transposed({-1, 1, 0, -1}, {2, 1}));
  addFourier(cases);
}
