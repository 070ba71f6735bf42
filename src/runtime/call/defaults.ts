import type { JsonValue } from "../json/json.js";

/**
 * The defaults of a schema: what to put where a property is absent, and where further ones lie
 * below.
 */
export interface Defaults {
  readonly properties?: { readonly [name: string]: PropertyDefault };
  readonly items?: Defaults;
}

export interface PropertyDefault {
  /** Filled in when the property is absent; never in place of null. */
  readonly value?: JsonValue;
  readonly inside?: Defaults;
}

/**
 * The value with absent properties filled in. The value itself is never changed; unchanged parts
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
