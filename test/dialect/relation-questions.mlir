// RUN: broadloom-opt %s --test-relations --verify-diagnostics

// Each function asks a question about relations.

// expected-remark @+1 {{(i) -> (a, b) : (a == (i + 1) floordiv 8, b == (i + 1) mod 8)}}
func.func private @compose() attributes {test.compose = [
  #loom.relation<"(i) -> (j) : (j == i + 1)">,
  #loom.relation<"(i) -> (a, b) : (a == i floordiv 8, b == i mod 8)">]}

// expected-remark @+1 {{unknown: the numbers of inputs and outputs do not fit}}
func.func private @wrong_arity() attributes {test.compose = [
  #loom.relation<"(i) -> (j, k) : (j == i + 1)">,
  #loom.relation<"(i) -> (j) : (j == i)">]}

// expected-remark @+1 {{(j) -> (i) : (i == j - 1)}}
func.func private @inverse() attributes {test.inverse = [
  #loom.relation<"(i) -> (j) : (j == i + 1)">]}

// expected-remark @+1 {{()[n] -> (i) : (0 <= i <= n - 1)}}
func.func private @domain() attributes {test.domain = [
  #loom.relation<"(i)[n] -> (j) : (j == 2*i, 0 <= i < n)">]}

// expected-remark @+1 {{()[n] -> (j) : (0 <= j <= 2*n - 2, j mod 2 == 0)}}
func.func private @range() attributes {test.range = [
  #loom.relation<"(i)[n] -> (j) : (j == 2*i, 0 <= i < n)">]}

// expected-remark @+1 {{() -> (i) : (0 <= i <= 4) or (7 <= i <= 9)}}
func.func private @union() attributes {test.union = [
  #loom.relation<"() -> (i) : (0 <= i < 5)">,
  #loom.relation<"() -> (i) : (7 <= i < 10)">]}

// expected-remark @+1 {{() -> (i) : (3 <= i <= 4)}}
func.func private @intersect() attributes {test.intersect = [
  #loom.relation<"() -> (i) : (0 <= i < 5)">,
  #loom.relation<"() -> (i) : (3 <= i < 10)">]}

// expected-remark @+1 {{() -> (i) : (0 <= i <= 9, i mod 2 == 1)}}
func.func private @subtract() attributes {test.subtract = [
  #loom.relation<"() -> (i) : (0 <= i < 10)">,
  #loom.relation<"() -> (i) : (i mod 2 == 0)">]}

// expected-remark @+1 {{() -> (r0) : (3 <= r0 <= 5)}}
func.func private @apply() attributes {test.apply = [
  #loom.relation<"() -> (i) : (3 <= i <= 4)">,
  #loom.relation<"(d0) -> (r0) : (d0 <= r0 <= d0 + 1)">]}

// expected-remark @+1 {{(i) -> (j) : (0 <= i, j == 2*i)}}
func.func private @project_out() attributes {test.name = "n", test.project_out = [
  #loom.relation<"(i)[n] -> (j) : (j == 2*i, 0 <= i < n)">]}

// expected-remark @+1 {{()[n] -> (i, j) : (1 <= n, i == 0, j == 0)}}
func.func private @minimum() attributes {test.minimum = [
  #loom.relation<"()[n] -> (i, j) : (0 <= i <= j < n)">]}

// expected-remark @+1 {{()[n] -> (i, j) : (1 <= n, i == n - 1, j == n - 1)}}
func.func private @maximum() attributes {test.maximum = [
  #loom.relation<"()[n] -> (i, j) : (0 <= i <= j < n)">]}

// expected-remark @+1 {{proved}}
func.func private @is_empty() attributes {test.is_empty = [
  #loom.relation<"() -> (i) : (false)">]}

// expected-remark @+1 {{refuted at 0, 0}}
func.func private @is_not_empty() attributes {test.is_empty = [
  #loom.relation<"(i) -> (j) : ()">]}

// expected-remark @+1 {{proved}}
func.func private @is_subset() attributes {test.is_subset = [
  #loom.relation<"()[n] -> (i) : (0 <= i < n)">,
  #loom.relation<"()[n] -> (i) : (0 <= i <= n)">]}

// expected-remark @+1 {{refuted at 0, 0}}
func.func private @is_no_subset() attributes {test.is_subset = [
  #loom.relation<"()[n] -> (i) : (0 <= i <= n)">,
  #loom.relation<"()[n] -> (i) : (0 <= i < n)">]}

// expected-remark @+1 {{proved}}
func.func private @is_equal() attributes {test.is_equal = [
  #loom.relation<"() -> (i) : exists (e) : (i == 2*e)">,
  #loom.relation<"() -> (i) : (i mod 4 == 0) or (i mod 4 == 2)">]}

// expected-remark @+1 {{5050}}
func.func private @count() attributes {test.values = array<i64: 100>, test.count = [
  #loom.relation<"()[n] -> (i, j) : (0 <= i <= j < n)">]}

// expected-remark @+1 {{unknown}}
func.func private @count_infinite() attributes {test.count = [
  #loom.relation<"() -> (i) : (0 <= i)">]}

// expected-error @+1 {{no question is test.double with 1 relations}}
func.func private @no_question() attributes {test.double = [
  #loom.relation<"() -> (i) : (0 <= i)">]}
