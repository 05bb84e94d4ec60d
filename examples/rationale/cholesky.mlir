// The Cholesky factor of a symmetric matrix of which memory has the lower
// triangle alone, in place: A = L L^T. An array of n (n + 1) / 2 elements is
// such memory. Where the matrix is not positive definite, elements become NaN.
//
// Blocks of 96 columns are factored one after another. Rows below a block are
// solved 48 at a time, and copied to dense panels by rows and by columns. What
// the block adds to the rest is a product of these, which a kernel computes in
// tiles of 768 x 96 that begin at the diagonal (mem-16): only the flag
// `contract` is needed for that.

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">

func.func @main(%a: memref<?x?xf64, #lower>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?x?xf64, #lower>
  %d = memref.alloc() : memref<96x96xf64>
  %p = memref.alloc(%n) : memref<96x?xf64>
  %rows = memref.alloc(%n) : memref<?x96xf64>
  %t = memref.alloc() : memref<96x48xf64>
  %s = memref.alloc() : memref<768x96xf64>
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
    affine.for %i = affine_map<(b) -> (b + 96)>(%b) to %n step 48 {
      affine.for %r = 0 to min affine_map<(i)[n] -> (48, n - i)>(%i)[%n] {
        affine.for %k = 0 to 96 {
          %x = affine.load %a[%i + %r, %b + %k] : memref<?x?xf64, #lower>
          affine.store %x, %t[%k, %r] : memref<96x48xf64>
        }
      }
      affine.for %k = 0 to 96 {
        %x = affine.vector_load %t[%k, 0] : memref<96x48xf64>, vector<48xf64>
        %y = affine.for %l = 0 to affine_map<(k) -> (k)>(%k) iter_args(%v = %x) -> vector<48xf64> {
          %u = affine.vector_load %t[%l, 0] : memref<96x48xf64>, vector<48xf64>
          %e = affine.load %d[%l, %k] : memref<96x96xf64>
          %f = vector.broadcast %e : f64 to vector<48xf64>
          %w = arith.mulf %u, %f fastmath<contract> : vector<48xf64>
          %z = arith.subf %v, %w fastmath<contract> : vector<48xf64>
          affine.yield %z : vector<48xf64>
        }
        %e = affine.load %d[%k, %k] : memref<96x96xf64>
        %f = vector.broadcast %e : f64 to vector<48xf64>
        %q = arith.divf %y, %f : vector<48xf64>
        affine.vector_store %q, %t[%k, 0] : memref<96x48xf64>, vector<48xf64>
      }
      affine.for %r = 0 to min affine_map<(i)[n] -> (48, n - i)>(%i)[%n] {
        affine.for %k = 0 to 96 {
          %x = affine.load %t[%k, %r] : memref<96x48xf64>
          affine.store %x, %a[%i + %r, %b + %k] : memref<?x?xf64, #lower>
          affine.store %x, %rows[%i + %r, %k] : memref<?x96xf64>
        }
      }
      affine.for %k = 0 to 96 {
        affine.for %r = 0 to min affine_map<(i)[n] -> (48, n - i)>(%i)[%n] {
          %x = affine.load %t[%k, %r] : memref<96x48xf64>
          affine.store %x, %p[%k, %i + %r] : memref<96x?xf64>
        }
      }
    }
    // What is left, from the diagonal on: of each product, the part that is in the triangle.
    affine.for %j = affine_map<(b) -> (b + 96)>(%b) to %n step 96 {
      affine.for %i = affine_map<(j) -> (j)>(%j) to %n step 768 {
        affine.for %r = 0 to min affine_map<(i)[n] -> (768, n - i)>(%i)[%n] {
          affine.for %c = 0 to min affine_map<(j)[n] -> (96, n - j)>(%j)[%n] {
            affine.store %zero, %s[%r, %c] : memref<768x96xf64>
            affine.for %k = 0 to 96 {
              %x = affine.load %rows[%i + %r, %k] : memref<?x96xf64>
              %y = affine.load %p[%k, %j + %c] : memref<96x?xf64>
              %z = affine.load %s[%r, %c] : memref<768x96xf64>
              %w = arith.mulf %x, %y fastmath<contract> : f64
              %v = arith.addf %z, %w fastmath<contract> : f64
              affine.store %v, %s[%r, %c] : memref<768x96xf64>
            }
          }
        }
        affine.for %r = 0 to min affine_map<(i)[n] -> (768, n - i)>(%i)[%n] {
          affine.for %c = 0 to min affine_map<(i, j, r)[n] -> (96, i + r - j + 1)>(%i, %j, %r)[%n] {
            %x = affine.load %a[%i + %r, %j + %c] : memref<?x?xf64, #lower>
            %y = affine.load %s[%r, %c] : memref<768x96xf64>
            %z = arith.subf %x, %y : f64
            affine.store %z, %a[%i + %r, %j + %c] : memref<?x?xf64, #lower>
          }
        }
      }
    }
  }
  memref.dealloc %d : memref<96x96xf64>
  memref.dealloc %p : memref<96x?xf64>
  memref.dealloc %rows : memref<?x96xf64>
  memref.dealloc %t : memref<96x48xf64>
  memref.dealloc %s : memref<768x96xf64>
  return
}
