module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %d = transform.loom.skew %i, %j by 1
    %d2, %i2 = transform.loom.interchange %i, %d to [1, 0]
    %d3 = transform.loom.parallelize %d2
    transform.yield
  }
}
