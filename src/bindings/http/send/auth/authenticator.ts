/**
 * Authentication beyond a credential in a header: `basic.ts`, `oauth2.ts` (with `tokens.ts`, which
 * keeps tokens, and `token-request.ts`, which requests them), `aws.ts`, `client-certificate.ts`.
 * `authenticate.ts` applies them to a request.
 */
import type { Attempt, HttpReach } from "../../../../runtime/executor.js";
import {
  addCredentialNames,
  type CredentialText,
  openText,
} from "../../../../runtime/values/text.js";
import type { OpenRequest } from "../open-request.js";

/**
 * One authentication method of a generated module. It opens nothing before the request is opened.
 */
export interface Authenticator {
  /** Names of the credentials that it opens. */
  readonly credentials: readonly string[];
  /** Names of values that it makes or fetches. An answer may not send these back either. */
  readonly proofs?: readonly string[];
  /** Headers as a record shows them: alternating names and values. */
  readonly shown?: readonly string[];
  /** Returns its own targets, such as a token endpoint. */
  reach?(open?: (name: string) => string): readonly HttpReach[];
  /** Returns headers for a request that is about to be sent: alternating names and values. */
  headers?(request: OpenRequest, attempt: Attempt): readonly string[] | Promise<readonly string[]>;
  /**
   * Called when the request was rejected with 401.
   *
   * @param sent the headers that it added
   * @returns whether it may have others
   */
  refused?(attempt: Attempt, sent: readonly string[]): boolean;
  /** Returns the client certificate of the connection. */
  tls?(attempt: Attempt): ClientCertificate;
}

/** A client certificate, as PEM texts. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

/** Text of the author: literal, or with credentials. */
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

/** Returns the text with `${NAME}` in place of each credential. */
export function shownText(value: AuthText): string {
  return typeof value === "string" ? value : openText(value.parts, ({ name }) => `\${${name}}`);
}
