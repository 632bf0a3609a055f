import Testing

/// The API of programs, in requests as clients send them. Every response is compared with openapi.yaml.
@Suite(.enabled(if: PickerLibrary.canBeMade), .timeLimit(.minutes(2)))
struct HostAPITests {}
