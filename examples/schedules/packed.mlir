module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j, %k = transform.loom.nest @gemm 0 : 3
    %j2, %k2, %i2 = transform.loom.interchange %i, %j, %k to [1, 2, 0]
    %tiles:4 = transform.loom.tile %j2, %k2 by [256, 128]
    %order:5 = transform.loom.interchange %tiles#0, %tiles#1, %tiles#2, %tiles#3, %i2 to [0, 1, 4, 3, 2]
    %packed = transform.loom.pack %order#2 of "b"
    %rows, %rest = transform.loom.unroll_and_jam %packed, %order#3, %order#4 by 4
    transform.yield
  }
}
