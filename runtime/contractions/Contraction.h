//===- Contraction.h - extents and memory of one contraction ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan of a contraction's launch, which all threads read: extents,
// addresses of operands and results, and how the kernel reads rows.
//
// A row is a position of the result, which is an index of all axes but the
// channels; rows are in row-major order. Rows of a group share a weight: there
// is one group per image if the weight has a part for each image, else one.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTION_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTION_H

#include "runtime/Rounding.h"
#include "runtime/abi/Abi.h"
#include "runtime/abi/BoundaryPlace.h"
#include "runtime/abi/ContractionKind.h"
#include "runtime/contractions/Panels.h"
#include "runtime/memory/Space.h"

namespace broadloom {

/// How the kernel reads rows.
enum class RowSource {
  /// The rows are consecutive elements of the image, evenly spaced: without a
  /// window, with one of a single element, or with one that has all elements of
  /// the image's axes but for those of the first axis longer than 1.
  Image,
  /// These rows copied to a buffer, if the image has them in another order, or
  /// at distances that map to the same sets of the cache.
  Copied,
  /// Lines of the image; lines with padding are copied to a buffer.
  Lines,
  /// Lines of the image for one tap after the other, without the rows whose tap
  /// is beyond the image: where much of what windows cover is padding.
  Taps,
  /// All elements of a row's window, gathered in a buffer.
  Gathered,
  /// Lines of the image, for a contraction by channel. Windows that read
  /// elements beyond its ends are gathered in a buffer, some at a time.
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

  /// Whether some window reaches beyond the image.
  bool isPadded() const {
    return padBefore != 0 ||
           begin(result - 1) + (window - 1) * dilation >= image;
  }

  /// The steps of a window that are in the image: the first, their number, and
  /// the index in the image of the first (0 if there are none).
  struct Steps {
    int64_t first;
    int64_t count;
    int64_t at;
  };
  /// The steps for the window of result `index`.
  Steps inside(int64_t index) const;
  /// The results from `from` on, and before `end`, whose windows have step
  /// `step` in the image; none if the two are equal.
  struct Results {
    int64_t from, end;
  };
  Results seeing(int64_t step) const;
};

/// Lines of one image, from `first` on.
struct ImageLines {
  int64_t image, first, count;
};

/// How the kernel reads the weight.
enum class WeightSource {
  /// It is in panels.
  Panels,
  /// In panels, which are laid out before the sums are computed.
  LaidOut,
  /// As it was given.
  Rows,
  /// As it was given, with consecutive steps, by the runtime's own loops for a
  /// single row (TransposedRow.h).
  Transposed,
  /// In panels, which a thread lays out when it reaches them.
  PanelByPanel,
  /// In parts of panels, each of which a thread lays out, and reads once.
  PartByPart,
};

struct Contraction {
  const BroadloomContraction *record;
  const char *image;
  int64_t imageBytes;
  /// For RowSource::Image and RowSource::Copied, the distances in elements of
  /// rows, of steps of the sum, and of groups.
  int64_t imageRowStride;
  int64_t imageStep;
  int64_t imageGroupStride;
  const char *weight;
  int64_t weightBytes;
  /// For the weight as it was given, the distances in elements of steps of the
  /// sum, of channels, and of groups.
  int64_t givenStep;
  int64_t givenChannel;
  int64_t givenGroup;
  /// The same for the weight as kernels read it, and the distance of panels.
  WeightSource weightSource;
  int64_t weightStride;
  int64_t panelStride;
  int64_t groupStride;
  /// The number of channels of a kernel call.
  int64_t panelWidth;

  /// 0, or at least 2.
  int32_t windowRank;
  WindowAxis *window;
  /// The number of steps of the window.
  int64_t windowCount;
  /// The channels of image and sums are so many equal parts, and a sum is over
  /// those of its own (BroadloomContraction::groups). Of the image,
  /// `channelsIn` are those of one part.
  int64_t parts;
  int64_t channelsIn;
  int64_t channelsOut;
  int64_t numGroups;
  int64_t rowsPerGroup;
  int64_t rowsPerImage;

  /// Operands of the body and then results: the address of the first row, the
  /// element size, and whether the channels are consecutive (else there is one
  /// for all). `rows` has their strides.
  int32_t numTensors;
  char **data;
  int32_t *bytes;
  bool *hasChannels;
  Space rows;

  RowSource source;
  /// Whether the image is copied before its blocks are computed, in rows of
  /// `lineElements`.
  bool copiesImage;
  int32_t threads;
  /// The number of rows (or, for RowSource::Lines, of lines) of a block, and of
  /// the largest one: the last block of a group has all rows that are left.
  int64_t blockSize;
  int64_t largestBlock;
  int64_t blocksPerGroup;
  /// Whether panels are shared among threads too, because there are few blocks.
  bool sharesPanels;
  /// Whether a thread computes all blocks with a panel before the next panel.
  bool arePanelsFirst;
  /// Whether the lines of a block are summed in one call of the kernel, with
  /// the rows that are between them in the buffer.
  bool joinsLines;
  /// The parts whose lines are copied together, each to a buffer of its own, or
  /// 1: a line is read from memory once for all of them.
  int64_t bufferedParts;
  /// Elements of a buffered line and of a block's buffer. For
  /// RowSource::Channels, the buffer is for windows that reach beyond the
  /// image.
  int64_t lineElements;
  int64_t bufferElements;
  /// The number of steps of a sum that are added at a time.
  int64_t chunk;

  /// Whether windows read elements of the image beyond its ends.
  bool readsBeyond() const {
    return BoundaryKind(record->boundary) != BoundaryKind::Constant;
  }
  /// The index in the image that windows read for one of `axis`, which may be
  /// beyond its ends; -1 where nothing is read.
  int64_t placeOf(const WindowAxis &axis, int64_t index) const {
    if (index >= 0 && index < axis.image)
      return index;
    if (!readsBeyond())
      return -1;
    PlaceArithmetic arithmetic;
    return findPlace(arithmetic, BoundaryKind(record->boundary), index,
                     axis.image);
  }
  /// Whether the taps beyond the image are added as well: the initial values of
  /// sums of bytes are for all taps (packBytes).
  bool addsAllTaps() const { return record->together > 1 || readsBeyond(); }
  bool isByChannel() const {
    return broadloom::isByChannel(ContractionKind(record->kind));
  }
  /// Whether the window is one by channel over more than two axes: sums are
  /// added plane by plane of the window.
  bool hasPlanes() const { return isByChannel() && windowRank > 2; }
  /// The distance in elements of rows of such sums. Kernels store whole
  /// vectors.
  int64_t sumPitch(int64_t channels) const { return channels + record->panel; }
  /// Whether blocks are of lines of one image.
  bool hasLines() const {
    return source == RowSource::Lines || source == RowSource::Taps ||
           source == RowSource::Channels;
  }
  /// The number of elements of each sum.
  int64_t depth() const { return windowCount * channelsIn; }
  int64_t numPanels() const {
    return countPanels(channelsOut, parts, panelWidth);
  }
  /// The part of the channels to which a panel belongs.
  int64_t partOf(int64_t panel) const {
    return parts == 1 ? 0 : panel / (numPanels() / parts);
  }
  /// The distance in elements of neighbouring columns of an image with a
  /// window.
  int64_t columnStride() const { return parts * channelsIn; }
  const char *rowOfImage(int64_t group, int64_t row) const {
    return image +
           (group * imageGroupStride + row * imageRowStride) * imageBytes;
  }
  /// The taps of a window, and the elements of each: the innermost axis and the
  /// channels.
  int64_t tapDepth() const {
    return windowRank ? columns().window * channelsIn : channelsIn;
  }
  int64_t taps() const {
    if (tapDepth() == 0)
      return 0;
    return windowRank == 0   ? 1
           : windowRank == 2 ? lines().window
                             : depth() / tapDepth();
  }
  /// The number of steps of a sum that are stored together in the weight.
  int64_t together() const {
    return weightSource == WeightSource::Rows ? 1 : record->together;
  }
  /// Whether each tap of a panel is padded.
  bool hasTaps() const {
    return together() > 1 && taps() > 1 && tapDepth() % together() != 0;
  }
  /// The columns that the windows of a line cover. Of lines that are joined, it
  /// is a whole number of rows from each to the next.
  int64_t coveredColumns() const {
    const WindowAxis &it = columns();
    int64_t covered = (it.result - 1) * it.stride + it.window;
    return joinsLines ? roundUp(covered, it.stride) : covered;
  }
  /// Of lines that are joined, the rows from one to the next.
  int64_t rowsToNext() const {
    return lines().stride * (coveredColumns() / columns().stride);
  }
  /// The rows of so many lines that the kernel sums.
  int64_t rowsOfLines(int64_t count) const {
    return joinsLines ? (count - 1) * rowsToNext() + columns().result
                      : count * columns().result;
  }
  /// The innermost axis of the window, and the one next to it.
  const WindowAxis &columns() const { return window[windowRank - 1]; }
  const WindowAxis &lines() const { return window[windowRank - 2]; }
  int64_t numItems() const {
    return numGroups * blocksPerGroup *
           (sharesPanels || isLaidOutOnTheWay() ? numPanels() : 1);
  }
  /// Whether threads lay panels out while they compute.
  bool isLaidOutOnTheWay() const {
    return weightSource == WeightSource::PanelByPanel ||
           weightSource == WeightSource::PartByPart;
  }
};

/// Chooses the sources of rows and weights, the blocks, and at most `threads`
/// threads.
void planContraction(Contraction &contraction, int32_t threads) noexcept;

/// Lays out one panel of a weight as it was given, with 0 beyond its channels
/// as far as kernels read.
void layOutPanel(const Contraction &contraction, int64_t group, int64_t panel,
                 char *to) noexcept;

/// Lays out `count` steps from `begin` on of one panel of a weight whose steps
/// are not stored together. Nothing is written beyond the weight's channels.
void layOutSteps(const Contraction &contraction, int64_t group, int64_t panel,
                 int64_t begin, int64_t count, char *to) noexcept;

/// Bytes of memory that each thread needs.
int64_t contractionBytes(const Contraction &contraction) noexcept;

class RecordedTiles;

/// The call for which a thread computes, and whether it is the call's own one.
struct ContractThread {
  BroadloomCall &call;
  bool isOwn;
};

/// Runs items `begin` to `end`, or fewer where the call is cancelled (abi-6);
/// `memory` has contractionBytes(). Notes the tiles in `record` unless that is
/// null.
void runContraction(const Contraction &contraction, ContractThread thread,
                    char *memory, int64_t begin, int64_t end,
                    RecordedTiles *record) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTION_H
