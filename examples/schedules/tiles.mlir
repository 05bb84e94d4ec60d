module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j, %k = transform.loom.nest @gemm 0 : 3
    %i2, %k2, %j2 = transform.loom.interchange %i, %j, %k to [0, 2, 1]
    %tiles:6 = transform.loom.tile %i2, %k2, %j2 by [32, 64, 256]
    %rows, %rest = transform.loom.unroll_and_jam %tiles#3, %tiles#4, %tiles#5 by 4
    transform.yield
  }
}
