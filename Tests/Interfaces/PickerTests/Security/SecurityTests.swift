import Testing

/// Attempts to get or do what is not allowed. Each one fails.
@Suite(.enabled(if: PickerLibrary.canBeMade), .timeLimit(.minutes(2)))
struct SecurityTests {}
