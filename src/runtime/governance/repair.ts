/**
 * Drops undeclared properties from closed objects of an answer, which is the only repair. It makes
 * a copy; the answer doesn't change.
 */
import { stepsOf } from "../json/pointer.js";
import { problemsOf, type Validator } from "../validation/validation.js";

/** Problems that dropping a property can fix. */
const undeclared: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

/** Maximum number of dropped properties. An answer with more is not repaired. */
const maxDropped = 1000;

/** A repaired answer. */
export interface Repair {
  readonly data: unknown;
  /** JSON Pointers of the dropped properties. */
  readonly dropped: readonly string[];
}

/**
 * Returns data that match the schema after dropping undeclared properties; undefined if they
 * already match, or dropping is not enough.
 */
export function repaired(validator: Validator, given: unknown): Repair | undefined {
  let data = given;
  const dropped: string[] = [];
  while (dropped.length < maxDropped) {
    // A validator reports only some of the problems at a time.
    const problems = problemsOf(validator, data);
    if (problems.length === 0) return dropped.length === 0 ? undefined : { data, dropped };
    if (!problems.every(({ keyword }) => undeclared.has(keyword))) return undefined;
    const places = [...new Set(problems.map(({ pointer }) => pointer))];
    data = without(data, treeOf(places));
    dropped.push(...places);
  }
  return undefined;
}

/** Places to drop, as a tree of steps. A place that is dropped has none below. */
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
  // `fromEntries` keeps an own property named `__proto__`.
  return Object.fromEntries(entries);
}
