#!/bin/sh
# Installs the present build into a temporary folder and builds the examples in C against it, as a
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

pc=$(find "$folder" -name screwbond.pc)
PKG_CONFIG_PATH=$(dirname "$pc"):${PKG_CONFIG_PATH:-}
PKG_CONFIG_SYSROOT_DIR=$folder
LD_LIBRARY_PATH=$(dirname "$(find "$folder" -name libscrewbond.so)"):${LD_LIBRARY_PATH:-}
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH

# A library built with sanitizers needs a program that brings them.
flags='-std=c17 -Wall -Wextra -Werror'
[ "$sanitizers" = none ] || flags="$flags -fsanitize=$sanitizers"
for example in embed user_element; do
  echo "== $example"
  # shellcheck disable=SC2046,SC2086 # words
  "$@" $flags "$source/examples/$example.c" $(pkg-config --cflags --libs screwbond) -lm \
    -o "$folder/$example"
  "$folder/$example"
done
