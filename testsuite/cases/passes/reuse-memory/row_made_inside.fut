-- case: run main (  )
-- A point whose row is made in place, by statements before it has read all, does not write over what it reads.
entry main: f32 =
  let m_39: [1]i32 = replicate 1 0i32
  let v_49: [1]i64 = map (const 0i64) (iota 1)
  let m_59: [1][1]i64 = map2 (\(p_56: i32) (p_57: i64) -> let y_58: [1]i64 = let (all, _) = partition (const true) v_49
        in all :> [1]i64
      in y_58) m_39 v_49
  in -8.75f32
-- ---
-- -8.75f32
