// Recognition: what the facts of several files mean together.
//
// A worker reports the content of one file. Which sidecar belongs to which picture, and of what kind a picture is,
// follows from names, neighbours and clues. These rules are pure functions on values: they open no file and ask no
// catalog, and a table can test each of them.
