# The arguments of `bench` of a program of this folder, for scripts that time it.
arguments() {
  case $1 in
    nw) echo 2048i64 64i64 ;;
    lud) echo 1024i64 32i64 ;;
    hotspot) echo 1024i64 10i64 ;;
    lbm) echo 20i64 60i64 60i64 75i64 ;;
    option_pricing) echo 1048576i64 5i64 ;;
    locvolcalib) echo 16i64 64i64 32i64 256i64 ;;
    nn) echo 855280i64 100i64 ;;
  esac
}

# with_stanza PROGRAM FILE: the program with these arguments as the only data set, of `bench`.
with_stanza() {
  { printf -- '-- ==\n-- entry: bench\n-- random input { %s }\n\n' "$(arguments "$1")"; sed '/^--/d' "bench/memory/$1.fut"; } >"$2"
}
