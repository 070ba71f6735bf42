import { RefusedValue } from "@skillc/runtime/executor";

/**
 * A reference to a credential, `${NAME}`. The executor reveals it only when it sends the request.
 * The class identifies it, so a parameter of the same shape is sent as a plain object.
 */
export class Credential {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Text that may contain credentials. */
export class Text {
  readonly parts: readonly (string | Credential)[];

  constructor(parts: readonly (string | Credential)[]) {
    this.parts = parts;
  }

  /** @param reveal returns the text to put in place of a credential */
  open(reveal: (name: string) => string): string {
    return this.parts.map((part) => (typeof part === "string" ? part : reveal(part.name))).join("");
  }
}

export function credential(name: string): Credential {
  return new Credential(name);
}

/**
 * @param parts credentials, text, numbers, booleans
 * @throws RefusedValue for any other part
 */
export function text(...parts: readonly unknown[]): Text {
  return new Text(parts.map((part) => (part instanceof Credential ? part : scalarText(part))));
}

function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new RefusedValue("", "text", "must be text, a number or a boolean to stand in text");
}

/** Returns the value at a path of own properties and indices; undefined if there is none. */
export function pick(value: unknown, ...steps: readonly (string | number)[]): unknown {
  return steps.reduce<unknown>(
    (at, step) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, step)
        ? Object.getOwnPropertyDescriptor(at, step)?.value
        : undefined,
    value,
  );
}
