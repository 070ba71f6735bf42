import { ownSchema, wholeSchema } from "../core/schema-text.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import type { Unit } from "./unit.js";

/** A unit as text. Shared schemas stand in it once, however many of its documents refer to them. */
export function unitText(unit: Unit): string {
  const numbers = new Map<SharedSchema, number>();
  const numberOf = (shared: SharedSchema): number => {
    const known = numbers.get(shared) ?? numbers.size;
    numbers.set(shared, known);
    return known;
  };
  const text = JSON.stringify(unit, (_, value: unknown) =>
    refersToShared(value)
      ? { ...value, schema: ownSchema(value), shared: value.shared.map(numberOf) }
      : value,
  );
  return JSON.stringify([text, [...numbers.keys()]]);
}

type Referring = SchemaModel & { readonly shared: readonly SharedSchema[] };

function refersToShared(value: unknown): value is Referring {
  return isDocument(value) && Array.isArray(value.shared) && typeof value.shared[0] === "object";
}

function isDocument(value: unknown): value is { readonly shared?: unknown } {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}

/** @param text what `unitText` gave */
export function unitOf(text: string): Unit {
  const [own, shared] = JSON.parse(text) as [string, readonly SharedSchema[]];
  return JSON.parse(own, (_, value: unknown) => {
    if (!isDocument(value) || !Array.isArray(value.shared)) return value;
    const document = value as Omit<Referring, "shared"> & { readonly shared: readonly number[] };
    const found = document.shared.flatMap((number) => shared[number] ?? []);
    return { ...document, schema: wholeSchema(document.schema, found), shared: found };
  }) as Unit;
}
