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
