// Recognition: what the facts of files mean together.
//
// The codec process tells what is in a file; which sidecar belongs to which picture, and what a picture
// is, follows from names, neighbours and clues. That is Shoebox's own knowledge, so it lives here as pure
// functions over values: no file is opened, no catalog asked, and every rule can be tested by a table.
