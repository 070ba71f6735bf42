import type { Flat } from "./obliged-types.js";
import { place, propertyKind } from "./obligation-kind.js";

/** Removes a property, or all items of a list. */
export const drop = propertyKind({
  do: "drop",
  summary: "without the property",
  keys: { at: place },
  check: ({ of, steps, words }) =>
    steps.length === 0 || (of?.isItem === true && steps.at(-1) === "*")
      ? {
          code: "governance/no-property",
          message: `\`drop\` can remove only a property, but ${words} is not a property`,
          help: "name a property: for a whole list, the property that holds it",
        }
      : undefined,
  effect: (holder, isMeant) =>
    Array.isArray(holder)
      ? []
      : // `fromEntries` keeps an own property named `__proto__`.
        Object.fromEntries(Object.entries(holder).filter(([name]) => !isMeant(name))),
});

declare module "./obliged-types.js" {
  interface ObligedProperties<Value, Step extends string> {
    /** The properties become optional. */
    readonly drop: Dropped<Value, Step>;
  }
}

type Dropped<Value, Step extends string> = "*" extends Step
  ? Partial<Value>
  : Flat<
      { [Key in keyof Value as Key extends Step ? never : Key]: Value[Key] } & {
        [Key in keyof Value as Key extends Step ? Key : never]?: Value[Key];
      }
    >;
