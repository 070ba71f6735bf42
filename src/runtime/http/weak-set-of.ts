/** Objects that can be gone through, and are forgotten with their last other holder. */
export class WeakSetOf<Value extends object> {
  readonly #references = new Set<WeakRef<Value>>();
  readonly #registry = new FinalizationRegistry<WeakRef<Value>>((reference) => {
    this.#references.delete(reference);
  });

  add(value: Value): void {
    const reference = new WeakRef(value);
    this.#references.add(reference);
    this.#registry.register(value, reference);
  }

  all(): readonly Value[] {
    return [...this.#references].flatMap((each) => each.deref() ?? []);
  }
}
