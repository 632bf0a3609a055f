#ifndef SHOEBOX_CSQLITE_SHIM_H
#define SHOEBOX_CSQLITE_SHIM_H

#include <sqlite3.h>

// `sqlite3_config` takes a variable number of arguments, which Swift cannot pass. Sets the size in bytes up to
// which SQLite keeps statement journals in memory, before it writes them to a temporary file. Works only before
// SQLite is used for the first time; returns SQLITE_OK, or SQLITE_MISUSE afterwards.
static inline int set_statement_journal_limit(int bytes) {
  return sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, bytes);
}

#endif
