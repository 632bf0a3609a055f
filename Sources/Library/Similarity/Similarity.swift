// Similarity: which pictures look the same, and which of them to keep.
//
// Pure functions. A worker reduces each picture to a signature (a small grey picture with some colour), see
// `PictureSignature`. This module finds pairs of signatures of one picture, and chooses among assets by their facts.
// It opens no file. docs/duplicates.md explains the rules for users.
