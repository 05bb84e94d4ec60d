// The layout of memory whose shape is a set (set-1): its text, and what is
// refused.

// RUN: broadloom-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: @lower(memref<?x?xf64, #loom.shape<"(i, j)[n] : (i <= n - 1, 0 <= j <= i)">>)
func.func private @lower(memref<?x?xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>)

// -----

// CHECK: @numbers(memref<4x6xi8, #loom.shape<"(i, j)[n, m] : (i <= n - 1, 0 <= j <= i, j <= m - 1)">>)
func.func private @numbers(memref<4x6xi8, #loom.shape<"(i, j)[n, m] : (0 <= i < n, 0 <= j < m, j <= i)">>)

// -----

// expected-error @+1 {{nothing can have the shape (i)[n] : (i <= n - 1), because 'i' has no lower bound}}
func.func private @f(memref<?xf64, #loom.shape<"(i)[n] : (i < n)">>)

// -----

// expected-error @+1 {{the shape (i)[n] : (0 <= i <= n) has element [0], where n is 0, which is outside the extents of the type}}
func.func private @f(memref<?xf64, #loom.shape<"(i)[n] : (0 <= i <= n)">>)

// -----

// expected-error @+1 {{'m' is no input, output or symbol}}
func.func private @f(memref<?xf64, #loom.shape<"(i)[n] : (0 <= i < m)">>)

// -----

// expected-error @+1 {{the number of elements of the shape (i, j)[n, m] : (0 <= i <= n - 1, 0 <= j <= m - 1) does not tell it; give numbers for all extents}}
func.func private @f(memref<?x?xf64, #loom.shape<"(i, j)[n, m] : (0 <= i < n, 0 <= j < m)">>)

// -----

func.func @f(%a: memref<4xf64>) {
  // expected-error @+1 {{takes memory whose shape is a set, but 'memref<4xf64>' is not}}
  %p = loom.packed %a : memref<4xf64> to memref<4xf64>
  return
}

// -----

// As the encoding of a tensor (set-5).

// CHECK: @tensor(tensor<?x?xf64, #loom.shape<"(i, j)[n] : (i <= n - 1, 0 <= j <= i)">>)
func.func private @tensor(tensor<?x?xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>)

// -----

// expected-error @+1 {{axes 0 and 1 have one extent, 'n' of the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i); give both the same number, or '?'}}
func.func private @f(tensor<3x4xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>)

// -----

// expected-error @+1 {{axis 0 has extent 67108864; places of the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i) are computed in 64 bits for extents less than 67108864}}
func.func private @f(tensor<67108864x67108864xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>)

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
// CHECK-LABEL: @conversions(
// CHECK: loom.to_set symmetric %{{.*}} : tensor<?x?xf64> to tensor<?x?xf64, #loom.shape
// CHECK: loom.from_set zero %{{.*}} : tensor<?x?xf64, #loom.shape<{{.*}}>> to tensor<4x4xf64>
// CHECK: loom.set_elements %{{.*}} to tensor<?xf64>
func.func @conversions(%d: tensor<?x?xf64>) {
  %t = loom.to_set symmetric %d : tensor<?x?xf64> to tensor<?x?xf64, #lower>
  %e = loom.from_set zero %t : tensor<?x?xf64, #lower> to tensor<4x4xf64>
  %s = loom.set_elements %t : tensor<?x?xf64, #lower> to tensor<?xf64>
  return
}

// -----

#band = #loom.shape<"(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 1 <= j <= i + 1)">
func.func @wrong(%d: tensor<?x?xf64>) {
  // expected-error @+1 {{is symmetric, but the shape (i, j)[n] : (0 <= i <= n - 1, 0 <= j <= i + 1, i - 1 <= j <= n - 1) has elements on both sides of the diagonal, of which each would be twice; use a shape with one of them}}
  %0 = loom.to_set symmetric %d : tensor<?x?xf64> to tensor<?x?xf64, #band>
  return
}

// -----

func.func @wrong(%d: tensor<?x?xf64>) {
  // expected-error @+1 {{needs a tensor whose shape is a set, but 'tensor<?x?xf64>' is none; give it an encoding such as #loom.shape<...>}}
  %0 = loom.to_set zero %d : tensor<?x?xf64> to tensor<?x?xf64>
  return
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
func.func @wrong(%d: tensor<3x3xf64>) {
  // expected-error @+1 {{axis 0 has extent 4 of one and 3 of the other}}
  %0 = loom.to_set zero %d : tensor<3x3xf64> to tensor<4x4xf64, #lower>
  return
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
func.func @wrong(%t: tensor<?x?xf64, #lower>) {
  // expected-error @+1 {{leaves open what is not in the set; use 'zero' or 'symmetric'}}
  %0 = loom.from_set dropped %t : tensor<?x?xf64, #lower> to tensor<?x?xf64>
  return
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
func.func @wrong(%t: tensor<?x?xf64, #lower>) {
  // expected-error @+1 {{needs a dense tensor, but 'tensor<?x?xf64, #loom.shape<"(i, j)[n] : (i <= n - 1, 0 <= j <= i)">>' has an encoding}}
  %0 = loom.from_set zero %t : tensor<?x?xf64, #lower> to tensor<?x?xf64, #lower>
  return
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
func.func @wrong(%t: tensor<4x4xf64, #lower>) {
  // expected-error @+1 {{gives 'tensor<?xf64>', but the elements are 'tensor<10xf64>'}}
  %0 = loom.set_elements %t : tensor<4x4xf64, #lower> to tensor<?xf64>
  return
}
