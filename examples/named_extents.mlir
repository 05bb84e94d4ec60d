// Adds a mask to the scores of an attention. The extents have names, which the
// mask and the scores share: batch is at least 1, and seq a multiple of 8.
func.func @main(
    %scores: tensor<?x?x?xf32>
        {loom.extents = #loom.extents<[batch, seq, seq] where batch = 1 to ?, seq = 8 to 512 step 8>},
    %mask: tensor<?x?xf32> {loom.extents = #loom.extents<[seq, seq]>})
    -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %masked = tosa.add %scores, %mask : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %both = tosa.concat %scores, %masked {axis = 0 : i32}
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %masked, %both : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}
