// The layout of memory whose shape is a set (set-1): its text, and what is
// refused.

// RUN: broadloom-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: @lower(memref<?x?xf64, #loom.shape<"(i, j)[n] : (i <= n - 1, 0 <= j <= i)">>)
func.func private @lower(memref<?x?xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>)

// -----

// CHECK: @numbers(memref<4x6xi8, #loom.shape<"(i, j)[n, m] : (i <= n - 1, 0 <= j <= i, j <= m - 1)">>)
func.func private @numbers(memref<4x6xi8, #loom.shape<"(i, j)[n, m] : (0 <= i < n, 0 <= j < m, j <= i)">>)

// -----

// expected-error @+1 {{memory cannot have the shape (i)[n] : (i <= n - 1), because 'i' has no lower bound}}
func.func private @f(memref<?xf64, #loom.shape<"(i)[n] : (i < n)">>)

// -----

// expected-error @+1 {{the shape (i)[n] : (0 <= i <= n) has element [0], where n is 0, which is outside the extents of the memory}}
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
