/**
 * Ways to prove who asks, beyond a credential in a header: `basic.ts`, `oauth2.ts` (with
 * `tokens.ts`, which keeps tokens, and `token-request.ts`, which asks for them), `aws.ts`,
 * `client-certificate.ts`. `authenticate.ts` applies them to a request.
 */
import type { Attempt, HttpReach } from "../../../../runtime/executor.js";
import {
  addCredentialNames,
  type CredentialText,
  openText,
} from "../../../../runtime/values/text.js";
import type { OpenRequest } from "../open-request.js";

/** One of them, as a generated module says it. Nothing in it is opened before a request is. */
export interface Authenticator {
  /** Names of the credentials that it opens. */
  readonly credentials: readonly string[];
  /** Names of what it makes or fetches: what an answer may not send back either. */
  readonly proofs?: readonly string[];
  /** Headers as a record shows them: names and values in turn. */
  readonly shown?: readonly string[];
  /** Where it goes itself. */
  reach?(open?: (name: string) => string): readonly HttpReach[];
  /** Headers for a request that is about to leave: names and values in turn. */
  headers?(request: OpenRequest, attempt: Attempt): readonly string[] | Promise<readonly string[]>;
  /**
   * Told that the request was refused with 401.
   *
   * @param sent the headers that it gave
   * @returns whether others may be had
   */
  refused?(attempt: Attempt, sent: readonly string[]): boolean;
  /** What the connection itself proves. */
  tls?(attempt: Attempt): ClientCertificate;
}

/** PEM texts. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

/** A text of the author's: literal, or with credentials. */
export type AuthText = string | CredentialText;

export function namesIn(...texts: readonly (AuthText | undefined)[]): readonly string[] {
  const names: string[] = [];
  for (const each of texts)
    if (each !== undefined && typeof each !== "string") addCredentialNames(names, each.parts);
  return names;
}

export function openedFor(attempt: Attempt, value: AuthText): string {
  return typeof value === "string"
    ? value
    : openText(value.parts, ({ name }) => attempt.open(name));
}

/** `${NAME}` in the place of each credential. */
export function shownText(value: AuthText): string {
  return typeof value === "string" ? value : openText(value.parts, ({ name }) => `\${${name}}`);
}
