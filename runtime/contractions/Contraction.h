//===- Contraction.h - extents and memory of one contraction ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the launch of a contraction finds out once and all threads read:
// extents, where operands and results are, and how rows of sums are taken to
// the kernel.
//
// Rows are the positions of the result, that is all of it but its channels, in
// row-major order. They come in groups that share a weight: one for each image
// where the weight has a part for each, else one.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTION_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTION_H

#include "runtime/abi/Abi.h"
#include "runtime/memory/Space.h"

namespace broadloom {

/// How rows get to the kernel.
enum class RowSource {
  /// The rows of the image are those of the result.
  Image,
  /// These rows in a buffer, where the image has them in another order or so
  /// far apart that they map to the same sets of the cache.
  Copied,
  /// Lines of the image, with their padding in a buffer where they have some.
  Lines,
  /// All elements of a row's window side by side in a buffer.
  Gathered,
  /// Lines of the image channel by channel.
  Channels,
};

/// An axis of the window over the image's axis.
struct WindowAxis {
  int64_t image;
  int64_t result;
  int64_t window;
  int64_t stride;
  int64_t dilation;
  int64_t padBefore;

  /// The index in the image at which the window of result `index` begins.
  int64_t begin(int64_t index) const { return index * stride - padBefore; }

  /// The steps of a window that are in the image: the first of them, how many,
  /// and where in the image the first is. There, 0 where there are none.
  struct Steps {
    int64_t first;
    int64_t count;
    int64_t at;
  };
  /// Of the window of result `index`.
  Steps inside(int64_t index) const;
};

/// Lines of one image, from `first` on.
struct ImageLines {
  int64_t image, first, count;
};

/// How a weight gets to the kernel.
enum class WeightSource {
  /// It is in panels.
  Panels,
  /// In panels, which are laid out before anything is summed.
  LaidOut,
  /// As it was given.
  Rows,
  /// Threads lay out a panel when they come to it.
  PanelByPanel,
};

struct Contraction {
  const BroadloomContraction *record;
  const char *image;
  int64_t imageBytes;
  /// Elements from one row of the image to the next, from one element of the
  /// sum to the next and from one group to the next; of an image without a
  /// window.
  int64_t imageRowStride;
  int64_t imageStep;
  int64_t imageGroupStride;
  const char *weight;
  int64_t weightBytes;
  /// Elements from one element of the sum to the next, from one channel to the
  /// next and from one group to the next in the weight as it was given.
  int64_t givenStep;
  int64_t givenChannel;
  int64_t givenGroup;
  /// The same of the weight as kernels read it, and from one panel to the next.
  WeightSource weightSource;
  int64_t weightStride;
  int64_t panelStride;
  int64_t groupStride;
  /// Channels that a kernel is called for together.
  int64_t panelWidth;

  /// None, or two axes or more.
  int32_t windowRank;
  WindowAxis *window;
  /// Steps of the whole window.
  int64_t windowCount;
  int64_t channelsIn;
  int64_t channelsOut;
  int64_t numGroups;
  int64_t rowsPerGroup;
  int64_t rowsPerImage;

  /// Operands of the body and then results: where the first row is, bytes of an
  /// element, and whether the channels are consecutive, else there is one for
  /// all. `rows` has their strides.
  int32_t numTensors;
  char **data;
  int32_t *bytes;
  bool *hasChannels;
  Space rows;

  RowSource source;
  /// The image is to be copied before blocks of it are run, in rows of
  /// `lineElements`.
  bool copiesImage;
  int32_t threads;
  /// Rows, or with lines lines, of a block.
  int64_t blockSize;
  int64_t blocksPerGroup;
  /// Panels are shared among threads as well where there are few blocks.
  bool sharesPanels;
  /// Elements of a buffered line and of a block's buffer.
  int64_t lineElements;
  int64_t bufferElements;
  /// Elements of a sum that are added in one go.
  int64_t chunk;

  /// Elements of each sum.
  int64_t depth() const { return windowCount * channelsIn; }
  int64_t numPanels() const {
    return (channelsOut + panelWidth - 1) / panelWidth;
  }
  const char *rowOfImage(int64_t group, int64_t row) const {
    return image +
           (group * imageGroupStride + row * imageRowStride) * imageBytes;
  }
  /// Taps of a window, and elements of each: the innermost axis and the
  /// channels.
  int64_t tapDepth() const {
    return windowRank ? columns().window * channelsIn : channelsIn;
  }
  int64_t taps() const { return tapDepth() ? depth() / tapDepth() : 0; }
  /// Elements of a sum that are side by side in the weight.
  int64_t together() const {
    return weightSource == WeightSource::Rows ? 1 : record->together;
  }
  /// Whether the taps of a panel are apart from each other.
  bool hasTaps() const { return taps() > 1 && tapDepth() % together() != 0; }
  /// The innermost axis of the window, and the one next to it.
  const WindowAxis &columns() const { return window[windowRank - 1]; }
  const WindowAxis &lines() const { return window[windowRank - 2]; }
  int64_t numItems() const {
    return numGroups * blocksPerGroup *
           (sharesPanels || weightSource == WeightSource::PanelByPanel
                ? numPanels()
                : 1);
  }
};

/// Chooses how rows and weights get to the kernel, blocks and threads, of at
/// most `threads`.
void planContraction(Contraction &contraction, int32_t threads) noexcept;

/// Lays out one panel of a weight as it was given, 0 beyond its channels.
void layOutPanel(const Contraction &contraction, int64_t group, int64_t panel,
                 char *to) noexcept;

/// Bytes of memory that each thread needs.
int64_t contractionBytes(const Contraction &contraction) noexcept;

/// Runs items `begin` to `end`; `memory` has contractionBytes().
void runContraction(const Contraction &contraction, char *memory, int64_t begin,
                    int64_t end) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTION_H
