export type Scalar = string | number | boolean;

/** A credential `${NAME}`, opened only when the request is sent. */
export interface CredentialReference {
  readonly kind: "credential";
  readonly name: string;
}

/** Text that contains credentials. */
export interface CredentialText {
  readonly kind: "text";
  readonly parts: readonly (string | CredentialReference)[];
}

/**
 * Marks credentials by class, not by shape. If a caller passes a parameter such as `{ kind:
 * "credential" }`, it is sent as an object.
 */
class Reference implements CredentialReference {
  readonly kind = "credential";
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

class TextWithCredentials implements CredentialText {
  readonly kind = "text";
  readonly parts: readonly (string | CredentialReference)[];

  constructor(parts: readonly (string | CredentialReference)[]) {
    this.parts = parts;
  }
}

/** Makes a reference to a credential or setting `${NAME}`, opened only when the request is sent. */
export function credential(name: string): CredentialReference {
  return new Reference(name);
}

/**
 * Joins literal text, parameters and credentials for a header, a query value or a string of the
 * body. Undefined if a parameter is absent or null, so that the whole text is left out.
 */
export function text(...parts: readonly Scalar[]): string;
export function text(...parts: readonly (Scalar | null | undefined)[]): string | undefined;
export function text(...parts: readonly (Scalar | CredentialReference)[]): CredentialText | string;
export function text(
  ...parts: readonly (Scalar | CredentialReference | null | undefined)[]
): CredentialText | string | undefined;
export function text(
  ...parts: readonly (Scalar | CredentialReference | null | undefined)[]
): CredentialText | string | undefined {
  const texts: (string | CredentialReference)[] = [];
  for (const part of parts) {
    if (part === null || part === undefined) return undefined;
    texts.push(part instanceof Reference ? part : String(part));
  }
  return texts.every((each) => typeof each === "string")
    ? texts.join("")
    : new TextWithCredentials(texts);
}

export function isCredential(value: unknown): value is CredentialReference {
  return value instanceof Reference;
}

export function isCredentialText(value: unknown): value is CredentialText {
  return value instanceof TextWithCredentials;
}

/** Adds names of credentials that are not in the list yet. */
export function addCredentialNames(
  names: string[],
  parts: readonly (string | CredentialReference)[],
): void {
  for (const part of parts) {
    if (typeof part !== "string" && !names.includes(part.name)) names.push(part.name);
  }
}

/** Replaces each credential in a text. */
export function openText(
  parts: readonly (string | CredentialReference)[],
  reveal: (reference: CredentialReference) => string,
): string {
  let opened = "";
  for (const part of parts) opened += typeof part === "string" ? part : reveal(part);
  return opened;
}
