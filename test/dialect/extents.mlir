// RUN: broadloom-opt %s | FileCheck %s
// RUN: broadloom-opt %s | broadloom-opt | FileCheck %s
// RUN: broadloom-opt %s --emit-bytecode | broadloom-opt | FileCheck %s
// RUN: broadloom-opt %s --mlir-print-op-generic | broadloom-opt | FileCheck %s

// abi-1: names, formulas and ranges of extents survive printing and parsing.

// CHECK-LABEL: func.func @abi1_names(
// CHECK-SAME:    tensor<?x?x64xf32> {loom.extents = #loom.extents<[batch, seq, 64] where batch = 1 to ?, seq = 0 to 512 step 8>}
// CHECK-SAME:    tensor<?x?xi1> {loom.extents = #loom.extents<[seq, ?]>}
// CHECK-SAME:    -> (tensor<?x64xf32> {loom.extents = #loom.extents<[batch * seq, 64]>}, tensor<?xf32> {loom.extents = #loom.extents<[found]>})
func.func @abi1_names(
    %x: tensor<?x?x64xf32> {loom.extents = #loom.extents<[batch, seq, 64] where seq = 0 to 512 step 8, batch = 1 to ?>},
    %mask: tensor<?x?xi1> {loom.extents = #loom.extents<[seq, ?]>}, %count: index)
  -> (tensor<?x64xf32> {loom.extents = #loom.extents<[batch * seq, 64]>},
      tensor<?xf32> {loom.extents = #loom.extents<[found]>}) {
  %r = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x64xf32> into tensor<?x64xf32>
  %f = tensor.empty(%count) : tensor<?xf32>
  return %r, %f : tensor<?x64xf32>, tensor<?xf32>
}

// Formulas are affine expressions with names; upstream puts them in order.

// CHECK-LABEL: func.func private @abi1_formulas(
// CHECK-SAME:    [n, n * 2 + 1, n - m, m - n, (n - 1) floordiv 2 + 1, n ceildiv 4, n mod 8, n * m, (n + m) * k, 7]
// CHECK-SAME:    [m]>{{.*}}[k, ?]
func.func private @abi1_formulas(
    %x: tensor<?x?x?x?x?x?x?x?x?x?xf32> {loom.extents = #loom.extents<[
        n, 1 + 2 * n, n - m, m + -n, 1 + (n - 1) floordiv 2, n ceildiv 4, n mod 8, n * m, (n + m) * k, 3 + 4]>},
    %y: tensor<?xf32> {loom.extents = #loom.extents<[m]>},
    %z: tensor<?x?xf32> {loom.extents = #loom.extents<[k, ?]>})

// A scalar has no axes; names may look like numbers of shapes or like upstream's
// own symbols.

// CHECK-LABEL: func.func private @abi1_spelling(
// CHECK-SAME:    #loom.extents<[]>
// CHECK-SAME:    #loom.extents<[x, s1 + 1, s1, s0 mod 2, s0, max_len]>
func.func private @abi1_spelling(
    %a: tensor<f32> {loom.extents = #loom.extents<[]>},
    %b: vector<4x3x2x1x1x5xf32> {loom.extents = #loom.extents<[x, s1 + 1, s1, s0 mod 2, s0, max_len]>})

// The formula is what it was after it is printed and read. Names are numbered
// as they stand in the text, also where terms cancel and where what stands on
// the right of a sign is a sum, a product or a quotient.

// CHECK-LABEL: func.func private @abi1_read_again(
// CHECK-SAME:    [b, -c - a, a - (b + c), a * (b * c), a - b mod 4, -(b * a) floordiv 2, a - (b + a) floordiv 2 * 3, a - 2]
func.func private @abi1_read_again(
    %x: tensor<?x?x?x?x?x?x?x?xf32> {loom.extents = #loom.extents<[
        b, a - a - c - a, a - (b + c), a * (b * c), a - b mod 4, (-(a * b)) floordiv 2, a - 3 * ((a + b) floordiv 2), a + -2]>},
    %y: tensor<?x?xf32> {loom.extents = #loom.extents<[a, c]>})
