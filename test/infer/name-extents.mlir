// RUN: broadloom-opt %s --split-input-file --loom-constrain-extents '--loom-insert-guards=name-extents' > %t
// RUN: FileCheck %s --input-file=%t
// RUN: broadloom-opt %t --split-input-file --loom-constrain-extents '--loom-insert-guards=name-extents' | diff - %t
// RUN: broadloom-opt %s --split-input-file --loom-insert-guards | FileCheck %s --check-prefix=WITHOUT

// abi-1: what is known of results is told by the names of arguments, and what
// is told comes out again.

// CHECK-LABEL: func.func @abi1_given_names(
// CHECK-SAME:    %arg0: tensor<?x?x4xf32> {loom.extents = #loom.extents<[batch, n, 4] where n = 0 to 64 step 2>}
// CHECK-SAME:    -> (tensor<?x4xf32> {loom.extents = #loom.extents<[batch * n, 4]>}, tensor<?x?x4xf32> {loom.extents = #loom.extents<[batch, n * 2, 4]>}, tensor<?xf32> {loom.extents = #loom.extents<[n floordiv 3]>})
// CHECK-COUNT-2: loom.require
// CHECK-NOT:     loom.require
// CHECK:         return
// WITHOUT-LABEL: func.func @abi1_given_names(
// WITHOUT-SAME:    -> (tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?xf32>)
func.func @abi1_given_names(%x: tensor<?x?x4xf32> {loom.extents = #loom.extents<[batch, n, 4] where n = 0 to 64 step 2>})
  -> (tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %twice = tensor.concat dim(1) %x, %x : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x4xf32>
  %third = arith.divui %n, %c3 : index
  %part = tensor.empty(%third) : tensor<?xf32>
  return %flat, %twice, %part : tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?xf32>
}

// -----

// Extents without a name get one where a result is told by it, and only there;
// names that there are already are left out.

// CHECK-LABEL: func.func @abi1_new_names(
// CHECK-SAME:    %arg0: tensor<?x?xf32> {loom.extents = #loom.extents<[s1, ?]>}
// CHECK-SAME:    %arg1: tensor<?x8xf32> {loom.extents = #loom.extents<[s0, 8]>}
// CHECK-SAME:    %arg2: tensor<?xf32>,
// CHECK-SAME:    %arg3: tensor<?x?xf32> {loom.extents = #loom.extents<[s2, ?] where s2 = 0 to 9>},
// CHECK-SAME:    -> (tensor<?x?xf32> {loom.extents = #loom.extents<[s0 + s1, ?]>}, tensor<?xf32>)
// CHECK:         return
func.func @abi1_new_names(%a: tensor<?x?xf32>, %b: tensor<?x8xf32> {loom.extents = #loom.extents<[s0, 8]>}, %c: tensor<?xf32>,
                          %d: tensor<?x?xf32> {loom.extents = #loom.extents<[s2, ?] where s2 = 0 to 9>}, %i: index, %j: index)
  -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c0 : tensor<?x8xf32>
  %sum = arith.addi %m, %n : index
  %r = tensor.empty(%sum, %i) : tensor<?x?xf32>
  %w = tensor.empty(%j) : tensor<?xf32>
  return %r, %w : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// What no argument tells and results share has a name of theirs; a number is a
// number; what the program says of a result itself stays.

// CHECK-LABEL: func.func @abi1_shared(
// CHECK-SAME:    %arg0: index)
// CHECK-SAME:    -> (tensor<?xf32> {loom.extents = #loom.extents<[s0]>}, tensor<?x?xf32> {loom.extents = #loom.extents<[s0, 7]>}, tensor<?xf32> {loom.extents = #loom.extents<[mine]>})
func.func @abi1_shared(%i: index) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32> {loom.extents = #loom.extents<[mine]>}) {
  %c7 = arith.constant 7 : index
  %a = tensor.empty(%i) : tensor<?xf32>
  %b = tensor.empty(%i, %c7) : tensor<?x?xf32>
  %c = tensor.empty(%c7) : tensor<?xf32>
  return %a, %b, %c : tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// -----

// What types say needs no attribute; of a rank that is not known there is none.

// CHECK-LABEL: func.func @abi1_nothing_to_say(%arg0: tensor<4xf32>, %arg1: tensor<*xf32>) -> (tensor<4xf32>, tensor<*xf32>) {
func.func @abi1_nothing_to_say(%a: tensor<4xf32>, %b: tensor<*xf32>) -> (tensor<4xf32>, tensor<*xf32>) {
  return %a, %b : tensor<4xf32>, tensor<*xf32>
}

// -----

// What is equal by a guard is told by one name.

// CHECK-LABEL: func.func @abi1_after_a_guard(
// CHECK-SAME:    %arg0: tensor<?xf32> {loom.extents = #loom.extents<[s0]>}, %arg1: tensor<?xf32>)
// CHECK-SAME:    -> (tensor<?xf32> {loom.extents = #loom.extents<[s0]>})
// CHECK-COUNT-1: loom.require
// CHECK-NOT:     loom.require
func.func @abi1_after_a_guard(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %m, %n : index
  loom.constrain "same", %same, "they are the same"
  return %b : tensor<?xf32>
}
