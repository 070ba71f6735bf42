import type { JsonValue } from "../json/json.js";

/** Default values of a schema: values for absent properties, and defaults below them. */
export interface Defaults {
  /** Defaults of properties, by name. */
  readonly properties?: { readonly [name: string]: PropertyDefault };
  /** Defaults inside the items of a list. */
  readonly items?: Defaults;
}

/** Default of one property. */
export interface PropertyDefault {
  /** Value for an absent property. Null stays null. */
  readonly value?: JsonValue;
  /** Defaults inside the property's value. */
  readonly inside?: Defaults;
}

/**
 * Returns the value with defaults for absent properties. The value doesn't change; unchanged parts
 * are shared.
 */
export function withDefaults(value: unknown, defaults: Defaults): unknown {
  if (Array.isArray(value)) return fillItems(value, defaults.items);
  if (typeof value !== "object" || value === null || defaults.properties === undefined)
    return value;
  let filled: Record<string, unknown> | undefined;
  for (const [name, each] of Object.entries(defaults.properties)) {
    const before = Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : undefined;
    const start = before === undefined ? structuredClone(each.value) : before;
    const after = each.inside && start !== undefined ? withDefaults(start, each.inside) : start;
    if (after === before) continue;
    filled ??= { ...value };
    Object.defineProperty(filled, name, {
      value: after,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return filled ?? value;
}

function fillItems(items: readonly unknown[], defaults: Defaults | undefined): readonly unknown[] {
  if (defaults === undefined) return items;
  const filled = items.map((each) => withDefaults(each, defaults));
  return filled.every((each, index) => each === items[index]) ? items : filled;
}
