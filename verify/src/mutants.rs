//! Seeded bugs: wrong passes that a fuzzer must find. Each does to a program what a plausible mistake in a real pass would have done.
//!
//! No pipeline of the compiler contains any of them. `fun fuzz --mutant NAME` puts one behind the pass that it imitates.

mod arrays;
mod blocks;
mod branch;
mod buffers;
mod calls;
mod circuit;
mod control;
mod conversions;
mod copies;
mod counters;
mod device_products;
mod digits;
mod expansion;
mod fills;
mod fused;
mod fusion;
mod histograms;
pub mod hunt;
mod invariants;
mod iterations;
mod kernels;
mod lanes;
mod layouts;
mod locks;
mod lowered;
mod memory;
mod merging;
mod order;
mod ordered;
mod registers;
mod regrouping;
mod rewrite;
mod row_bodies;
mod scalar;
mod short_rows;
mod shuffles;
mod soac;
mod sorting;
mod stencils;
mod steps;
mod sweeps;
mod tail_calls;

use fun_passes::registry::Pass;

/// A seeded bug.
#[derive(Debug)]
pub struct Mutant {
    /// What the command line calls it.
    pub name: &'static str,
    /// The mistake, in a sentence.
    pub about: &'static str,
    /// The pass behind whose first run it stands; `None`: before all.
    pub after: Option<&'static str>,
    /// The wrong pass.
    pub pass: Pass,
}

const fn fun(
    after: Option<&'static str>,
    name: &'static str,
    about: &'static str,
    run: fn(::fun::ir::Program) -> ::fun::ir::Program,
) -> Mutant {
    Mutant { name, about, after, pass: Pass::on_fun(name, about, run) }
}

const fn funmem(
    name: &'static str,
    about: &'static str,
    run: fn(::funmem::ir::Program) -> ::funmem::ir::Program,
) -> Mutant {
    Mutant { name, about, after: Some("introduce-memory"), pass: Pass::on_funmem(name, about, run) }
}

const HOLE_FILLED_EARLY: &str =
    "a concatenation over what it is made from: other parts are put there before those move";
const SPARE_HOLDS_VALUE: &str =
    "what is made after a loop lies in the block of its value instead of the spare one";
const KEPT_IS_SPARE: &str = "where a branch keeps the present value, its block is given on as the spare one";

const fn circuits(
    name: &'static str,
    about: &'static str,
    run: fn(::funmem::ir::Program) -> ::funmem::ir::Program,
) -> Mutant {
    Mutant { name, about, after: Some("short-circuit"), pass: Pass::on_funmem(name, about, run) }
}

const fn imp(
    after: &'static str,
    name: &'static str,
    about: &'static str,
    run: fn(::imp::ir::Program) -> ::imp::ir::Program,
) -> Mutant {
    Mutant { name, about, after: Some(after), pass: Pass::on_imp(name, about, run) }
}

const LAST_TABLE: &str = "the last of the tables of a histogram's parts is not combined with the others";
const CHUNKS_OF_ONE: &str = "of each chunk of iterations that add to adjoints only the first adds";
const FIRST_VALUE: &str = "what a loop begins with is not combined with what its iterations add up";
const LEFT_ALONE: &str = "an iteration that leaves an array writes to its first element";
const ROWS_LEFT: &str = "rows that an iteration leaves as they are get zeros";
const COLLECTED_IN_VAIN: &str = "what is collected for the elements of an adjoint is not added to them";
const COLUMNS_BEGIN: &str = "reductions of columns begin with the neutral element of another operator";
const ROWS_IN_ONE_CELL: &str =
    "a histogram by the elements of rows has all of a row in the first of its cells";
const TURNED_BY_OTHER_SIZES: &str =
    "an array that is copied in another order for threads has strides from the wrong sizes";
const JOINED_ALIKE: &str = "reductions that are joined have the values of the first one";
const FIRST_ROW: &str = "what is computed from a reduction of each row has that of the first row";
const TURNED_BACK: &str = "an array in three or more dimensions is copied in the order that leads back";
const SQUARES_COPIED: &str =
    "dimensions of one size are taken for each other where an array is copied in another order";
const JOINED_SWAPPED: &str = "two maps that were joined give each other's results";
const JOINED_MIXED: &str = "the operands of two reductions that were joined change places";

const START: Option<&str> = Some("ad");
const SIMPLE: Option<&str> = Some("simplify");
const TAIL_CALLS: Option<&str> = Some("tail-calls");
const CSE: Option<&str> = Some("cse");
const UNPACKED: Option<&str> = Some("unpack-operators");
const KERNELS: Option<&str> = Some("soac-to-kernel");

/// All of them, in the order of the passes.
#[rustfmt::skip]
pub static MUTANTS: &[Mutant] = &[
    fun(None, "seeds-swapped", "two tangents or adjoints of a derivative change places", soac::seeds_swapped),
    fun(START, "division-truncates", "division of a signed number by a constant rounds to zero instead of down", scalar::division_truncates),
    fun(START, "modulo-is-remainder", "the modulus by a power of two has the sign of its operand", scalar::modulo_is_remainder),
    fun(START, "division-shifts-logically", "division by a power of two becomes a shift that loses the sign", scalar::division_shifts_logically),
    fun(START, "shift-forgets-sign", "a shift to the right by a constant shifts zeros into signed numbers", scalar::shift_forgets_the_sign),
    fun(START, "comparison-by-difference", "x < y becomes x - y < 0, which wraps", scalar::comparison_by_difference),
    fun(START, "unsigned-minimum-signed", "the minimum of unsigned numbers is computed as if they were signed", scalar::unsigned_minimum_is_signed),
    fun(START, "widening-forgets-sign", "conversion to a wider integer fills with zeros", scalar::widening_forgets_the_sign),
    fun(START, "conversions-collapse", "a conversion of a conversion becomes one, whatever is lost between", scalar::conversions_collapse),
    fun(START, "turned-forgets-equality", "an if on x < y is turned round to one on y < x", scalar::turned_comparison_forgets_equality),
    fun(START, "turned-forgets-nan", "an if on x < y of floats is turned round to one on x >= y", scalar::turned_comparison_forgets_nan),
    fun(START, "algebra-of-floats", "x - x = 0, x / x = 1 and 0 * x = 0 on floats, too", scalar::algebra_of_floats),
    fun(START, "comparison-by-negation", "x <= y of floats becomes !(x > y)", scalar::comparison_by_negation),
    fun(START, "negation-by-subtraction", "-x of floats becomes 0 - x, which is never -0", scalar::negation_by_subtraction),
    fun(START, "folding-saturates", "sums and products of constants are clamped instead of wrapped", scalar::constants_saturate),
    fun(START, "wide-shift-wraps", "a shift by more than the width shifts by what is left of it", scalar::wide_shift_wraps),
    fun(START, "absolute-by-complement", "|x| is computed as max(x, !x)", scalar::absolute_value_by_complement),
    fun(START, "modulo-of-modulo", "(x % m) % n becomes x % n although n does not divide m", scalar::modulo_of_modulo),
    fun(START, "slice-of-slice-offset", "the offset of a slice of a slice is not scaled by the outer stride", arrays::slice_of_slice_offset),
    fun(START, "slice-of-slice-stride", "the stride of a slice of a slice is the inner one", arrays::slice_of_slice_stride),
    fun(START, "negative-stride-lost", "a slice that goes backwards is made to go forwards", arrays::negative_stride_lost),
    fun(START, "slice-of-reverse", "a slice of a reversed array goes forwards over the same elements", arrays::slice_of_reverse_goes_forwards),
    fun(START, "reversals-cancel", "two reversals cancel even along different dimensions", arrays::reversals_cancel),
    fun(START, "index-of-reverse", "an element of an array reversed along an inner dimension is read where it was before", arrays::index_of_reverse),
    fun(START, "index-of-permute", "an index goes through a permutation of dimensions the wrong way", arrays::index_of_permute),
    fun(START, "flat-index-column-major", "an element of a flattened matrix is looked for in column-major order", arrays::index_of_flat_is_column_major),
    fun(START, "index-of-slice", "an element of a slice is read without the stride", arrays::index_of_slice_without_stride),
    fun(START, "index-of-replicate", "an element of a replicated row is read by the outer index", arrays::index_of_replicated_row),
    fun(START, "element-of-iota", "an element of an iota is computed without the step", arrays::element_of_iota_without_step),
    fun(START, "iota-start-step", "start and step of an iota change places", arrays::iota_start_and_step_swapped),
    fun(START, "literal-is-replicate", "an array literal whose first two rows are equal becomes a replicate", arrays::literal_is_replicate),
    fun(START, "full-slice-is-identity", "a slice with as many elements as the array is the array, whatever the stride", arrays::full_slice_is_identity),
    fun(START, "concat-of-concat", "a concatenation in a concatenation moves to its end", arrays::concat_of_concat_order),
    fun(START, "reshape-of-permute", "a reshape goes through a permutation", arrays::reshape_of_permute),
    fun(START, "update-without-stride", "an update of every other element writes neighbours", arrays::update_without_stride),
    fun(START, "flat-update-gaps", "a flat update writes rows that follow one another", arrays::flat_update_without_gaps),
    fun(START, "flat-slice-other-way", "the strides of the two outer dimensions of a flat slice change places", arrays::flat_slice_other_way),
    fun(START, "read-passes-update", "a read goes back past an update whose index is another variable", arrays::read_passes_update),
    fun(START, "branches-swapped", "an if on a negation loses the negation", control::branches_swapped),
    fun(START, "condition-in-both-arms", "the condition of an if is taken to be true in its second arm as well", control::condition_known_in_both_arms),
    fun(START, "equal-first-results", "an if whose first results are equal becomes its first arm", control::equal_first_results_end_branch),
    fun(START, "unrolling-drops-rest", "a loop unrolled by two loses the last of an odd number of iterations", control::unrolling_drops_the_rest),
    fun(START, "peeled-runs-twice", "a peeled iteration is run again", control::peeled_iteration_runs_twice),
    fun(START, "parameter-invariant", "a loop parameter that one arm of an if keeps is taken never to change", control::changing_parameter_is_invariant),
    fun(START, "variant-hoisted", "a scalar that depends on the iteration is computed before the loop", control::variant_statement_is_hoisted),
    fun(START, "loop-results-swapped", "two values that go to the next iteration change places", control::loop_results_swapped),
    fun(START, "parameters-in-sequence", "loop parameters are assigned one after the other: a later one sees the new value of an earlier", control::parameters_assigned_in_sequence),
    fun(START, "assertions-are-dead", "assertions are dropped as dead code", control::assertions_are_dead),
    fun(START, "assertions-sink", "assertions move below what they protect (Futhark #1930)", control::assertions_sink),
    fun(START, "unused-calls-are-dead", "a call, loop or branch without used results is dropped though it may stop the program", control::unused_calls_are_dead),
    fun(START, "neutral-is-zero", "the neutral element of a minimum or maximum is 0", soac::neutral_element_is_zero),
    fun(START, "neutrals-shared", "the neutral elements of a scan are all the first one", soac::neutral_elements_shared),
    fun(START, "map-results-swapped", "two results of a map change places", soac::map_results_swapped),
    fun(START, "unchanged-is-first", "a result of a map that is one of its inputs is taken to be the first one", soac::unchanged_is_first),
    fun(START, "hist-forgets-destination", "a histogram starts from its neutral element instead of the destination", soac::histogram_forgets_destination),
    fun(SIMPLE, "argument-passed-on", "an array that changes from call to call of a function by itself is taken to be passed on", tail_calls::changing_argument_is_passed_on),
    fun(SIMPLE, "narrowed-too-early", "a conversion to fewer bits goes to the operands of shifts and extremes, too", conversions::narrowed_too_early),
    fun(SIMPLE, "odd-number-halved", "the sum of an odd number of counters is half of what is no even number", counters::odd_number_is_halved),
    fun(SIMPLE, "sum-to-below-zero", "the sum of a loop's counters takes a bound below zero as it is", counters::sum_to_below_zero),
    fun(TAIL_CALLS, "end-sees-first", "what comes after a loop for tail calls sees the first values of its parameters", tail_calls::end_sees_first_parameters),
    fun(SIMPLE, "arguments-swapped", "two arguments of a call change places", control::arguments_swapped),
    fun(SIMPLE, "inlined-names-kept", "a body is inlined twice with the same names", control::inlined_names_are_kept),
    fun(CSE, "reads-across-update", "reads before and after an update are one", control::reads_shared_across_update),
    fun(CSE, "operands-sorted", "operands of operators that do not commute are sorted", control::operands_sorted),
    fun(CSE, "slices-without-index", "slices that differ in fixed indices are one", control::slices_shared_without_index),
    fun(CSE, "fresh-arrays-shared", "two fresh arrays become one, of which one is consumed", control::fresh_arrays_shared),
    fun(CSE, "shared-out-of-scope", "what a body computes is used after it", control::shared_out_of_scope),
    fun(CSE, "unary-confused", "unary operators on one operand are one", control::unary_operators_confused),
    fun(UNPACKED, "unpacked-swapped", "an operator on the scalars of small arrays gets its operands in the other order", soac::unpacked_operands_swapped),
    fun(UNPACKED, "lanes-alike", "two scalars of a small array are what an operator gives for the first of them", soac::lanes_alike),
    fun(KERNELS, "reduce-swapped", "the operands of a reduction change places", soac::reduction_operands_swapped),
    fun(KERNELS, "scan-swapped", "the operands of a scan change places", soac::scan_operands_swapped),
    fun(KERNELS, "space-order", "two counters of a kernel over a square space change places", soac::space_order_swapped),
    fun(KERNELS, "scatter-backwards", "a scatter runs backwards: the first write wins", soac::scatter_runs_backwards),
    fun(KERNELS, "reduced-dimension", "a reduction over the rows of a square matrix is one over its columns", soac::reduced_dimension_confused),
    fun(KERNELS, "last-not-reduced", "a fused reduction leaves out its last element", soac::last_element_not_reduced),
    fun(KERNELS, "fill-is-read", "dead stores: the loop reads what it overwrites", fills::reads_of_fill_forgotten),
    fun(KERNELS, "fill-outlasts", "dead stores: the loop writes fewer rows than there are", fills::rows_not_counted),
    fun(KERNELS, "fuse-forgets-consumption", "fusion: a map is computed after what it reads was changed", fusion::consumption_forgotten),
    fun(KERNELS, "fuse-forgets-assertions", "fusion: a map that may stop the program is computed where it is read", fusion::assertions_forgotten),
    fun(KERNELS, "fuse-forgets-slice", "fusion through a slice, whose offsets and strides are forgotten", fusion::slice_forgotten),
    fun(KERNELS, "fuse-forgets-reversal", "fusion through a reversal, which is forgotten", fusion::reversal_forgotten),
    fun(KERNELS, "fuse-forgets-permutation", "fusion through a permutation, which is forgotten", fusion::permutation_forgotten),
    fun(KERNELS, "fuse-forgets-shape", "fusion through a reshape of a map whose elements depend on where they are", fusion::shape_forgotten),
    fun(Some("settle-ties"), "tie-other-way", "of equal elements the one at the other end is taken", soac::tie_other_way),
    fun(Some("fuse"), "rotation-not-wrapped", "what comes behind the last element of a rotated array is not the first one", fusion::rotation_not_wrapped),
    fun(Some("fuse"), "parts-before-forgotten", "a kernel over a part of a concatenated array takes it for the first part", soac::parts_before_forgotten),
    fun(Some("fuse-epilogues"), "epilogue-of-elements", "what follows a scan is computed from each element instead of the sum up to it", soac::epilogue_of_elements),
    fun(Some("hoist-invariants"), "carried-as-first", "a sum of an array that a loop carries is one of what the array was at the start", invariants::carried_as_first),
    fun(START, "steps-believed", "what holds of the number that a loop begins with is believed of those that come after", invariants::steps_believed),
    fun(Some("interchange-loops"), "elements-begin-with-zero", "elements that go through all iterations by themselves begin with zero", invariants::elements_begin_with_zero),
    fun(Some("interchange-loops"), "number-stays", "a number that changes from one iteration to the next stays the same for an element", invariants::number_stays),
    fun(Some("early-reads"), "reads-beyond-branches", "what a branch reads is read in front of it, within bounds or not", arrays::reads_beyond_branches),
    fun(Some("save-slices"), "saved-slice-is-first", "what a loop saves of an array is that of its first iteration", arrays::saved_slice_is_the_first),
    funmem("initial-copy-forgotten", "a loop changes its initial value in place without a copy", copies::initial_value_not_copied),
    funmem("iteration-not-copied", "the result of an iteration stays in a block that the next one changes", copies::iteration_result_not_copied),
    funmem("function-gives-argument", "a function gives back its argument's block as its own (Futhark #2288)", copies::function_result_not_copied),
    funmem("update-value-not-copied", "a value is written over the array that it lies in (Futhark #2018)", copies::update_value_not_copied),
    funmem("argument-not-copied", "a function consumes what its caller still uses", copies::argument_not_copied),
    funmem("reshape-without-copy", "a reshape without an index function takes the array to be row-major (Futhark #1981: what an index function was made from is forgotten)", copies::reshape_without_copy),
    funmem("copy-of-live-array", "a copy is left out though its operand is still used, by other iterations too (the bug that Futhark #1981 uncovered)", copies::copy_of_live_array),
    funmem("offset-of-first-arm", "the offset that an if gives back is that of its first arm", copies::offset_of_first_arm),
    funmem("merge-forgets-aliases", "blocks are merged: names from branches and loops are forgotten (Futhark #1545)", merging::aliases_forgotten),
    funmem("merge-forgets-views", "blocks are merged: derived arrays are forgotten", merging::views_forgotten),
    funmem("merge-forgets-nested", "blocks are merged: uses inside branches and loops are forgotten", merging::nested_uses_forgotten),
    funmem("merge-forgets-results", "blocks are merged: that a body gives its block back is forgotten", merging::results_forgotten),
    funmem("merge-forgets-calls", "blocks are merged: arguments of calls are forgotten (Futhark #1755)", merging::arguments_forgotten),
    funmem("merge-one-late", "blocks are merged: the statement that writes the new one may read the old one", merging::last_use_one_late),
    funmem("merge-by-rank", "blocks are merged: sizes are equal when their ranks are", merging::rank_is_size),
    funmem("merge-by-count", "blocks are merged: the size of elements is forgotten", merging::element_size_forgotten),
    funmem("merge-off-by-one", "blocks are merged: one that is too small by one is large enough", merging::room_off_by_one),
    funmem("allocs-shared", "equal allocations are one, like equal expressions", merging::equal_allocations_shared),
    funmem("merge-next-iteration", "blocks are merged in a loop: that the next iteration reads again is forgotten", merging::next_iteration_forgotten),
    funmem("expansion-one-based", "memory expansion as printed in the paper: iterations count from 1", expansion::counted_from_one),
    funmem("expansion-offset", "memory expansion as printed in the paper: interleaved, the old offset is not scaled", expansion::offset_not_scaled),
    funmem("expansion-strides", "memory expansion: interleaved, the strides are not scaled", expansion::strides_not_scaled),
    funmem("expansion-inner-counter", "memory expansion: of several counters only the innermost counts", expansion::outer_counters_forgotten),
    funmem("expansion-room", "memory expansion: the allocation keeps its size", expansion::room_not_multiplied),
    funmem("expansion-swapped", "memory expansion: iterations are as far apart as they are many", expansion::size_and_count_swapped),
    funmem("expansion-forgotten", "an allocation is hoisted out of a kernel without expansion", expansion::hoisted_without_expansion),
    funmem("rows-in-first-row", "arrays of a kernel's body are built in the result, all in its first row", expansion::rows_built_in_first_row),
    funmem("rows-mirrored", "arrays of a kernel's body are built in the result, in the row as far from the end", expansion::rows_built_in_mirrored_row),
    funmem("layout-other-sizes", "another layout of a matrix, with strides from the wrong sizes", layouts::strides_of_other_sizes),
    funmem("circuit-over-read", "short-circuiting: the destination is read in between", circuit::over_a_read),
    funmem("circuit-before-made", "short-circuiting: the destination is made in between (Futhark #1927)", circuit::before_destination_is_made),
    funmem("circuit-before-check", "short-circuiting: bounds are checked in between (Futhark #1930)", circuit::before_bounds_are_checked),
    funmem("circuit-used-later", "short-circuiting: the array is used after the destination has changed", circuit::used_after_change),
    funmem("circuit-reordered", "short-circuiting in another order of statements: what reads a block comes behind what writes it", order::reads_behind_writes),
    funmem("circuit-dense", "short-circuiting: the strides of the part are forgotten", circuit::part_taken_as_dense),
    funmem("circuit-from-start", "short-circuiting: the offset of the part is forgotten", circuit::part_taken_from_start),
    funmem("circuit-concat-rows", "short-circuiting of a concatenation: offsets count rows", circuit::concat_offset_counts_rows),
    funmem("circuit-concat-overlap", "short-circuiting of a concatenation: every part begins at the first row", circuit::concat_parts_overlap),
    funmem("circuit-concat-early", "short-circuiting of a concatenation: parts begin one row early", circuit::concat_offset_off_by_one),
    funmem("circuit-arm-read", "short-circuiting through a branch: an arm reads the destination", branch::arm_reads_destination),
    funmem("circuit-behind-branch", "short-circuiting through a branch: the destination is read behind it", branch::destination_read_behind),
    funmem("circuit-arm-no-copy", "short-circuiting through a branch: an arm that must copy does not", branch::arm_does_not_copy),
    funmem("circuit-both-before", "short-circuiting through a branch: arrays made before it are built in one place", branch::both_made_before),
    circuits("call-over-argument", "a call is told to make its result over an argument that it reads", calls::over_an_argument),
    circuits("calls-in-one-block", "two calls are told one block although both results are used", calls::in_one_block),
    circuits("call-from-start", "a call is told the start of the block instead of an offset", calls::from_start),
    funmem("one-buffer", "one block for the array of every iteration, where it is still alive as the loop's parameter (Futhark #2084)", buffers::one_buffer_for_all_iterations),
    funmem("next-in-present", "the next value of a loop is made in the block of the present one", buffers::next_value_in_place_of_present),
    funmem("buffers-not-swapped", "two buffers that do not change places", buffers::buffers_not_swapped),
    funmem("initial-is-buffer", "the block of the initial value is one of two buffers", buffers::initial_value_is_a_buffer),
    Mutant {
        name: "hole-filled-early",
        about: HOLE_FILLED_EARLY,
        after: Some("in-place-loops"),
        pass: Pass::on_funmem("hole-filled-early", HOLE_FILLED_EARLY, buffers::hole_filled_early),
    },
    Mutant {
        name: "spare-holds-value",
        about: SPARE_HOLDS_VALUE,
        after: Some("double-buffer"),
        pass: Pass::on_funmem("spare-holds-value", SPARE_HOLDS_VALUE, buffers::spare_holds_the_value),
    },
    Mutant {
        name: "kept-is-spare",
        about: KEPT_IS_SPARE,
        after: Some("double-buffer"),
        pass: Pass::on_funmem("kept-is-spare", KEPT_IS_SPARE, buffers::kept_is_spare),
    },
    Mutant {
        name: "joined-results-swapped",
        about: JOINED_SWAPPED,
        after: Some("join-kernels"),
        pass: Pass::on_funmem("joined-results-swapped", JOINED_SWAPPED, merging::joined_results_swapped),
    },
    Mutant {
        name: "joined-operands-mixed",
        about: JOINED_MIXED,
        after: Some("join-kernels"),
        pass: Pass::on_funmem("joined-operands-mixed", JOINED_MIXED, merging::joined_operands_mixed),
    },
    imp("lower-to-imp", "offset-not-given", "an offset that an if gives back is missing in its second arm", lowered::offset_not_given_back),
    imp("lower-to-imp", "strides-not-given", "strides that an if gives back are missing in its second arm", lowered::strides_not_given_back),
    imp("lower-to-imp", "size-not-given", "a size that an if gives back is missing in its second arm", lowered::size_not_given_back),
    imp("lower-to-imp", "stale-size", "the size of an array that a loop makes longer stays the first one", lowered::stale_size),
    imp("lower-to-imp", "stale-offset", "the offset of an array of which a loop takes rows stays the first one", lowered::stale_offset),
    imp("lower-to-imp", "negative-index", "scatters do not test that an index is not negative", lowered::negative_index_not_tested),
    imp("lower-to-imp", "index-off-by-one", "scatters take the size itself to be an index", lowered::index_test_off_by_one),
    imp("lower-to-imp", "scatter-parallel", "scatters and histograms run in parallel", lowered::scatter_in_parallel),
    imp("lower-to-imp", "loop-parallel", "a loop that changes an array in place runs in parallel", lowered::sequential_loop_in_parallel),
    imp("lower-to-imp", "last-partial-lost", "the partial result of the last chunk of a reduction is lost", lowered::last_partial_result_lost),
    imp("lower-to-imp", "last-not-filled", "the last cell of an array is not filled", lowered::last_cell_not_filled),
    imp("lower-to-imp", "offset-loses-term", "an offset loses its last term", lowered::offset_loses_a_term),
    imp("lower-to-imp", "strides-transposed", "the strides of a square matrix change places", lowered::strides_transposed),
    imp("lower-to-imp", "stride-from-wrong-size", "the stride of rows is their number instead of their length", lowered::stride_from_wrong_size),
    imp("lower-to-imp", "scan-exclusive", "a scan leaves out the element itself", lowered::scan_is_exclusive),
    imp("lower-to-imp", "all-write-first", "all iterations of a parallel loop write the first row", lowered::all_write_first_row),
    imp("lower-to-imp", "next-row-written", "iterations of a parallel loop write the row of the next", lowered::next_row_written),
    imp("lower-to-imp", "indices-swapped", "the two indices of a read change places", lowered::indices_swapped),
    imp("lower-to-imp", "freed-before-views", "a block is freed though views of it are still used", lowered::freed_before_views),
    imp("lower-to-imp", "freed-before-nested", "a block is freed before the branch or loop that uses it", lowered::freed_before_nested_use),
    imp("lower-to-imp", "branch-does-not-share", "a branch gives a block back without owning it", lowered::branch_does_not_share),
    imp("lower-to-imp", "old-block-not-freed", "the block of the iteration before is not freed", lowered::old_block_not_freed),
    imp("lower-to-imp-small", "groups-before-forgotten", "pieces of a scan forget what comes before them", lowered::pieces_not_finished),
    imp("lower-to-imp-small", "piece-begins-anew", "a piece of a scan of integers forgets what comes before it", lowered::piece_begins_anew),
    imp("lower-to-imp-small", "last-piece-forgotten", "the last piece of each group of a scan is left out", lowered::last_piece_left_out),
    imp("lower-to-imp-small", "joint-lanes-start-with-zero", "lanes of values that are combined together start with 0", lanes::joint_lanes_start_with_zero),
    imp("lower-to-imp-small", "lane-values-mixed", "where two lanes are combined, only the first of their values is the other's", lanes::lane_values_mixed),
    imp("lower-to-imp-small", "reduced-backwards", "a reduction takes its values in another order though its operator does not commute", lanes::reduced_backwards),
    imp("pair-blocks", "parts-at-one-place", "all parts of a joined block begin where the first does", blocks::parts_at_one_place),
    imp("pair-blocks", "places-kept", "what took turns with another stays where it is", blocks::places_kept),
    imp("hoist-blocks", "never-grows", "a block that a thread keeps is as large as its first iteration wants it", blocks::never_grows),
    imp("stack-blocks", "shared-on-stack", "a shared block is put on the stack", blocks::shared_block_on_stack),
    imp("lower-to-imp", "freed-in-each", "a block that leaves a loop is still freed in each iteration", blocks::freed_in_each_iteration),
    imp("simplify-imp", "read-past-write", "a read moves past a write to where it is used", registers::read_moves_past_write),
    imp("simplify-imp", "saved-is-variable", "a saved value is replaced by the variable that changes", registers::saved_value_is_variable),
    imp("simplify-imp", "read-hoisted", "a read is hoisted out of a loop that writes there", registers::read_hoisted_out_of_loop),
    imp("simplify-imp", "first-value-once", "an accumulator is set before the outer loop instead of in it", registers::first_value_set_once),
    imp("simplify-imp", "minimum-forgotten", "the minimum with a constant is taken to be known", registers::minimum_forgotten),
    imp("simplify-imp", "selection-swapped", "a selection by a negation loses the negation", registers::selection_swapped),
    imp("simplify-imp", "store-dropped", "a store is dead when another to the same array follows", registers::store_before_store_dropped),
    imp("simplify-imp", "loop-of-two", "a loop of two iterations is replaced by its body", registers::loop_of_two_runs_once),
    imp("simplify-imp", "guard-dropped", "the guard of a branch whose second arm is a default is taken to hold", registers::guard_dropped),
    imp("inner-threads-folds-small", "few-are-one", "of few iterations whose loops threads share only the first one runs", regrouping::few_are_one),
    imp("inner-threads-folds-small", "shared-rest-lost", "what is behind the last whole part of a reduction that threads share is left out", regrouping::shared_rest_lost),
    imp("inner-threads-folds-small", "shared-sum-again", "each part of a reduction that threads share begins with what came before all of them", regrouping::shared_sum_again),
    imp("fuse-folds", "last-of-fused-map-lost", "a map in the iterations of a reduction has one element less", fused::last_lost),
    imp("fuse-folds", "fused-over-old-value", "a reduction has of a cell what was there before the map in its iterations wrote it", fused::old_value),
    imp("fuse-folds", "fused-over-reads", "a map goes to the reduction behind it, over whatever stands between", fused::over_reads),
    imp("split-folds-small", "fused-in-first-chunk", "a map in the chunks of a reduction writes the elements of the first one", fused::in_first_chunk),
    imp("split-folds-small", "lanes-rest-lost", "a reduction with lanes forgets what does not fill them", regrouping::rest_of_lanes_lost),
    imp("split-folds-small", "lanes-start-with-zero", "lanes of products and minima start with 0 too", regrouping::lanes_start_with_zero),
    imp("split-folds-small", "counts-of-last-part", "what lanes counted before their counters began again is forgotten", regrouping::counts_of_last_part),
    imp("split-folds-small", "lanes-share-first", "of the last two lanes the first is combined twice", regrouping::lanes_share_first),
    imp("split-histograms-small", "parts-start-with-zero", "parts of products and minima start with 0 too", regrouping::parts_start_with_zero),
    imp("split-histograms-small", "first-part-for-all", "the first part of a histogram stands for all of them", regrouping::first_part_for_all),
    imp("split-histograms-small", "parts-overlap", "a part of a histogram begins an element before its share", regrouping::parts_overlap),
    imp("split-histograms-small", "parts-in-one-place", "all parts of a histogram are the first", regrouping::parts_in_one_place),
    imp("split-nests", "nest-begins-early", "the middle of a nest with walls begins an iteration too early", regrouping::middle_begins_early),
    imp("split-rims", "middle-begins-early", "the middle of a loop with a rim begins an iteration too early", regrouping::middle_begins_early),
    imp("split-rims", "some-lanes-in-middle", "lanes of which some are in the middle run as if all were", regrouping::some_lanes_in_middle),
    imp("unswitch-loops", "decided-otherwise", "what decides for one arm in all iterations decides for it where it does not", regrouping::decided_otherwise),
    imp("split-rims", "rim-behind-forgotten", "the iterations behind the middle are those before it", regrouping::rim_behind_forgotten),
    imp("unroll-loops", "last-written-out-again", "the last iteration that is written out has the counter of the one before", regrouping::last_written_out_again),
    imp("convert-branches", "other-way-chosen", "a branch that became a choice goes the other way", regrouping::other_way_chosen),
    imp("convert-branches", "assigned-both-ways", "what one way of a branch leaves alone is assigned on both", regrouping::assigned_both_ways),
    imp("fuse-loops", "copied-first", "what an iteration copies for itself is the first element of all", fused::copied_first),
    imp("fuse-loops", "behind-anything", "a loop behind a nest with as many iterations runs at the end of these, whatever both touch", fused::behind_anything),
    imp("pair-steps", "last-step-lost", "of steps that are taken several at a time those that are left are forgotten", steps::last_step_lost),
    imp("pair-steps", "same-step-twice", "the second step of each round is the first one", steps::same_step_twice),
    imp("pair-steps", "first-row-forgotten", "what the second step of a round starts from is as it was before the first", steps::first_row_forgotten),
    imp("pair-steps", "early-rows-forgotten", "rows that later steps of a round start from are as they were before the round", steps::early_rows_forgotten),
    imp("strip-steps-small", "strips-alike", "every strip of elements has those of the first", steps::strips_alike),
    imp("strip-steps-small", "last-strip-whole", "the last strip of elements is taken to be whole", steps::last_strip_whole),
    imp("tile-steps-small", "steps-side-by-side", "steps that are computed a row of each in turn compute the same row, before those next to it are there", steps::steps_side_by_side),
    imp("tile-steps-small", "pieces-not-shrunk", "pieces of steps also compute rows that need those of other pieces", steps::pieces_not_shrunk),
    imp("tile-steps-small", "second-phase-forgotten", "the rows of steps that lie between two pieces are not computed", steps::second_phase_forgotten),
    imp("fill-vectors-small", "last-vector-early", "the last vector of a row begins an element too early", regrouping::last_vector_early),
    imp("carry-cells", "carried-cell-stays", "what is carried from iteration to iteration stays what it was in the first", regrouping::carried_cell_stays),
    imp("carry-cells", "carried-from-zero", "what is carried from iteration to iteration begins with zero", regrouping::carried_cell_begins_with_zero),
    imp("drop-dead-cells", "live-row-dropped", "the row above those that a sweep writes is not computed either", sweeps::live_row_dropped),
    imp("short-rows-small", "last-cell-lost", "the one loop that short rows become leaves out the last cell", short_rows::last_cell_lost),
    imp("short-rows-small", "short-row-ends-early", "a short row that runs in order ends before its last element", short_rows::short_row_ends_early),
    imp("spread-lanes-small", "lanes-in-one-cell", "what a lane keeps goes to the cell of the first one", lanes::lanes_in_one_cell),
    imp("spread-lanes-small", "last-column-lost", "where all columns are lanes, rows end before the last one", lanes::last_column_lost),
    imp("spread-lanes-small", "lanes-in-one-block", "all lanes have the block of the first one", lanes::lanes_in_one_block),
    imp("spread-lanes-small", "lanes-beyond-the-end", "the last round has all lanes", lanes::lanes_beyond_the_end),
    imp("spread-lanes-small", "rounds-alike", "every round of lanes has the iterations of the first", lanes::rounds_alike),
    imp("spread-lanes-small", "done-lanes-go-on", "a lane that is done with a while loop goes on with it", lanes::done_lanes_go_on),
    imp("spread-lanes-small", "last-lane-decides", "lanes end a while loop when the last of them is done", lanes::last_lane_decides),
    imp("spread-lanes-small", "failure-forgotten", "that an assertion does not hold in a lane goes unnoticed", lanes::failure_forgotten),
    imp("spread-lanes-small", "done-lanes-read", "a lane that is done with a while loop reads what it would read next", lanes::done_lanes_read),
    imp("spread-lanes-small", "last-lanes-forgotten", "the last lanes that go on with a while loop do not finish it", lanes::last_lanes_forgotten),
    imp("delinearize-small", "last-row-lost", "a last row that is not full is left out", digits::last_row_lost),
    imp("delinearize-small", "window-cut", "the last row of a window is left out", digits::window_cut),
    imp("delinearize-small", "last-row-full", "the last row has as many columns as the others", lanes::lanes_beyond_the_end),
    imp("butterflies-small", "aligned-anyway", "blocks in which cells come in another order are taken for neighbours", digits::aligned_anyway),
    imp("butterflies-small", "rest-lost", "the iterations that fill no block are left out", digits::rest_lost),
    imp("butterflies-small", "first-cell-asked", "whether the cells of a block are there is asked for the first one alone", digits::first_cell_asked),
    imp("spread-lanes-small", "rows-not-copied-back", "rows that iterations change in blocks of their own stay in the array as they were", lanes::rows_not_copied_back),
    imp("spread-lanes-small", "rows-not-copied-in", "rows that iterations change in blocks of their own are not copied there first", lanes::rows_not_copied_in),
    imp("spread-lanes-small", "rows-of-first-lane", "the blocks of all lanes begin with the row of the first", lanes::rows_of_first_lane),
    imp("spread-lanes-small", "rows-apart-alike", "what lanes write of rows that lie apart is that of the first", lanes::rows_apart_alike),
    imp("tile-sweeps-small", "diagonals-at-once", "tiles of a sweep run at once with those of the next anti-diagonal", sweeps::diagonals_at_once),
    imp("tile-sweeps-small", "tile-columns-alike", "every tile of a sweep has the columns of the first", sweeps::tile_columns_alike),
    imp("jam-sweeps-small", "rows-not-behind", "all rows of a group of a sweep are at the same column", sweeps::rows_not_behind),
    imp("jam-sweeps-small", "last-stays", "what a row of a group of a sweep computed in the step before stays what it was before the first", sweeps::last_stays),
    imp("jam-sweeps-small", "last-corner-forgotten", "the columns that rows of a group of a sweep have left when the first row ends are forgotten", sweeps::last_corner_forgotten),
    imp("jam-sweeps-small", "first-row-as-others", "the first row of a sweep, for which there are branches, runs as those in the middle", sweeps::first_row_as_others),
    imp("tile-products-small", "tile-edge-written", "tiles at the edge write beyond it", regrouping::edge_not_guarded),
    imp("tile-products-small", "tile-edge-read", "tiles at the edge read beyond it", regrouping::edge_not_clamped),
    imp("tile-products-small", "strips-all-whole", "the last strip of columns is packed as if it were whole", regrouping::strips_all_whole),
    imp("tile-products-small", "tile-rows-alike", "every row of a tile is computed from the first", regrouping::rows_of_tile_alike),
    Mutant {
        name: "columns-begin-with-zero",
        about: COLUMNS_BEGIN,
        after: Some("element-reductions"),
        pass: Pass::on_fun("columns-begin-with-zero", COLUMNS_BEGIN, soac::columns_begin_with_zero),
    },
    Mutant {
        name: "chunks-of-one",
        about: CHUNKS_OF_ONE,
        after: Some("ad-small"),
        pass: Pass::on_fun("chunks-of-one", CHUNKS_OF_ONE, soac::chunks_of_one),
    },
    Mutant {
        name: "collected-in-vain",
        about: COLLECTED_IN_VAIN,
        after: Some("ad-device-small"),
        pass: Pass::on_fun("collected-in-vain", COLLECTED_IN_VAIN, soac::collected_in_vain),
    },
    Mutant {
        name: "first-value-forgotten",
        about: FIRST_VALUE,
        after: Some("map-loops"),
        pass: Pass::on_fun("first-value-forgotten", FIRST_VALUE, soac::first_value_forgotten),
    },
    Mutant {
        name: "left-alone-is-first",
        about: LEFT_ALONE,
        after: Some("map-loops-device"),
        pass: Pass::on_fun("left-alone-is-first", LEFT_ALONE, soac::left_alone_is_first),
    },
    Mutant {
        name: "rows-left-are-zero",
        about: ROWS_LEFT,
        after: Some("map-loops"),
        pass: Pass::on_fun("rows-left-are-zero", ROWS_LEFT, soac::rows_left_are_zero),
    },
    Mutant {
        name: "last-table-forgotten",
        about: LAST_TABLE,
        after: Some("part-histograms-small"),
        pass: Pass::on_fun("last-table-forgotten", LAST_TABLE, soac::last_table_forgotten),
    },
    Mutant {
        name: "rows-in-one-cell",
        about: ROWS_IN_ONE_CELL,
        after: Some("element-operators"),
        pass: Pass::on_fun("rows-in-one-cell", ROWS_IN_ONE_CELL, soac::rows_in_one_cell),
    },
    Mutant {
        name: "joined-alike",
        about: JOINED_ALIKE,
        after: Some("join-reductions"),
        pass: Pass::on_fun("joined-alike", JOINED_ALIKE, soac::joined_alike),
    },
    Mutant {
        name: "first-row-for-all",
        about: FIRST_ROW,
        after: Some("merge-rows"),
        pass: Pass::on_fun("first-row-for-all", FIRST_ROW, soac::first_row_for_all),
    },
    fun(Some("merge-rows"), "histograms-of-first-row", "histograms of all rows count in the cells of the first", soac::histograms_of_first_row),
    Mutant {
        name: "turned-back",
        about: TURNED_BACK,
        after: Some("copy-maps"),
        pass: Pass::on_fun("turned-back", TURNED_BACK, soac::turned_back),
    },
    Mutant {
        name: "squares-copied",
        about: SQUARES_COPIED,
        after: Some("copy-maps"),
        pass: Pass::on_fun("squares-copied", SQUARES_COPIED, soac::squares_copied),
    },
    Mutant {
        name: "turned-by-other-sizes",
        about: TURNED_BY_OTHER_SIZES,
        after: Some("turn-arrays"),
        pass: Pass::on_funmem("turned-by-other-sizes", TURNED_BY_OTHER_SIZES, layouts::turned_by_other_sizes),
    },
    imp("tile-kernels-small", "tile-not-awaited", "the threads of a block use a tile before all of them have filled it", device_products::tile_not_awaited),
    imp("tile-kernels-small", "tile-halves-alike", "the next tile goes where other threads still read the present one", device_products::tile_halves_alike),
    imp("tile-kernels-small", "next-tile-alike", "the next tile is the present one once more", device_products::next_tile_alike),
    imp("tile-kernels-small", "first-tile-forgotten", "the threads of a block compute with a first tile that nobody has read", device_products::first_tile_forgotten),
    imp("tile-kernels-small", "tile-rest-counted", "the last tile of inner indices is counted in full", device_products::tile_rest_counted),
    imp("tile-kernels-small", "products-alike", "the blocks of all products of a batch compute the first", device_products::products_alike),
    imp("tile-kernels-small", "tile-ends-written", "tiles of a device at the right edge write beyond it", device_products::tile_ends_written),
    imp("tile-stencils-small", "rim-not-awaited", "the threads of a block use the tile of a stencil before all of them have read it", stencils::rim_not_awaited),
    imp("tile-stencils-small", "rim-too-narrow", "the tile of a stencil lacks the last cells of its rim", stencils::rim_too_narrow),
    imp("tile-stencils-small", "rim-at-the-start", "the tile of a stencil begins where what is computed from it does", stencils::rim_at_the_start),
    imp("tile-stencils-small", "stencil-ends-written", "tiles of a stencil at the edges write beyond them", stencils::stencil_ends_written),
    imp("sweep-kernels-small", "sweep-not-skewed", "the threads of a block that sweeps over a matrix do not keep behind those above them", kernels::sweep_not_skewed),
    imp("iteration-blocks-small", "iterations-overlap", "the arrays of iterations that are blocks' begin a cell after one another", iterations::iterations_overlap),
    imp("iteration-blocks-small", "iteration-not-awaited", "the threads that share an iteration do what comes next without waiting for one another", iterations::iteration_not_awaited),
    imp("iteration-blocks-small", "last-points-forgotten", "the threads that share an iteration leave out the points behind the last full round", iterations::last_points_forgotten),
    imp("iteration-blocks-small", "first-not-told", "what the first of the threads that share an iteration finds out the others never get to know", iterations::first_not_told),
    imp("kernels-small", "tail-not-guarded", "threads beyond the last iteration have one too", kernels::tail_not_guarded),
    imp("kernels-small", "wrapped-late", "remainders of places beside a point that became comparisons begin again one place too late", kernels::wrapped_late),
    imp("kernels-small", "points-not-all-there", "a thread that has several iterations has all of them if there is the first", kernels::points_not_all_there),
    imp("kernels-small", "rows-forgotten", "in a nest of loops that became one, the inner index does not begin again with each row", kernels::rows_forgotten),
    imp("kernels-small", "expansion-not-strided", "the arrays of threads lie in each other", kernels::expansion_not_strided),
    imp("kernels-resident", "arguments-freed", "an entry point of a library for devices frees the blocks of its arguments", kernels::arguments_freed),
    imp("keep-scalars", "kept-scalar-stays", "a scalar that stays on the device keeps the value from before a loop", kernels::kept_scalar_stays),
    imp("keep-scalars", "kept-in-one-cell", "scalars of one type that stay on the device share a cell", kernels::kept_in_one_cell),
    imp("lower-to-device-small", "last-round-left-out", "the values of a histogram are not sorted by the highest bits of their cells", sorting::last_round_left_out),
    imp("lower-to-device-small", "cells-run-on", "what the sorted values of a cell are in all includes the cells before it", sorting::cells_run_on),
    imp("lower-to-device-small", "barrier-missing", "the threads of a block combine the lanes of short rows without waiting for one another", kernels::barrier_missing),
    imp("lower-to-device-small", "shuffled-wrong-way", "threads of a block get what the one on the other side of their group has", shuffles::wrong_way),
    imp("lower-to-device-small", "groups-not-awaited", "a thread uses what the groups of its block have in all before they have told", shuffles::not_awaited),
    imp("lower-to-device-small", "last-group-forgotten", "what the last group of a block has in all is left out", shuffles::last_group_forgotten),
    imp("lower-to-device-small", "rows-run-on", "where short rows share a block, the last lane of a row is combined with what lies behind it", kernels::rows_run_on),
    imp("lower-to-device-small", "rows-not-parted", "where short rows share a block, a scan goes on from a row to the next", kernels::rows_not_parted),
    imp("lower-to-device-small", "values-not-strided", "of a reduction threads take neighbouring values, but begin next to each other", kernels::values_not_strided),
    imp("lower-to-device-small", "pieces-in-one-cell", "where a reduction is cut into pieces, the results of all pieces go to the cell of the first", kernels::pieces_in_one_cell),
    imp("lower-to-device-small", "blocks-before-forgotten", "in a scan blocks forget what the blocks before them have in all", kernels::blocks_before_forgotten),
    imp("lower-to-device-small", "own-part-told", "a block of a scan is told what lies up to its own end, and not before it", ordered::own_part_too),
    imp("lower-to-device-small", "told-before-value", "what a block of a scan has is told before that is written", ordered::before_values),
    imp("lower-to-device-small", "not-handed-on", "what lies before a block of a scan is not handed on to those behind it", ordered::not_handed_on),
    imp("lower-to-device-small", "words-not-zero", "words of the blocks of a scan are not set to zero before", ordered::words_not_zero),
    imp("lower-to-device-small", "tiles-before-forgotten", "in a scan the tiles of a block forget what the tiles before them have in all", kernels::tiles_before_forgotten),
    imp("lower-to-device-small", "row-not-awaited", "the threads of a block read what others put into an array of their row without waiting for them", row_bodies::not_awaited),
    imp("lower-to-device-small", "row-tail-not-guarded", "all threads of a block that works on a row have as many values of it as the first", row_bodies::tail_not_guarded),
    imp("lower-to-device-small", "row-blocks-alike", "the blocks of all rows work on the first", row_bodies::rows_alike),
    imp("lower-to-device-small", "row-scalar-not-told", "what a reduction of a row gives, the first thread of its block alone gets to know", row_bodies::scalar_not_told),
    imp("lower-to-device-small", "row-place-stays", "in a loop of a row an array that should lie elsewhere in each iteration stays where it was", row_bodies::place_stays),
    imp("lower-to-device-small", "tables-shared", "all threads of a histogram count in one table", kernels::tables_shared),
    imp("lower-to-device-small", "own-tables-shared", "threads that have tables in shared memory all count in the first", histograms::own_tables_shared),
    imp("lower-to-device-small", "batch-alike", "of the values that a thread finds for its table all are the first", histograms::batch_alike),
    imp("lower-to-device-small", "quotient-not-carried", "quotients of a counter are carried without what remainders carry", histograms::quotient_not_carried),
    imp("lower-to-device-small", "exponents-alike", "floats are added as integers as if all had the exponent of the greatest", histograms::exponents_alike),
    imp("lower-to-device-small", "last-not-asked", "all values of a scatter write, and not only the last one of a cell", kernels::last_not_asked),
    imp("lower-to-device-small", "last-not-emptied", "a scatter's cells for the numbers of values begin with that of the second", kernels::last_not_emptied),
    imp("lower-to-device-small", "atomics-written", "the threads of a histogram write what they should combine", kernels::atomics_written),
    imp("lower-to-device-small", "lock-forgotten", "the threads of a histogram combine several values at once without a lock", locks::forgotten),
    imp("lower-to-device-small", "wrong-lock", "threads of a histogram take different locks for a cell", locks::of_thread),
    imp("lower-to-device-small", "sums-carry", "a sum of bytes or of numbers of 16 bits is one of the word that they lie in", kernels::sums_carry),
    imp("simplify-imp", "negative-constant", "x + c with a negative constant becomes x - c", registers::negative_constant_subtracted),
];

/// The mutant of this name.
pub fn find(name: &str) -> Option<&'static Mutant> {
    MUTANTS.iter().find(|mutant| mutant.name == name)
}

impl Mutant {
    /// The passes with the mutant among them.
    pub fn splice(&'static self, passes: &[&'static Pass]) -> Vec<&'static Pass> {
        let mut spliced = passes.to_vec();
        if let Some(place) = self.place(passes) {
            spliced.insert(place, &self.pass);
        }
        spliced
    }

    /// Before which of the passes it stands: behind the first run of the pass that it imitates. A program that begins at a later stage
    /// meets it first, if it is at the mutant's own.
    fn place(&self, passes: &[&'static Pass]) -> Option<usize> {
        let behind = self.after.and_then(|after| passes.iter().position(|pass| pass.name == after));
        let first = || passes.iter().position(|pass| pass.from == self.pass.from);
        behind.map(|behind| behind + 1).or_else(first)
    }
}
