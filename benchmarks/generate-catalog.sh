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
  echo "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);"
  for step in "$here"/../Migrations/v*.sql; do
    cat "$step"
    name=$(basename "$step" .sql)
    echo "INSERT INTO grdb_migrations VALUES ('${name%%-*}');"
  done
  echo ".parameter set :count $count"
  cat "$here/generate-catalog.sql"
} | sqlite3 -bail "$catalog" >/dev/null
