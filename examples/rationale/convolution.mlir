// A convolution of two dimensions with strides, padding, and dilated input and
// kernel: the integer set says which elements of the dilated input exist. The
// flags allow a kernel, which adds products in another order.
// (Rationale: "2D Convolution")

#domain = affine_set<(d0, d1)[S0, S1, S2, S3] :
  (d0 mod S0 == 0, d1 mod S1 == 0, d0 >= 0, d1 >= 0, S2 - d0 - 1 >= 0, S3 - d1 - 1 >= 0)>
#dilated = affine_map<(d0, d1)[S0, S1, S2] -> (d0 * S0 + d1 * S1 - S2)>
#undilated = affine_map<(d0)[S0] -> (d0 floordiv S0)>

// Input: batch, height, width, feature. Kernel: height, width, input's feature,
// output's feature. Output: batch, height, width, feature.
func.func @conv2d(%input: memref<?x?x?x?xf32>, %kernel: memref<?x?x?x?xf32>, %output: memref<?x?x?x?xf32>,
    %h_stride: index, %w_stride: index, %h_kernel_dilation: index, %w_kernel_dilation: index,
    %h_pad_low: index, %w_pad_low: index, %h_base_dilation: index, %w_base_dilation: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %batch = memref.dim %output, %c0 : memref<?x?x?x?xf32>
  %oh = memref.dim %output, %c1 : memref<?x?x?x?xf32>
  %ow = memref.dim %output, %c2 : memref<?x?x?x?xf32>
  %of = memref.dim %output, %c3 : memref<?x?x?x?xf32>
  %kh = memref.dim %kernel, %c0 : memref<?x?x?x?xf32>
  %kw = memref.dim %kernel, %c1 : memref<?x?x?x?xf32>
  %if = memref.dim %kernel, %c2 : memref<?x?x?x?xf32>
  %ih = memref.dim %input, %c1 : memref<?x?x?x?xf32>
  %iw = memref.dim %input, %c2 : memref<?x?x?x?xf32>
  %h_bound = arith.muli %ih, %h_base_dilation : index
  %w_bound = arith.muli %iw, %w_base_dilation : index
  affine.for %b = 0 to %batch {
    affine.for %y = 0 to %oh {
      affine.for %x = 0 to %ow {
        affine.for %o = 0 to %of {
          affine.for %i = 0 to %kh {
            affine.for %j = 0 to %kw {
              affine.for %c = 0 to %if {
                %dilated_h = affine.apply #dilated(%y, %i)[%h_stride, %h_kernel_dilation, %h_pad_low]
                %dilated_w = affine.apply #dilated(%x, %j)[%w_stride, %w_kernel_dilation, %w_pad_low]
                affine.if #domain(%dilated_h, %dilated_w)[%h_base_dilation, %w_base_dilation, %h_bound, %w_bound] {
                  %in_h = affine.apply #undilated(%dilated_h)[%h_base_dilation]
                  %in_w = affine.apply #undilated(%dilated_w)[%w_base_dilation]
                  %v = affine.load %input[%b, %in_h, %in_w, %c] : memref<?x?x?x?xf32>
                  %w = affine.load %kernel[%i, %j, %c, %o] : memref<?x?x?x?xf32>
                  %old = affine.load %output[%b, %y, %x, %o] : memref<?x?x?x?xf32>
                  %m = arith.mulf %v, %w fastmath<fast> : f32
                  %sum = arith.addf %old, %m fastmath<fast> : f32
                  affine.store %sum, %output[%b, %y, %x, %o] : memref<?x?x?x?xf32>
                }
              }
            }
          }
        }
      }
    }
  }
  return
}
