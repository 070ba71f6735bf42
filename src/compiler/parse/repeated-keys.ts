import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import type { MapEntry } from "../../core/syntax-node.js";

/** A repeated key of a mapping. The tree keeps the first one. */
export interface RepeatedKey {
  readonly key: MapEntry["key"];
  readonly first: Span;
  /** The last entry before the repeated key that remains in the mapping. */
  readonly before: MapEntry | undefined;
}

/** Reports one mapping's repeated keys. */
export function reportRepeats(repeats: readonly RepeatedKey[], report: Report): void {
  const outer = outerKey(repeats);
  if (outer !== undefined) {
    const name = outer.key.value;
    report.add({
      code: "parse/duplicate-key",
      span: outer.key.span,
      message: `\`${name}\` is empty, and ${repeats.length} keys after it occur here a second time`,
      help: `indent \`${name}\` less, or what follows it deeper`,
    });
    return;
  }
  for (const { key, first } of repeats) {
    report.add({
      code: "parse/duplicate-key",
      span: key.span,
      message: `the key \`${key.value}\` occurs here a second time`,
      help: "keep one of the two",
      related: [{ span: first, message: "the first is here" }],
    });
  }
}

/**
 * Finds an empty key with the same indentation as the repeated keys after it, which the author
 * probably intended as its content.
 */
function outerKey(repeats: readonly RepeatedKey[]): MapEntry | undefined {
  const before = repeats[0]?.before;
  if (before === undefined || repeats.length < 2) return undefined;
  const { value } = before;
  const isEmpty = value.kind === "scalar" && value.span.start === value.span.end;
  return isEmpty ? before : undefined;
}
