export type Scalar = string | number | boolean;

/** `${NAME}`, opened only when the request is sent. */
export interface CredentialReference {
  readonly kind: "credential";
  readonly name: string;
}

/** Text with credentials in it. */
export interface CredentialText {
  readonly kind: "text";
  readonly parts: readonly (string | CredentialReference)[];
}

/**
 * Credentials are told apart from parameters by class, never by shape: a caller whose parameter
 * looks like `{ kind: "credential" }` has sent an object, and an object is what goes out.
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

/** `${NAME}`: a credential or setting, opened only when the request is sent. */
export function credential(name: string): CredentialReference {
  return new Reference(name);
}

/**
 * Literal text, parameters and credentials made one: a header, a query value, a string of the body.
 * Undefined, so that what it would fill is left out, when a parameter is absent or null.
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

/** Adds the names of the credentials that are not there yet. */
export function addCredentialNames(
  names: string[],
  parts: readonly (string | CredentialReference)[],
): void {
  for (const part of parts) {
    if (typeof part !== "string" && !names.includes(part.name)) names.push(part.name);
  }
}

/** The text with what stands for each credential put in. */
export function openText(
  parts: readonly (string | CredentialReference)[],
  reveal: (reference: CredentialReference) => string,
): string {
  let opened = "";
  for (const part of parts) opened += typeof part === "string" ? part : reveal(part);
  return opened;
}
