/** A set of objects that can be listed and doesn't keep them alive. */
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
