#!/bin/sh
# Installs the present build into a temporary folder and builds programs in C and C++ against it, as a
# user does, by pkg-config. Usage: embed.sh BUILD SOURCE SANITIZERS COMPILER...
set -eu

build=$1 source=$2 sanitizers=$3
shift 3

for program in meson pkg-config; do
  command -v "$program" >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
meson install -C "$build" --no-rebuild --destdir "$folder" >"$folder/install.log" 2>&1 || {
  cat "$folder/install.log"
  exit 1
}

# No other .pc file is in reach: none is needed.
pc=$(find "$folder" -name screwbond.pc)
PKG_CONFIG_LIBDIR=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$folder
LD_LIBRARY_PATH=$(dirname "$(find "$folder" -name libscrewbond.so)"):${LD_LIBRARY_PATH:-}
unset PKG_CONFIG_PATH
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
flags=$(pkg-config --cflags --libs screwbond)

# A library built with sanitizers needs a program that brings them, by the same compiler.
warnings='-Wall -Wextra -Wpedantic -Werror'
cxx='g++ clang++'
if [ "$sanitizers" != none ]; then
  warnings="$warnings -fsanitize=$sanitizers"
  case $* in
    *clang*) cxx=clang++ ;;
    *) cxx=g++ ;;
  esac
fi
# With sanitizers, under which it takes a minute, what only computes is built alone: other tests have instrumented its paths.
computes=compass
for example in embed user_element compass; do
  echo "== $example"
  # shellcheck disable=SC2086 # words
  "$@" -std=c17 $warnings "$source/examples/$example.c" $flags -lm -o "$folder/$example"
  [ "$sanitizers" != none ] && [ "$example" = "$computes" ] || "$folder/$example"
done

headers=
[ "$sanitizers" != none ] || headers=$(find "$folder" -name '*.h')
for compiler in $cxx; do
  command -v "$compiler" >/dev/null || { echo "there is no $compiler"; continue; }
  echo "== $compiler"
  # shellcheck disable=SC2086 # words
  "$compiler" -std=c++17 $warnings "$(dirname "$0")/embed.cpp" $flags -o "$folder/embed_cpp"
  [ "$("$folder/embed_cpp")" = "$(pkg-config --modversion screwbond)" ]
  # All headers are C++, and each stands alone: one compiler and one build are enough to know that, and
  # C reads a header alone five times as fast.
  if [ -n "$headers" ]; then
    # shellcheck disable=SC2046,SC2086 # words
    printf '#include "%s"\n' $headers |
      "$compiler" -std=c++17 -pedantic-errors -fsyntax-only $(pkg-config --cflags screwbond) -x c++ -
    # shellcheck disable=SC2046,SC2086 # words
    "$@" -std=c17 -fsyntax-only $(pkg-config --cflags screwbond) -x c $headers
  fi
  headers=
done
