// RUN: broadloom-opt %s --pass-pipeline="builtin.module(func.func(loom-place-parts))" --split-input-file | FileCheck %s

// The memory of a concatenation is allocated ahead of what is written to it, and
// nothing is copied. That the result of a launch has other axes does not matter.
// CHECK-LABEL: func.func @static
// CHECK-NEXT: %[[ALL:.*]] = loom.alloc() {slot = 0 : i32} : memref<1x6x4xf32>
// CHECK-NEXT: %[[A:.*]] = memref.subview %[[ALL]][0, 0, 0]
// CHECK-NEXT: loom.run @p(%arg0) into(%[[A]] : memref<1x4x4xf32, strided<[24, 4, 1]>>) slots [-3]
// CHECK-NEXT: %[[B:.*]] = memref.subview %[[ALL]][0, 4, 0]
// CHECK-NEXT: loom.run @p(%arg0, %arg0) into(%[[B]] : {{.*}}) slots [-4]
// CHECK-NOT: memref.copy
func.func @static(%x: memref<?xf32>) -> memref<1x6x4xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<1x4x4xf32>
  %b = loom.run @p(%x, %x) slots [-1] : (memref<?xf32>, memref<?xf32>) -> memref<1x1x8xf32>
  %all = loom.alloc() {slot = 0 : i32} : memref<1x6x4xf32>
  %first = memref.subview %all[0, 0, 0] [1, 4, 4] [1, 1, 1] : memref<1x6x4xf32> to memref<1x4x4xf32, strided<[24, 4, 1]>>
  memref.copy %a, %first : memref<1x4x4xf32> to memref<1x4x4xf32, strided<[24, 4, 1]>>
  %flat = memref.collapse_shape %b [[0, 1, 2]] : memref<1x1x8xf32> into memref<8xf32>
  %rows = memref.expand_shape %flat [[0, 1, 2]] output_shape [1, 2, 4] : memref<8xf32> into memref<1x2x4xf32>
  %second = memref.subview %all[0, 4, 0] [1, 2, 4] [1, 1, 1] : memref<1x6x4xf32> to memref<1x2x4xf32, strided<[24, 4, 1], offset: 16>>
  memref.copy %rows, %second : memref<1x2x4xf32> to memref<1x2x4xf32, strided<[24, 4, 1], offset: 16>>
  return %all : memref<1x6x4xf32>
}

// -----

// With open extents, the copies find out whether there is something to do.
// CHECK-LABEL: func.func @open
// CHECK: %[[ALL:.*]] = loom.alloc
// CHECK-NEXT: %[[A:.*]] = memref.subview
// CHECK-NEXT: %[[R:.*]] = loom.run @p(%arg0) into(%[[A]]
// CHECK: %[[B:.*]] = memref.subview
// CHECK-NEXT: %[[S:.*]] = loom.run @p(%arg0) into(%[[B]]
// CHECK: memref.copy %[[R]], %[[A]]
// CHECK: memref.copy %[[S]], %[[B]]
func.func @open(%x: memref<?xf32>, %n: index, %m: index) -> memref<?x?xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<?x?xf32>
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<?x?xf32>
  %both = arith.addi %n, %m : index
  %all = loom.alloc(%both, %n) : memref<?x?xf32>
  %first = memref.subview %all[0, 0] [%n, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  memref.copy %a, %first : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %second = memref.subview %all[%n, 0] [%m, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  memref.copy %b, %second : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  return %all : memref<?x?xf32>
}

// -----

// Loops write to an allocation. One concatenation may be a part of another.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT: %[[OUTER:.*]] = loom.alloc() : memref<6xf32>
// CHECK-NEXT: %[[PART:.*]] = memref.subview %[[OUTER]][0]
// CHECK-NEXT: %[[INNER:.*]] = loom.alloc() into %[[PART]] : memref<4xf32, strided<[1]>> : memref<4xf32>
// CHECK-NEXT: %[[HALF:.*]] = memref.subview %[[INNER]][0]
// CHECK-NEXT: %[[A:.*]] = loom.alloc() into %[[HALF]]
// CHECK-NEXT: call @fill(%[[A]])
// CHECK: loom.run @p(%arg0) into
// CHECK: %[[REST:.*]] = memref.subview %[[OUTER]][4]
// CHECK: memref.copy %arg1, %[[REST]]
// CHECK-NEXT: call @use(%[[OUTER]])
func.func @nested(%x: memref<?xf32>, %y: memref<2xf32>) {
  %a = loom.alloc() : memref<2xf32>
  call @fill(%a) : (memref<2xf32>) -> ()
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %inner = loom.alloc() : memref<4xf32>
  %i0 = memref.subview %inner[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  %i1 = memref.subview %inner[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.copy %b, %i1 : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
  %outer = loom.alloc() : memref<6xf32>
  %o0 = memref.subview %outer[0] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1]>>
  memref.copy %inner, %o0 : memref<4xf32> to memref<4xf32, strided<[1]>>
  %o1 = memref.subview %outer[4] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: 4>>
  memref.copy %y, %o1 : memref<2xf32> to memref<2xf32, strided<[1], offset: 4>>
  call @use(%outer) : (memref<6xf32>) -> ()
  return
}
func.func private @fill(memref<2xf32>)
func.func private @use(memref<6xf32>)

// -----

// Of a value that is there twice, one copy is left.
// CHECK-LABEL: func.func @twice
// CHECK: %[[A:.*]] = loom.run @p(%arg0) into
// CHECK: memref.copy %[[A]]
// CHECK-NOT: memref.copy
func.func @twice(%x: memref<?xf32>) -> memref<4xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %all = loom.alloc() : memref<4xf32>
  %i0 = memref.subview %all[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  %i1 = memref.subview %all[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.copy %a, %i1 : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
  return %all : memref<4xf32>
}

// -----

// Along an inner axis, elements are no run.
// CHECK-LABEL: func.func @inner
// CHECK-NOT: into
func.func @inner(%x: memref<?xf32>) -> memref<2x4xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2x2xf32>
  %all = loom.alloc() : memref<2x4xf32>
  %i0 = memref.subview %all[0, 0] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  memref.copy %a, %i0 : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1]>>
  %i1 = memref.subview %all[0, 2] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
  memref.copy %a, %i1 : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
  return %all : memref<2x4xf32>
}

// -----

// What is read behind the copy may share memory that is only read, and not
// memory that something may write to.
// CHECK-LABEL: func.func @read_later
// CHECK: loom.run @p(%arg0) into
// CHECK-NOT: memref.copy
// CHECK: return
func.func @read_later(%x: memref<?xf32>) -> (memref<2xf32>, memref<2xf32>) {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %all = loom.alloc() : memref<2xf32>
  %i0 = memref.subview %all[0] [2] [1] : memref<2xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  %r = loom.run @p(%all) slots [-1] : (memref<2xf32>) -> memref<2xf32>
  %s = loom.run @p(%a) slots [-1] : (memref<2xf32>) -> memref<2xf32>
  return %r, %s : memref<2xf32>, memref<2xf32>
}
// CHECK-LABEL: func.func @written_later
// CHECK-NOT: into
func.func @written_later(%x: memref<?xf32>) -> memref<2xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %all = loom.alloc() : memref<2xf32>
  %i0 = memref.subview %all[0] [2] [1] : memref<2xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  call @fill(%all) : (memref<2xf32>) -> ()
  %s = loom.run @p(%a) slots [-1] : (memref<2xf32>) -> memref<2xf32>
  return %s : memref<2xf32>
}
// CHECK-LABEL: func.func @source_written_later
// CHECK-NOT: into
func.func @source_written_later(%x: memref<?xf32>) -> memref<2xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %all = loom.alloc() : memref<2xf32>
  %i0 = memref.subview %all[0] [2] [1] : memref<2xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  %view = memref.cast %a : memref<2xf32> to memref<?xf32>
  call @grow(%view) : (memref<?xf32>) -> ()
  return %all : memref<2xf32>
}
// A part of a part, which is read when the outermost memory may be written to.
// CHECK-LABEL: func.func @part_of_a_part
// CHECK-NOT: loom.alloc() into
// CHECK: loom.run @p(%arg0) into
// CHECK: memref.copy %{{.*}} : memref<2xf32> to memref<2xf32, strided<[1]>>
func.func @part_of_a_part(%x: memref<?xf32>) -> memref<2xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %inner = loom.alloc() : memref<2xf32>
  %i0 = memref.subview %inner[0] [2] [1] : memref<2xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  %outer = loom.alloc() : memref<2xf32>
  %o0 = memref.subview %outer[0] [2] [1] : memref<2xf32> to memref<2xf32, strided<[1]>>
  memref.copy %inner, %o0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  call @fill(%outer) : (memref<2xf32>) -> ()
  %s = loom.run @p(%a) slots [-1] : (memref<2xf32>) -> memref<2xf32>
  return %s : memref<2xf32>
}
// The same, where the outermost memory is allocated first.
// CHECK-LABEL: func.func @outer_first
// CHECK-NOT: loom.alloc() into
// CHECK: loom.run @p(%arg0) into
// CHECK: memref.copy %{{.*}} : memref<2xf32> to memref<2xf32, strided<[1]>>
func.func @outer_first(%x: memref<?xf32>) -> memref<2xf32> {
  %outer = loom.alloc() : memref<2xf32>
  %inner = loom.alloc() : memref<2xf32>
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %i0 = memref.subview %inner[0] [2] [1] : memref<2xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  %o0 = memref.subview %outer[0] [2] [1] : memref<2xf32> to memref<2xf32, strided<[1]>>
  memref.copy %inner, %o0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  call @fill(%outer) : (memref<2xf32>) -> ()
  %s = loom.run @p(%a) slots [-1] : (memref<2xf32>) -> memref<2xf32>
  return %s : memref<2xf32>
}
func.func private @fill(memref<2xf32>)
func.func private @grow(memref<?xf32>)

// -----

// A result of the function has memory of its own.
// CHECK-LABEL: func.func @returned
// CHECK-NOT: into
func.func @returned(%x: memref<?xf32>) -> (memref<2xf32>, memref<2xf32>) {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %b = loom.run @p(%x) slots [1] : (memref<?xf32>) -> memref<2xf32>
  %all = loom.alloc() : memref<4xf32>
  %i0 = memref.subview %all[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  %i1 = memref.subview %all[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.copy %b, %i1 : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
  call @use(%all) : (memref<4xf32>) -> ()
  return %a, %b : memref<2xf32>, memref<2xf32>
}
func.func private @use(memref<4xf32>)

// -----

// A part that is written twice, or may be; memory that is read in between;
// memory that is more than its parts.
// CHECK-LABEL: func.func @overlap
// CHECK-NOT: into
func.func @overlap(%x: memref<?xf32>) -> memref<4xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %all = loom.alloc() : memref<4xf32>
  %i0 = memref.subview %all[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  %i1 = memref.subview %all[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  memref.copy %b, %i1 : memref<2xf32> to memref<2xf32, strided<[1], offset: 1>>
  return %all : memref<4xf32>
}
// CHECK-LABEL: func.func @perhaps
// CHECK-NOT: into
func.func @perhaps(%x: memref<?xf32>, %n: index, %m: index) -> memref<?xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  %both = arith.addi %n, %m : index
  %all = loom.alloc(%both) : memref<?xf32>
  %i0 = memref.subview %all[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<?xf32> to memref<?xf32, strided<[1]>>
  %i1 = memref.subview %all[%m] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.copy %b, %i1 : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %all : memref<?xf32>
}
// CHECK-LABEL: func.func @between
// CHECK-NOT: into
func.func @between(%x: memref<?xf32>) -> memref<4xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %all = loom.alloc() : memref<4xf32>
  %i0 = memref.subview %all[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
  call @use(%all) : (memref<4xf32>) -> ()
  %i1 = memref.subview %all[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.copy %b, %i1 : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
  return %all : memref<4xf32>
}
func.func private @use(memref<4xf32>)

// -----

// The memory needs an extent of the value itself.
// CHECK-LABEL: func.func @own_extent
// CHECK: loom.run @p(%arg0) slots [-1]
// CHECK: loom.run @p(%arg0) into
func.func @own_extent(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  %n = memref.dim %a, %c0 : memref<?xf32>
  %c2 = arith.constant 2 : index
  %both = arith.addi %n, %c2 : index
  %all = loom.alloc(%both) : memref<?xf32>
  %i0 = memref.subview %all[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<?xf32> to memref<?xf32, strided<[1]>>
  %i1 = memref.subview %all[%n] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.copy %b, %i1 : memref<2xf32> to memref<2xf32, strided<[1], offset: ?>>
  return %all : memref<?xf32>
}

// -----

// Memory of open extents is not allocated ahead of a guard, which may be about
// them; of static ones it is.
// CHECK-LABEL: func.func @guarded
// CHECK: loom.run @p(%arg0) slots [-1]
// CHECK-NEXT: loom.require
// CHECK: loom.alloc(
func.func @guarded(%x: memref<?xf32>, %n: index, %c: i1) -> memref<?xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  loom.require %c, "t.op", "{0}"(%n : index)
  %all = loom.alloc(%n) : memref<?xf32>
  %i0 = memref.subview %all[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<?xf32> to memref<?xf32, strided<[1]>>
  return %all : memref<?xf32>
}
// CHECK-LABEL: func.func @guarded_static
// CHECK: loom.run @p(%arg0) into
// CHECK-NEXT: loom.require
func.func @guarded_static(%x: memref<?xf32>, %n: index, %c: i1) -> memref<4xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<4xf32>
  loom.require %c, "t.op", "{0}"(%n : index)
  %all = loom.alloc() : memref<4xf32>
  %i0 = memref.subview %all[0] [4] [1] : memref<4xf32> to memref<4xf32, strided<[1]>>
  memref.copy %a, %i0 : memref<4xf32> to memref<4xf32, strided<[1]>>
  return %all : memref<4xf32>
}

// -----

// In the body of a loop as well, but not what the body hands on.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK-NEXT: %[[ALL:.*]] = loom.alloc
// CHECK: loom.run @p(%arg0) into
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<2xf32> to
// CHECK: scf.yield
func.func @loop(%x: memref<?xf32>, %n: index, %first: memref<2xf32>) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%kept = %first) -> memref<2xf32> {
    %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
    %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
    %all = loom.alloc() : memref<4xf32>
    %i0 = memref.subview %all[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    memref.copy %a, %i0 : memref<2xf32> to memref<2xf32, strided<[1]>>
    %i1 = memref.subview %all[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
    memref.copy %b, %i1 : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
    func.call @use(%all) : (memref<4xf32>) -> ()
    scf.yield %b : memref<2xf32>
  }
  return %last : memref<2xf32>
}
func.func private @use(memref<4xf32>)

// -----

// Parts along two axes: above the others, left, right. A launch that nothing but
// the copy reads may write rows with gaps between them (-2^24 - 3), and the copy
// finds out.
// CHECK-LABEL: func.func @gaps
// CHECK-NEXT: %[[ALL:.*]] = loom.alloc() {slot = 0 : i32} : memref<6x9xf32>
// CHECK-NEXT: %[[A:.*]] = memref.subview %[[ALL]][0, 0]
// CHECK-NEXT: loom.run @p(%arg0) into(%[[A]] : {{.*}}) slots [-3]
// CHECK-NEXT: %[[B:.*]] = memref.subview %[[ALL]][1, 0]
// CHECK-NEXT: %[[LEFT:.*]] = loom.run @p(%arg0) into(%[[B]] : {{.*}}) slots [-16777219]
// CHECK-NEXT: %[[READ:.*]] = loom.run @p(%arg0) slots [-1]
// CHECK-NEXT: memref.copy %[[LEFT]], %[[B]]
// CHECK: memref.copy %[[READ]]
func.func @gaps(%x: memref<?xf32>) -> memref<6x9xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<1x9xf32>
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<5x4xf32>
  %c = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<5x5xf32>
  %all = loom.alloc() {slot = 0 : i32} : memref<6x9xf32>
  %top = memref.subview %all[0, 0] [1, 9] [1, 1] : memref<6x9xf32> to memref<1x9xf32, strided<[9, 1]>>
  memref.copy %a, %top : memref<1x9xf32> to memref<1x9xf32, strided<[9, 1]>>
  %left = memref.subview %all[1, 0] [5, 4] [1, 1] : memref<6x9xf32> to memref<5x4xf32, strided<[9, 1], offset: 9>>
  memref.copy %b, %left : memref<5x4xf32> to memref<5x4xf32, strided<[9, 1], offset: 9>>
  %right = memref.subview %all[1, 4] [5, 5] [1, 1] : memref<6x9xf32> to memref<5x5xf32, strided<[9, 1], offset: 13>>
  memref.copy %c, %right : memref<5x5xf32> to memref<5x5xf32, strided<[9, 1], offset: 13>>
  %again = loom.run @p(%c) slots [-1] : (memref<5x5xf32>) -> memref<5x5xf32>
  return %all : memref<6x9xf32>
}

// -----

// Parts that may meet along both axes stay copies.
// CHECK-LABEL: func.func @meet
// CHECK-COUNT-2: loom.run @p(%arg0) slots [-1]
func.func @meet(%x: memref<?xf32>) -> memref<6x9xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<3x9xf32>
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<5x9xf32>
  %all = loom.alloc() {slot = 0 : i32} : memref<6x9xf32>
  %top = memref.subview %all[0, 0] [3, 9] [1, 1] : memref<6x9xf32> to memref<3x9xf32, strided<[9, 1]>>
  memref.copy %a, %top : memref<3x9xf32> to memref<3x9xf32, strided<[9, 1]>>
  %rest = memref.subview %all[1, 0] [5, 9] [1, 1] : memref<6x9xf32> to memref<5x9xf32, strided<[9, 1], offset: 9>>
  memref.copy %b, %rest : memref<5x9xf32> to memref<5x9xf32, strided<[9, 1], offset: 9>>
  return %all : memref<6x9xf32>
}
