// The Cholesky factor of a symmetric matrix of which memory has the lower
// triangle alone, in place: A = L L^T. An array of n (n + 1) / 2 elements is
// such memory. Where the matrix is not positive definite, elements become NaN.
//
// Blocks of 96 columns are factored one after another. Rows below a block are
// solved 64 at a time, and copied to dense panels by rows and by columns. What
// the block adds to the rest is a product of these, which a kernel computes in
// tiles of 192 x 192 (mem-16): only the flag `contract` is needed for that. The
// panel by rows has 104 columns, so that its rows are in different sets of a
// cache.

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">

func.func @main(%a: memref<?x?xf64, #lower>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?x?xf64, #lower>
  %d = memref.alloc() : memref<96x96xf64>
  %p = memref.alloc(%n) : memref<96x?xf64>
  %rows = memref.alloc(%n) : memref<?x104xf64>
  %t = memref.alloc() : memref<96x64xf64>
  %s = memref.alloc() : memref<192x192xf64>
  affine.for %b = 0 to %n step 96 {
    // The block on the diagonal, by the columns of its transposition.
    affine.for %i = 0 to min affine_map<(b)[n] -> (96, n - b)>(%b)[%n] {
      affine.for %k = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %x = affine.load %a[%b + %i, %b + %k] : memref<?x?xf64, #lower>
        affine.store %x, %d[%k, %i] : memref<96x96xf64>
      }
    }
    affine.for %k = 0 to min affine_map<(b)[n] -> (96, n - b)>(%b)[%n] {
      %x = affine.load %d[%k, %k] : memref<96x96xf64>
      %q = math.sqrt %x : f64
      affine.store %q, %d[%k, %k] : memref<96x96xf64>
      affine.for %i = affine_map<(k) -> (k + 1)>(%k) to min affine_map<(b)[n] -> (96, n - b)>(%b)[%n] {
        %y = affine.load %d[%k, %i] : memref<96x96xf64>
        %z = arith.divf %y, %q : f64
        affine.store %z, %d[%k, %i] : memref<96x96xf64>
      }
      affine.for %l = affine_map<(k) -> (k + 1)>(%k) to min affine_map<(b)[n] -> (96, n - b)>(%b)[%n] {
        %y = affine.load %d[%k, %l] : memref<96x96xf64>
        affine.for %i = affine_map<(l) -> (l)>(%l) to min affine_map<(b)[n] -> (96, n - b)>(%b)[%n] {
          %u = affine.load %d[%k, %i] : memref<96x96xf64>
          %v = affine.load %d[%l, %i] : memref<96x96xf64>
          %w = arith.mulf %u, %y : f64
          %z = arith.subf %v, %w : f64
          affine.store %z, %d[%l, %i] : memref<96x96xf64>
        }
      }
    }
    affine.for %i = 0 to min affine_map<(b)[n] -> (96, n - b)>(%b)[%n] {
      affine.for %k = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %x = affine.load %d[%k, %i] : memref<96x96xf64>
        affine.store %x, %a[%b + %i, %b + %k] : memref<?x?xf64, #lower>
      }
    }
    // The columns of the block below it. There are rows below full blocks alone.
    affine.for %i = affine_map<(b) -> (b + 96)>(%b) to %n step 64 {
      affine.for %r = 0 to min affine_map<(i)[n] -> (64, n - i)>(%i)[%n] {
        affine.for %k = 0 to 96 {
          %x = affine.load %a[%i + %r, %b + %k] : memref<?x?xf64, #lower>
          affine.store %x, %t[%k, %r] : memref<96x64xf64>
        }
      }
      affine.for %k = 0 to 96 {
        %x = affine.vector_load %t[%k, 0] : memref<96x64xf64>, vector<64xf64>
        %y = affine.for %l = 0 to affine_map<(k) -> (k)>(%k) iter_args(%v = %x) -> vector<64xf64> {
          %u = affine.vector_load %t[%l, 0] : memref<96x64xf64>, vector<64xf64>
          %e = affine.load %d[%l, %k] : memref<96x96xf64>
          %f = vector.broadcast %e : f64 to vector<64xf64>
          %w = arith.mulf %u, %f : vector<64xf64>
          %z = arith.subf %v, %w : vector<64xf64>
          affine.yield %z : vector<64xf64>
        }
        %e = affine.load %d[%k, %k] : memref<96x96xf64>
        %f = vector.broadcast %e : f64 to vector<64xf64>
        %q = arith.divf %y, %f : vector<64xf64>
        affine.vector_store %q, %t[%k, 0] : memref<96x64xf64>, vector<64xf64>
      }
      affine.for %r = 0 to min affine_map<(i)[n] -> (64, n - i)>(%i)[%n] {
        affine.for %k = 0 to 96 {
          %x = affine.load %t[%k, %r] : memref<96x64xf64>
          affine.store %x, %a[%i + %r, %b + %k] : memref<?x?xf64, #lower>
          affine.store %x, %rows[%i + %r, %k] : memref<?x104xf64>
        }
      }
      affine.for %k = 0 to 96 {
        affine.for %r = 0 to min affine_map<(i)[n] -> (64, n - i)>(%i)[%n] {
          %x = affine.load %t[%k, %r] : memref<96x64xf64>
          affine.store %x, %p[%k, %i + %r] : memref<96x?xf64>
        }
      }
    }
    // What is left: of each product, the part that is in the triangle.
    affine.for %i = affine_map<(b) -> (b + 96)>(%b) to %n step 192 {
      affine.for %j = affine_map<(b) -> (b + 96)>(%b) to min affine_map<(i)[n] -> (i + 192, n)>(%i)[%n] step 192 {
        affine.for %r = 0 to min affine_map<(i)[n] -> (192, n - i)>(%i)[%n] {
          affine.for %c = 0 to min affine_map<(i, j)[n] -> (192, n - j, i + 192 - j)>(%i, %j)[%n] {
            affine.store %zero, %s[%r, %c] : memref<192x192xf64>
            affine.for %k = 0 to 96 {
              %x = affine.load %rows[%i + %r, %k] : memref<?x104xf64>
              %y = affine.load %p[%k, %j + %c] : memref<96x?xf64>
              %z = affine.load %s[%r, %c] : memref<192x192xf64>
              %w = arith.mulf %x, %y fastmath<contract> : f64
              %v = arith.addf %z, %w fastmath<contract> : f64
              affine.store %v, %s[%r, %c] : memref<192x192xf64>
            }
          }
        }
        affine.for %r = 0 to min affine_map<(i)[n] -> (192, n - i)>(%i)[%n] {
          affine.for %c = 0 to min affine_map<(i, j, r)[n] -> (192, i + r - j + 1)>(%i, %j, %r)[%n] {
            %x = affine.load %a[%i + %r, %j + %c] : memref<?x?xf64, #lower>
            %y = affine.load %s[%r, %c] : memref<192x192xf64>
            %z = arith.subf %x, %y : f64
            affine.store %z, %a[%i + %r, %j + %c] : memref<?x?xf64, #lower>
          }
        }
      }
    }
  }
  memref.dealloc %d : memref<96x96xf64>
  memref.dealloc %p : memref<96x?xf64>
  memref.dealloc %rows : memref<?x104xf64>
  memref.dealloc %t : memref<96x64xf64>
  memref.dealloc %s : memref<192x192xf64>
  return
}
