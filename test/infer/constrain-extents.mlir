// RUN: broadloom-opt %s --split-input-file --loom-constrain-extents --loom-insert-guards | FileCheck %s
// RUN: broadloom-opt %s --split-input-file --loom-constrain-extents | FileCheck %s --check-prefix=CONSTRAINT

// abi-1: equal names are checked at entry, once, and then known.

// CONSTRAINT-LABEL: func.func @abi1_equal_names(
// CONSTRAINT:         loom.constrain "func.func", %{{.*}}, "argument 1, axis 0 has extent {0}, but 'n' is {1}, the extent of axis 0 of argument 0"(%{{.*}}, %{{.*}} : index, index) promised "axis 0 of argument 1 is 'n', as is axis 0 of argument 0"
// CHECK-LABEL: func.func @abi1_equal_names(
// CHECK-DAG:     %[[A:.*]] = tensor.dim %arg0, %c0
// CHECK-DAG:     %[[B:.*]] = tensor.dim %arg1, %c0
// CHECK:         %[[E:.*]] = arith.cmpi eq, %[[B]], %[[A]]
// CHECK:         loom.require %[[E]], "func.func", "argument 1, axis 0 has extent {0}, but 'n' is {1}, the extent of axis 0 of argument 0"(%[[B]], %[[A]] : index, index)
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_equal_names(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>},
                            %b: tensor<?xf32> {loom.extents = #loom.extents<[n]>}) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "add", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  return
}

// -----

// A name by itself on one axis promises nothing, nor does `?`.

// CHECK-LABEL: func.func @abi1_one_name(
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_one_name(%a: tensor<?x?xf32> {loom.extents = #loom.extents<[n, ?]>}) {
  return
}

// -----

// Formulas and numbers; the axis that defines a name may come later.

// CHECK-LABEL: func.func @abi1_formulas(
// CHECK:         loom.require %{{.*}}, "func.func", "argument 0, axis 0 has extent {0}, but 'n * m' is {1} with 'n' = {2}, the extent of axis 0 of argument 1, and 'm' = {3}, the extent of axis 1 of argument 1"
// CHECK:         loom.require %{{.*}}, "func.func", "argument 0, axis 1 has extent {0}, but 4 is declared"
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_formulas(%a: tensor<?x?xf32> {loom.extents = #loom.extents<[n * m, 4]>},
                         %b: tensor<?x?xf32> {loom.extents = #loom.extents<[n, m]>},
                         %c: tensor<4xf32>) {
  %flat = tensor.collapse_shape %b [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %column = tensor.extract_slice %a[0, 0] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %sf = loom.shape_of %flat : tensor<?xf32> -> !loom.shape<[?]>
  %sn = loom.shape_of %column : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "product", %sf, %sn : !loom.shape<[?]>, !loom.shape<[?]>
  %sa = loom.shape_of %a : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  %sc = loom.shape_of %c : tensor<4xf32> -> !loom.shape<[4]>
  loom.constrain_broadcast "number", %sa, %sc : !loom.shape<[?, ?]>, !loom.shape<[4]>
  return
}

// -----

// Ranges: what they decide needs no guard.

// CHECK-LABEL: func.func @abi1_ranges(
// CHECK:         loom.require %{{.*}}, "func.func", "argument 0, axis 0 has extent {0}, but 'n' is at least 8"
// CHECK:         loom.require %{{.*}}, "func.func", "argument 0, axis 0 has extent {0}, but 'n' is at most 512"
// CHECK:         loom.require %{{.*}}, "func.func", "argument 0, axis 0 has extent {0}, but 'n' is a multiple of 8"
// CHECK:         loom.require %{{.*}}, "func.func", "argument 0, axis 1 has extent {0}, but 'm' is at least 3"
// CHECK:         loom.require %{{.*}}, "func.func", "argument 0, axis 1 has extent {0}, but 'm' is 3 plus a multiple of 4"
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_ranges(%a: tensor<?x?xf32> {loom.extents = #loom.extents<[n, m] where n = 8 to 512 step 8, m = 3 to ? step 4>}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c600 = arith.constant 600 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %rest = arith.remui %n, %c4 : index
  %isMultiple = arith.cmpi eq, %rest, %c0 : index
  loom.constrain "multiple", %isMultiple, "it is a multiple of 4"
  %isSmall = arith.cmpi ult, %n, %c600 : index
  loom.constrain "small", %isSmall, "it is small"
  return
}

// -----

// What is static already holds.

// CHECK-LABEL: func.func @abi1_static(
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_static(%a: tensor<4x8xf32> {loom.extents = #loom.extents<[n, 2 * n] where n = 2 to 8 step 2>},
                       %b: tensor<4xf32> {loom.extents = #loom.extents<[n]>}) {
  return
}

// -----

// Calls keep the promises: proved where they can be, guards of the caller where
// not; a function that calls alone reach checks nothing.

// CHECK-LABEL: func.func @abi1_caller(
// CHECK:         loom.require %{{.*}}, "func.call", "argument 1 of 'f', axis 0 has extent {0}, but 'n' is {1}, the extent of axis 0 of argument 0 of 'f'"
// CHECK-NOT:     loom.require
// CHECK:         return
// CHECK-LABEL: func.func private @f(
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_caller(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  func.call @f(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> ()
  func.call @f(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> ()
  func.call @f(%b, %a) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}
func.func private @f(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>},
                     %b: tensor<?xf32> {loom.extents = #loom.extents<[n]>}) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "add", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  return
}

// -----

// Other callers of a function are checked.

// CHECK-LABEL: func.func private @abi1_named(
// CHECK:         loom.require %{{.*}}, "func.func", "argument 1, axis 0
// CHECK-LABEL: func.func @abi1_public(
// CHECK:         loom.require %{{.*}}, "func.func", "argument 1, axis 0
func.func private @abi1_named(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>},
                              %b: tensor<?xf32> {loom.extents = #loom.extents<[n]>}) {
  return
}
func.func @abi1_public(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>},
                       %b: tensor<?xf32> {loom.extents = #loom.extents<[n]>}) {
  return
}
func.func @caller(%a: tensor<?xf32>) {
  func.call @abi1_public(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> ()
  %f = func.constant @abi1_named : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

// -----

// One that calls itself keeps its own promises.

// CHECK-LABEL: func.func private @abi1_recursion(
// CHECK-NOT:     loom.require
// CHECK:         call @abi1_recursion
// CHECK-NOT:     loom.require
// CHECK:         return
func.func private @abi1_recursion(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>},
                                  %b: tensor<?xf32> {loom.extents = #loom.extents<[n]>}, %i: i1) {
  scf.if %i {
    func.call @abi1_recursion(%b, %a, %i) : (tensor<?xf32>, tensor<?xf32>, i1) -> ()
  }
  return
}
func.func @start(%a: tensor<?xf32>, %i: i1) {
  func.call @abi1_recursion(%a, %a, %i) : (tensor<?xf32>, tensor<?xf32>, i1) -> ()
  return
}

// -----

// Results are claims: proved, or checked before they are returned.

// CHECK-LABEL: func.func @abi1_results(
// CHECK:         loom.require %{{.*}}, "func.return", "result 1, axis 0 has extent {0}, but 'n' is {1}, the extent of axis 0 of argument 0"
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_results(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>}, %b: tensor<?xf32>)
  -> (tensor<?xf32> {loom.extents = #loom.extents<[n * 2]>}, tensor<?xf32> {loom.extents = #loom.extents<[n]>}) {
  %r = tensor.concat dim(0) %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r, %b : tensor<?xf32>, tensor<?xf32>
}

// -----

// A name that only results have is an extent of theirs.

// CHECK-LABEL: func.func @abi1_names_of_results(
// CHECK:         loom.require %{{.*}}, "func.return", "result 1, axis 0 has extent {0}, but 'k' is {1}, the extent of axis 0 of result 0"
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_names_of_results(%a: tensor<?xf32>, %i: index, %j: index)
  -> (tensor<?xf32> {loom.extents = #loom.extents<[k]>}, tensor<?xf32> {loom.extents = #loom.extents<[k]>}) {
  %x = tensor.empty(%i) : tensor<?xf32>
  %y = tensor.empty(%j) : tensor<?xf32>
  return %x, %y : tensor<?xf32>, tensor<?xf32>
}

// -----

// rt-8: guards that a program has already are not made again, so that what the
// compiler printed comes through it unchanged.

// CHECK-LABEL: func.func @rt8_again(
// CHECK-COUNT-1: loom.require
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @rt8_again(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>},
                     %b: tensor<?xf32> {loom.extents = #loom.extents<[n]>}) {
  %c0 = arith.constant 0 : index
  %x = tensor.dim %a, %c0 : tensor<?xf32>
  %y = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %y, %x : index
  loom.require %same, "func.func", "it is checked"
  return
}

// -----

// Where the type says no rank, the names do: that is checked before any extent, and
// known behind it.

// CONSTRAINT-LABEL: func.func @abi1_unranked(
// CONSTRAINT:         %[[R:.*]] = loom.rank
// CONSTRAINT:         loom.constrain "func.func", %{{.*}}, "the rank of argument 0 is {0}, but loom.extents has 2 axes"(%[[R]] : index) promised "argument 0 has 2 axes"
// CONSTRAINT:         loom.extent %{{.*}}[-1]
// CONSTRAINT:         loom.constrain "func.func", %{{.*}} promised "axis 0 of argument 1 is 'm', as is axis 1 of argument 0"
// CHECK-LABEL: func.func @abi1_unranked(
// CHECK:         %[[S:.*]] = loom.shape_of %arg0
// CHECK:         %[[R:.*]] = loom.rank %[[S]]
// CHECK:         %[[E:.*]] = arith.cmpi eq, %[[R]], %c2
// CHECK:         loom.require %[[E]], "func.func", "the rank of argument 0 is {0}, but loom.extents has 2 axes"(%[[R]] : index)
// CHECK:         loom.require %{{.*}}, "func.func", "argument 0, axis 1 has extent {0}, but 'm' is at most 8"
// CHECK:         loom.require %{{.*}}, "func.func", "argument 1, axis 0 has extent {0}, but 'm' is {1}, the extent of axis 1 of argument 0"
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_unranked(%a: tensor<*xf32> {loom.extents = #loom.extents<[n, m] where m = 0 to 8>},
                         %b: tensor<?xf32> {loom.extents = #loom.extents<[m]>}) {
  %sa = loom.shape_of %a : tensor<*xf32> -> !loom.shape<*>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "add", %sa, %sb : !loom.shape<*>, !loom.shape<[?]>
  return
}

// -----

// A caller must keep such promises, too; of a result they are a claim.

// CHECK-LABEL: func.func @abi1_unranked_call(
// CHECK-DAG:     loom.require %{{.*}}, "func.call", "the rank of argument 0 of 'inner' is {0}, but loom.extents has 1 axis"
// CHECK-DAG:     loom.require %{{.*}}, "func.return", "the rank of result 0 is {0}, but loom.extents has 3 axes"
// CHECK:         call @inner
// CHECK-NOT:     loom.require
// CHECK:         return
// CHECK-LABEL: func.func private @inner(
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @abi1_unranked_call(%a: tensor<*xf32>, %b: tensor<*xf32>) -> (tensor<*xf32> {loom.extents = #loom.extents<[?, 4, ?]>}) {
  %r = call @inner(%a) : (tensor<*xf32>) -> tensor<*xf32>
  return %b : tensor<*xf32>
}
func.func private @inner(%a: tensor<*xf32> {loom.extents = #loom.extents<[n]>}) -> (tensor<*xf32> {loom.extents = #loom.extents<[n]>}) {
  return %a : tensor<*xf32>
}
