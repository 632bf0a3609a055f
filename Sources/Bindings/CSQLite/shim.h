#ifndef SHOEBOX_CSQLITE_SHIM_H
#define SHOEBOX_CSQLITE_SHIM_H

#include <sqlite3.h>

// `sqlite3_config` takes a variable number of arguments, which Swift cannot pass. Both functions work only before
// SQLite is used for the first time; they return SQLITE_OK, or SQLITE_MISUSE afterwards.

// Sets the size in bytes up to which SQLite keeps statement journals in memory, before it writes them to a temporary
// file. -1 for no limit. SQLite 3.40 cannot write journals in pieces of 128 KiB or more.
static inline int set_statement_journal_limit(int bytes) {
  return sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, bytes);
}

// Has SQLite count its memory no longer, for which it takes a lock at each allocation.
static inline int disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
