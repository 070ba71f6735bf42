import { inspectSymbol } from "../inspect-symbol.js";

/**
 * A credential's value. It prints, inspects and serializes as its name. Only `reveal` returns the
 * value: for executors, and for `skillc check --env`, which checks its form.
 */
export class Secret {
  readonly #value: string;
  readonly #name: string;

  constructor(name: string, value: string) {
    this.#name = name;
    this.#value = value;
  }

  /** Returns `${NAME}`. */
  toString(): string {
    return `\${${this.#name}}`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.toPrimitive](): string {
    return this.toString();
  }

  [inspectSymbol](): string {
    return this.toString();
  }

  static reveal(secret: Secret): string {
    return secret.#value;
  }
}

/** The credentials of a call, by name. */
export type Secrets = ReadonlyMap<string, Secret>;

export const noSecrets: Secrets = new Map();
