// RUN: broadloom-opt %s "--loom-set-target=target=x86_64-linux-gnu cpu=x86-64-v4" --loom-outline-kernels --split-input-file | FileCheck %s --check-prefixes=CHECK,MASKS
// RUN: broadloom-opt %s "--loom-set-target=target=x86_64-linux-gnu cpu=x86-64-v3" --loom-outline-kernels --split-input-file | FileCheck %s --check-prefixes=CHECK,HALVES

// What is computed from a folded value is computed once for each row, what is
// needed before it only is not kept, and all that can be folded in one go over a
// row is. Here: one stage that folds, one for each row, one that uses it.

// CHECK-LABEL: func.func @variance(
// CHECK:         loom.run @loom_row_program_0(%{{.*}}, %{{.*}}) slots [-1]

// CHECK:       llvm.func internal @loom_kernel_reduce_0(
// CHECK:         arith.addf %{{.*}} : vector<32xf32>
// CHECK:         arith.addf %{{.*}} : vector<1xf32>
// CHECK:       llvm.mlir.global internal constant @loom_neutral_0(0.000000e+00 : f32)
// CHECK-NOT:   llvm.func internal @loom_kernel_reduce_1(

// What reduces in the order of short rows, once for all sums of f32.
// CHECK:       llvm.func internal @loom_kernel_fold_0(
// CHECK-NOT:     arith.mulf
// CHECK:         arith.addf %{{.*}} : vector<64xf32>
// CHECK:         llvm.return
// CHECK-NOT:   llvm.func internal @loom_kernel_fold_1(
//
// Little else than folds: the partial results stay in registers.
// CHECK:       llvm.func internal @loom_kernel_reduction_0(
// CHECK:         arith.mulf %{{.*}} : vector<64xf32>
// CHECK:         arith.addf %{{.*}} : vector<64xf32>
// CHECK:         arith.addf %{{.*}} : vector<64xf32>
// CHECK:       llvm.func internal @loom_kernel_reduction_1(
// CHECK:         arith.mulf %{{.*}} : f32
// CHECK:         arith.subf %{{.*}} : f32
// What has one element for each row stays in registers, too.
// CHECK:       llvm.func internal @loom_kernel_reduction_2(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<64xf32>
// CHECK:       ^bb3(
// CHECK:         arith.addf %{{.*}} : vector<64xf32>
// CHECK:         arith.mulf %{{.*}} : vector<64xf32>
// CHECK-NOT:   llvm.func internal @loom_kernel_reduction_3(

// All stages once more for short rows: vectors of what is computed for each
// element, with the lanes beyond the end of a row masked, and the partial
// results of sixteen rows combined to one vector in four steps. Without masks
// the last vector of a result is stored in halves.
// CHECK:       llvm.func internal @loom_kernel_short_rows_0(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK:         arith.mulf %{{.*}} : vector<16xf32>
// CHECK:         llvm.intr.masked.load
// CHECK:         arith.select %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK:         llvm.shufflevector %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]
// CHECK:         llvm.shufflevector %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]
// MASKS:         llvm.intr.masked.store
// HALVES-NOT:    llvm.intr.masked.store
// HALVES:        llvm.store %{{.*}} : vector<8xf32>, !llvm.ptr
// HALVES:        llvm.store %{{.*}} : vector<4xf32>, !llvm.ptr
// HALVES:        llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr
// HALVES:        llvm.store %{{.*}} : vector<1xf32>, !llvm.ptr
// CHECK:       llvm.mlir.global internal constant @loom_row_program_0()
func.func @variance(%a: memref<?x?xf32>, %w: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a, %w) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32, %y: f32):
    %late = arith.addf %x, %y : f32
    %q = arith.mulf %x, %x : f32
    %s = loom.reduce %x from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %u = loom.reduce %q from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %m = arith.mulf %s, %s : f32
    %v = arith.subf %u, %m : f32
    %o = arith.mulf %late, %v : f32
    loom.yield %o : f32
  }
  return %r : memref<?x?xf32>
}

// -----

// A function of the C library leaves no registers: LLVM vectorises the loop over
// lanes.

// CHECK-LABEL: func.func @calls(
// CHECK:       llvm.func internal @loom_kernel_reduction_0(
// CHECK:         math.sin %{{.*}} : f32
// CHECK-NOT:   @loom_kernel_short_rows
func.func @calls(%a: memref<?x?xf32>) -> memref<?x1xf32> {
  %r = loom.launch(%a) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>) -> memref<?x1xf32> {
  ^bb0(%x: f32):
    %e = math.sin %x : f32
    %s = loom.reduce %e from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    loom.yield %s : f32
  }
  return %r : memref<?x1xf32>
}

// -----

// The index of an element: of lanes that are the steps of a row or the rows,
// as the runtime says, and of a vector of a short row.

// CHECK-LABEL: func.func @index(
// CHECK:       llvm.func internal @loom_kernel_reduction_0(
// CHECK:         arith.muli %{{.*}} : vector<16xi64>
// CHECK:         arith.subi %{{.*}} : vector<16xi64>
// CHECK:         arith.maxsi %{{.*}} : vector<16xi64>
// CHECK:       llvm.func internal @loom_kernel_short_rows_0(
// CHECK:         arith.addi %{{.*}} : vector<16xi64>
// CHECK:         arith.maxsi %{{.*}} : vector<16xi64>
// CHECK-NOT:   loom.index
func.func @index(%a: memref<?x?xi64>) -> memref<?x1xi64> {
  %r = loom.launch(%a) slots [-1] {axes = array<i64: 1>} : (memref<?x?xi64>) -> memref<?x1xi64> {
  ^bb0(%x: i64):
    %p = loom.index : i64
    %e = arith.subi %x, %p : i64
    %d = arith.muli %e, %e : i64
    %s = loom.reduce %d from 0 : i64 : i64 -> i64 {
    ^bb0(%l: i64, %r: i64):
      %t = arith.maxsi %l, %r : i64
      loom.yield %t : i64
    }
    loom.yield %s : i64
  }
  return %r : memref<?x1xi64>
}

// -----

// Whether %n has one element for each row is not known. Then there are two
// programs: the one that the launch runs names operand 1 and the other, which
// computes the root once for each row. What multiplies the result is part of
// neither question.

// CHECK-LABEL: func.func @narrow(
// CHECK:         loom.run @loom_row_program_1(
// CHECK:       llvm.mlir.global internal constant @loom_row_program_0()
// CHECK:       llvm.mlir.constant(2 : i64)
// CHECK:       llvm.mlir.addressof @loom_row_program_0
// CHECK:       llvm.mlir.global internal constant @loom_row_program_1()
// CHECK-NOT:   @loom_row_program_2
func.func @narrow(%a: memref<?x?xf32>, %n: memref<?x?xf32>, %w: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a, %n, %w) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %q = arith.mulf %x, %x : f32
    %s = loom.reduce %q from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %m = arith.mulf %s, %y : f32
    %v = math.sqrt %m : f32
    %g = arith.mulf %v, %z : f32
    %o = arith.divf %x, %g : f32
    loom.yield %o : f32
  }
  return %r : memref<?x?xf32>
}

// -----

// What costs less than keeping it is computed in both times over the row: the
// first leaves nothing in memory for the second. The exponential is kept.

// CHECK-LABEL: func.func @again(
// Its operand is x - m where m is the greatest x, which its expansion may know.
// CHECK:       llvm.func internal @loom_kernel_reduction_1(
// CHECK:         arith.subf
// CHECK:         math.exp %{{.*}} {loom.at_most_zero}
// CHECK-NOT:     llvm.store %{{.*}} : vector<64xf32>
// CHECK:         llvm.store %{{.*}} : vector<32xf32>
// CHECK:         llvm.store %{{.*}} : vector<32xf32>
// CHECK-NOT:     llvm.store
// CHECK:       llvm.func internal @loom_kernel_reduction_2(
// CHECK:         arith.subf
// CHECK-NOT:     math.exp
// CHECK:         llvm.return
func.func @again(%a: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32):
    %m = loom.reduce %x from 0xFF800000 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.maximumf %l, %r : f32
      loom.yield %t : f32
    }
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    %s = loom.reduce %e from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %f = arith.mulf %d, %e : f32
    %o = arith.mulf %f, %s : f32
    loom.yield %o : f32
  }
  return %r : memref<?x?xf32>
}

// -----

// Where a maximum serves exponentials alone and all results are computed of
// their sum, which is NaN in a row with a NaN, it is one comparison.

// CHECK-LABEL: func.func @softmax(
// CHECK-NOT:     arith.maximumf
// CHECK:       llvm.func internal @loom_kernel_short_rows_0(
// CHECK-NOT:     arith.maximumf
// CHECK:         arith.cmpf ogt, %{{.*}}, %{{.*}} : vector<16xf32>
func.func @softmax(%a: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32):
    %m = loom.reduce %x from 0xFF800000 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.maximumf %l, %r : f32
      loom.yield %t : f32
    }
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    %s = loom.reduce %e from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %o = arith.divf %e, %s : f32
    loom.yield %o : f32
  }
  return %r : memref<?x?xf32>
}

// -----

// Exponentials that are a result keep the NaN of the maximum.

// CHECK-LABEL: func.func @exponentials(
// CHECK-NOT:     arith.cmpf ogt
// CHECK:         arith.maximumf
func.func @exponentials(%a: memref<?x?xf32>) -> (memref<?x?xf32>, memref<?x?xf32>) {
  %r:2 = loom.launch(%a) slots [-1, -1] {axes = array<i64: 1>} : (memref<?x?xf32>) -> (memref<?x?xf32>, memref<?x?xf32>) {
  ^bb0(%x: f32):
    %m = loom.reduce %x from 0xFF800000 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.maximumf %l, %r : f32
      loom.yield %t : f32
    }
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    %s = loom.reduce %e from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %o = arith.divf %e, %s : f32
    loom.yield %o, %e : f32, f32
  }
  return %r#0, %r#1 : memref<?x?xf32>, memref<?x?xf32>
}

// -----

// The least element, or the greatest of another operand, says nothing.

// CHECK-LABEL: func.func @unknown(
// CHECK:       llvm.func internal @loom_kernel_reduction_1(
// CHECK-NOT:     at_most_zero
// CHECK-COUNT-3: math.exp %{{[0-9]+}} : vector
// CHECK-NOT:     at_most_zero
func.func @unknown(%a: memref<?x?xf32>, %b: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a, %b) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32, %y: f32):
    %m = loom.reduce %x from 0x7F800000 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.minimumf %l, %r : f32
      loom.yield %t : f32
    }
    %n = loom.reduce %y from 0xFF800000 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.maximumf %l, %r : f32
      loom.yield %t : f32
    }
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    %f = arith.subf %x, %n : f32
    %g = math.exp %f : f32
    %h = arith.subf %n, %y : f32
    %i = math.exp %h : f32
    %j = arith.addf %e, %g : f32
    %o = arith.addf %i, %j : f32
    loom.yield %o : f32
  }
  return %r : memref<?x?xf32>
}

// -----

// Nothing costly is computed from %n, and %w is folded: one program.

// CHECK-LABEL: func.func @wide(
// CHECK:         loom.run @loom_row_program_0(
// CHECK-NOT:   @loom_row_program_1
func.func @wide(%a: memref<?x?xf32>, %n: memref<?x?xf32>, %w: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a, %n, %w) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %q = arith.mulf %x, %z : f32
    %s = loom.reduce %q from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %m = arith.mulf %s, %y : f32
    %g = arith.divf %x, %s : f32
    %o = arith.addf %g, %m : f32
    loom.yield %o : f32
  }
  return %r : memref<?x?xf32>
}

// -----

// A stage that computes for some rows alone is left out where a strip has none of
// them; in short rows, where a group has none.

// CHECK-LABEL: func.func @some_rows(
// CHECK:       llvm.func internal @loom_kernel_reduction_2(
// CHECK:         %[[ANY:.*]] = llvm.bitcast %{{.*}} : vector<64xi1> to i64
// CHECK:         %[[IS_ANY:.*]] = llvm.icmp "ne" %[[ANY]], %{{.*}} : i64
// CHECK:         llvm.cond_br %[[IS_ANY]], ^bb3(
// CHECK:       llvm.func internal @loom_kernel_short_rows_0(
// CHECK:         %[[GROUP:.*]] = llvm.bitcast %{{.*}} : vector<16xi1> to i16
// CHECK:         %[[IS_ANY:.*]] = llvm.icmp "ne" %[[GROUP]], %{{.*}} : i16
// CHECK:         llvm.zext %[[IS_ANY]] : i1 to i64
func.func @some_rows(%a: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32):
    %zero = arith.constant 0.0 : f32
    %s = loom.reduce %x from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %isMore = arith.cmpf ogt, %s, %zero : f32
    %chosen = arith.select %isMore, %x, %zero : f32
    %u = loom.reduce %chosen from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %o = arith.mulf %x, %u : f32
    loom.yield %o : f32
  }
  return %r : memref<?x?xf32>
}

// -----

// What is chosen between is not neutral, or another stage's: nothing is left out.

// CHECK-LABEL: func.func @all_rows(
// CHECK-NOT:   to i16
func.func @all_rows(%a: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a) slots [-1] {axes = array<i64: 1>} : (memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32):
    %zero = arith.constant 0.0 : f32
    %s = loom.reduce %x from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %isMore = arith.cmpf ogt, %s, %zero : f32
    %chosen = arith.select %isMore, %x, %s : f32
    %u = loom.reduce %chosen from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %o = arith.mulf %x, %u : f32
    loom.yield %o : f32
  }
  return %r : memref<?x?xf32>
}
