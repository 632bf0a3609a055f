/// Prints items one by one, without keeping them in memory.
package struct Printer<Item> {
  /// Prints one more.
  package let print: (Item) throws -> Void
  /// Prints what follows the last item.
  package let finish: () throws -> Void

  package init(print: @escaping (Item) throws -> Void, finish: @escaping () throws -> Void = {}) {
    self.print = print
    self.finish = finish
  }
}
