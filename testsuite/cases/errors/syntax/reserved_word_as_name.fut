-- case: check
def main (loop: i32) = loop + 1
-- ---
E0110 2:11 expected a pattern, `)` or `,`, found the keyword `loop`
  `loop` is a keyword and cannot be a name
