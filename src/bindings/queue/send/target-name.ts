import type { CredentialReference } from "../../../runtime/values/text.js";
import type { NamePart, TargetName } from "../contract.js";

/** A class, so that no argument of a caller can pass for a name. */
class NameOfParts implements TargetName {
  readonly kind = "name";
  readonly parts: readonly NamePart[];

  constructor(parts: readonly NamePart[]) {
    this.parts = parts;
  }
}

/**
 * Makes the name of a topic, an exchange, a queue or a stream that contains parameters or
 * credentials.
 */
export function targetName(...parts: readonly NamePart[]): TargetName {
  return new NameOfParts(parts);
}

export function isTargetName(value: unknown): value is TargetName {
  return value instanceof NameOfParts;
}

/** Returns whether a part is `[pointer, value]`. */
export function isParameter(part: NamePart): part is Extract<NamePart, readonly unknown[]> {
  return Array.isArray(part);
}

/** Returns the text of a part: empty for a credential, undefined for a parameter. */
export function fixedText(part: NamePart): string | undefined {
  if (typeof part === "string") return part;
  return isParameter(part) ? undefined : "";
}

/** Returns the parts as text; credentials stay references. */
export function textsOf({ parts }: TargetName): readonly (string | CredentialReference)[] {
  return parts.map((part) => (isParameter(part) ? String(part[1]) : part));
}

/** Returns the name as its author wrote it: `${ENV}.orders.{region}`. */
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
