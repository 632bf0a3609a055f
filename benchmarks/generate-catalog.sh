#!/bin/sh
# Makes a catalog with many assets, to measure listings on: generate-catalog.sh CATALOG [COUNT].
# Needs the sqlite3 program.
set -eu

catalog=${1:?usage: generate-catalog.sh CATALOG [COUNT]}
count=${2:-1000000}
here=$(cd "$(dirname "$0")" && pwd)

[ -e "$catalog" ] && { echo "$catalog exists already" >&2; exit 73; }
{
  echo "PRAGMA temp_store = MEMORY;"
  cat "$here"/../Migrations/v*.sql
  echo ".parameter set :count $count"
  cat "$here/generate-catalog.sql"
} | sqlite3 -bail "$catalog" >/dev/null
