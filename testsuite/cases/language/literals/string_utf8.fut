-- case: run ()
-- A string is its bytes in UTF-8: its length is not the number of its characters.
def main = (length "æøå", "é")
-- ---
6i64
[195u8, 169u8]
