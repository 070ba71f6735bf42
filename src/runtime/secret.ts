import { inspect } from "node:util";

/**
 * A credential's value. It prints, inspects and serializes as its name; only `reveal`, which the sinks alone import, opens it.
 */
export class Secret {
  readonly #value: string;
  readonly #name: string;

  constructor(name: string, value: string) {
    this.#name = name;
    this.#value = value;
  }

  /** `${NAME}`. */
  toString(): string {
    return `\${${this.#name}}`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.toPrimitive](): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }

  static reveal(secret: Secret): string {
    return secret.#value;
  }
}
