-- Secrets of this catalog. The one named "export" is the key of the codes by which the catalog knows, in the
-- record of an export's target, the lines that it has written itself (HMAC-SHA256, docs/export.md). SQLite's
-- generator is seeded by the system's.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO secrets (name, value) VALUES ('export', randomblob(32));
