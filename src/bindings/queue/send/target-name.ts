import type { CredentialReference } from "../../../runtime/values/text.js";
import type { NamePart, TargetName } from "../contract.js";

/** Told apart by class: nothing that a caller passes looks like one. */
class NameOfParts implements TargetName {
  readonly kind = "name";
  readonly parts: readonly NamePart[];

  constructor(parts: readonly NamePart[]) {
    this.parts = parts;
  }
}

/** The name of a topic, an exchange, a queue or a stream, with parameters or credentials in it. */
export function targetName(...parts: readonly NamePart[]): TargetName {
  return new NameOfParts(parts);
}

export function isTargetName(value: unknown): value is TargetName {
  return value instanceof NameOfParts;
}

/** Whether it is `[pointer, value]`. */
export function isParameter(part: NamePart): part is Extract<NamePart, readonly unknown[]> {
  return Array.isArray(part);
}

/** A part's text; empty for a credential's, and undefined for a parameter's. */
export function fixedText(part: NamePart): string | undefined {
  if (typeof part === "string") return part;
  return isParameter(part) ? undefined : "";
}

/** Its parts as text. */
export function textsOf({ parts }: TargetName): readonly (string | CredentialReference)[] {
  return parts.map((part) => (isParameter(part) ? String(part[1]) : part));
}

/** As its author wrote it: `${ENV}.orders.{region}`. */
export function writtenName(name: string | TargetName): string {
  if (!isTargetName(name)) return name;
  const texts = name.parts.map((part) => {
    if (typeof part === "string") return part;
    if (!isParameter(part)) return `\${${part.name}}`;
    const [pointer, , extent] = part;
    return `{${pointer.replace(/^\//, "").replaceAll("/", ".")}${extent === "tokens" ? "..." : ""}}`;
  });
  return texts.join("");
}
