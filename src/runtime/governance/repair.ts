/**
 * Drops properties of an answer that its schema doesn't declare, where an object is closed: all that
 * may be repaired. The answer itself is never changed.
 */
import { stepsOf } from "../json/pointer.js";
import { problemsOf, type Validator } from "../validation/validation.js";

/** Problems that dropping mends. */
const undeclared: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

/** A hostile answer has any number of them; what has more is not repaired. */
const maxDropped = 1000;

export interface Repair {
  readonly data: unknown;
  /** Where something was dropped: JSON Pointers. */
  readonly dropped: readonly string[];
}

/**
 * Data that fits, without what was undeclared; undefined when it fits as it is, and when dropping
 * alone doesn't make it fit.
 */
export function repaired(validator: Validator, given: unknown): Repair | undefined {
  let data = given;
  const dropped: string[] = [];
  while (dropped.length < maxDropped) {
    // A validator tells some of them at a time.
    const problems = problemsOf(validator, data);
    if (problems.length === 0) return dropped.length === 0 ? undefined : { data, dropped };
    if (!problems.every(({ keyword }) => undeclared.has(keyword))) return undefined;
    const places = [...new Set(problems.map(({ pointer }) => pointer))];
    data = without(data, treeOf(places));
    dropped.push(...places);
  }
  return undefined;
}

/** Places below a place, by the next step to each; none below one that is dropped. */
interface Places {
  readonly below: Map<string, Places>;
}

function treeOf(pointers: readonly string[]): Places {
  const tree: Places = { below: new Map() };
  for (const pointer of pointers) {
    let at = tree;
    for (const step of stepsOf(pointer)) {
      const next: Places = at.below.get(step) ?? { below: new Map() };
      at.below.set(step, next);
      at = next;
    }
  }
  return tree;
}

function without(value: unknown, { below }: Places): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((each, at) => {
      const places = below.get(String(at));
      return places === undefined ? each : without(each, places);
    });
  }
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const places = below.get(name);
    if (places === undefined) return [[name, each] as const];
    return places.below.size === 0 ? [] : [[name, without(each, places)] as const];
  });
  // Own properties: one named `__proto__` stays one.
  return Object.fromEntries(entries);
}
