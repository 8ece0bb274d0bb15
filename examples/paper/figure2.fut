-- case: stages
-- The paper's Figure 2: branches return the size next to the array (in FUN), the block as well (in FUNMEM, Figure 7), and the
-- result is the program of Figure 13 (in IMP). Indices count from 0 here, and an entry point copies its result to a block of its own.
entry main (cond: bool) (x_size: i64) (y_size: i64): []i64 =
  if cond then iota x_size else iota y_size
