import { type EffectContext, neverText, obligedText, place, valueKind } from "./obligation-kind.js";

/** Replaces each match of a pattern by `***`, in all texts at its place and below. */
export const redact = valueKind({
  do: "redact",
  summary: "`***` instead of each match of a pattern",
  keys: {
    at: place,
    pattern: {
      form: "pattern",
      schema: {
        type: "string",
        minLength: 1,
        maxLength: 1000,
        description: "A regular expression. `redact` replaces each match.",
      },
    },
  },
  leaves: "texts-inside",
  check: (at) => neverText(at, "redact", ["string", "array", "object"]),
  effect: (value, { pattern }, context, depth) => redacted(value, pattern, context, depth),
});

function redacted(value: unknown, pattern: string, context: EffectContext, depth: number): unknown {
  context.requireLevel(depth);
  const below = (each: unknown) => redacted(each, pattern, context, depth + 1);
  if (typeof value === "string") return context.replaceAll(value, pattern, obligedText);
  if (Array.isArray(value)) return value.map(below);
  if (typeof value !== "object" || value === null) return value;
  // Bytes can't be searched for text, so hide them completely.
  if (ArrayBuffer.isView(value)) return obligedText;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, below(each)]));
}

declare module "./obliged-types.js" {
  // oxlint-disable-next-line eslint/no-unused-vars -- declarations of an interface have the same parameters
  interface ObligedValues<Value, Obligation> {
    /** Any text in place of text types, which may list values. */
    readonly redact: Redacted<Value>;
  }
}

type Redacted<Value> = Value extends string
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Redacted<Value[Key]> }
    : Value;
