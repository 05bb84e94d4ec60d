// The Cholesky factor of a symmetric matrix of which memory has the lower
// triangle alone, in place: A = L L^T. An array of n (n + 1) / 2 elements is
// such memory. Where the matrix is not positive definite, elements become NaN.
//
// Blocks of 64 columns are factored one after another. Rows behind a block are
// copied to a dense panel, with a row for each column of the block, so that
// what is computed of them is contiguous.

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">

func.func @main(%a: memref<?x?xf64, #lower>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf64, #lower>
  %d = memref.alloc() : memref<64x64xf64>
  %p = memref.alloc(%n) : memref<64x?xf64>
  affine.for %b = 0 to %n step 64 {
    // The block on the diagonal, row by row.
    affine.for %k = 0 to min affine_map<(b)[n] -> (64, n - b)>(%b)[%n] {
      affine.for %l = 0 to affine_map<(k) -> (k)>(%k) {
        %x = affine.load %a[%b + %k, %b + %l] : memref<?x?xf64, #lower>
        %s = affine.for %m = 0 to affine_map<(l) -> (l)>(%l) iter_args(%r = %x) -> f64 {
          %u = affine.load %d[%k, %m] : memref<64x64xf64>
          %v = affine.load %d[%l, %m] : memref<64x64xf64>
          %w = arith.mulf %u, %v : f64
          %t = arith.subf %r, %w : f64
          affine.yield %t : f64
        }
        %y = affine.load %d[%l, %l] : memref<64x64xf64>
        %q = arith.divf %s, %y : f64
        affine.store %q, %d[%k, %l] : memref<64x64xf64>
        affine.store %q, %a[%b + %k, %b + %l] : memref<?x?xf64, #lower>
      }
      %x = affine.load %a[%b + %k, %b + %k] : memref<?x?xf64, #lower>
      %s = affine.for %m = 0 to affine_map<(k) -> (k)>(%k) iter_args(%r = %x) -> f64 {
        %u = affine.load %d[%k, %m] : memref<64x64xf64>
        %w = arith.mulf %u, %u : f64
        %t = arith.subf %r, %w : f64
        affine.yield %t : f64
      }
      %q = math.sqrt %s : f64
      affine.store %q, %d[%k, %k] : memref<64x64xf64>
      affine.store %q, %a[%b + %k, %b + %k] : memref<?x?xf64, #lower>
    }
    // The columns of the block below it. There are rows below full blocks alone.
    affine.for %i = affine_map<(b) -> (b + 64)>(%b) to %n {
      affine.for %k = 0 to 64 {
        %x = affine.load %a[%i, %b + %k] : memref<?x?xf64, #lower>
        affine.store %x, %p[%k, %i] : memref<64x?xf64>
      }
    }
    affine.for %k = 0 to 64 {
      affine.for %l = 0 to affine_map<(k) -> (k)>(%k) {
        affine.for %i = affine_map<(b) -> (b + 64)>(%b) to %n {
          %y = affine.load %d[%k, %l] : memref<64x64xf64>
          %u = affine.load %p[%l, %i] : memref<64x?xf64>
          %v = affine.load %p[%k, %i] : memref<64x?xf64>
          %w = arith.mulf %u, %y : f64
          %t = arith.subf %v, %w : f64
          affine.store %t, %p[%k, %i] : memref<64x?xf64>
        }
      }
      affine.for %i = affine_map<(b) -> (b + 64)>(%b) to %n {
        %y = affine.load %d[%k, %k] : memref<64x64xf64>
        %v = affine.load %p[%k, %i] : memref<64x?xf64>
        %q = arith.divf %v, %y : f64
        affine.store %q, %p[%k, %i] : memref<64x?xf64>
      }
    }
    affine.for %i = affine_map<(b) -> (b + 64)>(%b) to %n {
      affine.for %k = 0 to 64 {
        %x = affine.load %p[%k, %i] : memref<64x?xf64>
        affine.store %x, %a[%i, %b + %k] : memref<?x?xf64, #lower>
      }
    }
    // What is left: eight columns of the panel at a time.
    affine.for %i = affine_map<(b) -> (b + 64)>(%b) to %n {
      affine.for %k = 0 to 64 step 8 {
        %x0 = affine.load %p[%k, %i] : memref<64x?xf64>
        %x1 = affine.load %p[%k + 1, %i] : memref<64x?xf64>
        %x2 = affine.load %p[%k + 2, %i] : memref<64x?xf64>
        %x3 = affine.load %p[%k + 3, %i] : memref<64x?xf64>
        %x4 = affine.load %p[%k + 4, %i] : memref<64x?xf64>
        %x5 = affine.load %p[%k + 5, %i] : memref<64x?xf64>
        %x6 = affine.load %p[%k + 6, %i] : memref<64x?xf64>
        %x7 = affine.load %p[%k + 7, %i] : memref<64x?xf64>
        affine.for %j = affine_map<(b) -> (b + 64)>(%b) to affine_map<(i) -> (i + 1)>(%i) {
          %s0 = affine.load %a[%i, %j] : memref<?x?xf64, #lower>
          %y0 = affine.load %p[%k, %j] : memref<64x?xf64>
          %z0 = arith.mulf %x0, %y0 : f64
          %s1 = arith.subf %s0, %z0 : f64
          %y1 = affine.load %p[%k + 1, %j] : memref<64x?xf64>
          %z1 = arith.mulf %x1, %y1 : f64
          %s2 = arith.subf %s1, %z1 : f64
          %y2 = affine.load %p[%k + 2, %j] : memref<64x?xf64>
          %z2 = arith.mulf %x2, %y2 : f64
          %s3 = arith.subf %s2, %z2 : f64
          %y3 = affine.load %p[%k + 3, %j] : memref<64x?xf64>
          %z3 = arith.mulf %x3, %y3 : f64
          %s4 = arith.subf %s3, %z3 : f64
          %y4 = affine.load %p[%k + 4, %j] : memref<64x?xf64>
          %z4 = arith.mulf %x4, %y4 : f64
          %s5 = arith.subf %s4, %z4 : f64
          %y5 = affine.load %p[%k + 5, %j] : memref<64x?xf64>
          %z5 = arith.mulf %x5, %y5 : f64
          %s6 = arith.subf %s5, %z5 : f64
          %y6 = affine.load %p[%k + 6, %j] : memref<64x?xf64>
          %z6 = arith.mulf %x6, %y6 : f64
          %s7 = arith.subf %s6, %z6 : f64
          %y7 = affine.load %p[%k + 7, %j] : memref<64x?xf64>
          %z7 = arith.mulf %x7, %y7 : f64
          %s8 = arith.subf %s7, %z7 : f64
          affine.store %s8, %a[%i, %j] : memref<?x?xf64, #lower>
        }
      }
    }
  }
  memref.dealloc %d : memref<64x64xf64>
  memref.dealloc %p : memref<64x?xf64>
  return
}
