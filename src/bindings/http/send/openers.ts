import {
  type Attempt,
  type HttpReach,
  httpReach,
  type ToolError,
} from "../../../runtime/executor.js";
import { type CredentialReference, isCredential } from "../../../runtime/values/text.js";
import { baseOfSetting, type BaseUrl } from "./base-url.js";
import { unsentError } from "./failures.js";
import type { OpenRequest } from "./open-request.js";
import { isSendable, type Opener, type SealedRequest } from "./sealed-request.js";

/** Puts `${NAME}` in place of every credential, for records. */
export const placeholders: Opener = {
  base: (reference) => ({ origin: placeholder(reference), path: "" }),
  inQuery: placeholder,
  inHeader: placeholder,
  inBody: placeholder,
};

export function placeholder({ name }: CredentialReference): string {
  return `\${${name}}`;
}

/**
 * Puts in the values of credentials, for sending. Its errors name the credential and never contain
 * its value.
 */
export class AttemptOpener implements Opener {
  readonly #attempt: Attempt;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  base(reference: CredentialReference): BaseUrl {
    const value = this.inBody(reference);
    const base = baseOfSetting(value);
    if (base !== undefined) return base;
    const must = /^https?:\/\//i.test(value)
      ? "must be an http or https URL without user, query and fragment"
      : "must start with http:// or https://";
    throw this.#unusable(`the value of \`${placeholder(reference)}\` ${must}`);
  }

  inQuery(reference: CredentialReference): string {
    try {
      return encodeURIComponent(this.inBody(reference));
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      throw this.#unusable(`\`${placeholder(reference)}\` is not well-formed Unicode`);
    }
  }

  inHeader(reference: CredentialReference, header: string): string {
    const value = this.inBody(reference);
    if (isSendable(value)) return value;
    throw this.#unusable(
      `\`${placeholder(reference)}\` has a line break or another character that the header \`${header}\` can't carry`,
    );
  }

  inBody(reference: CredentialReference): string {
    return this.#attempt.open(reference.name);
  }

  #unusable(reason: string): ToolError {
    return unsentError(this.#attempt, reason);
  }
}

/**
 * Describes the host and path that a request reaches.
 *
 * @param open returns the value of a setting; if left out, the setting's name replaces the origin.
 * The origin is empty if the value is no URL; nothing is sent then.
 */
export function reachOf(
  { method, url: { base, rest } }: SealedRequest,
  open?: (name: string) => string,
): HttpReach {
  // The path is the first text. Credentials occur only in the query.
  const [first] = rest;
  const path = typeof first === "string" ? withoutQuery(first) : "";
  if (!isCredential(base)) return httpReach(method, base.origin, path);
  if (open === undefined) return httpReach(method, placeholder(base), path);
  const known = baseOfSetting(open(base.name));
  const whole = `${known?.path ?? ""}${path}`;
  const absolute = whole.startsWith("/") ? whole : `/${whole}`;
  return httpReach(method, known?.origin ?? "", absolute);
}

/** Describes the host and path of an opened request. */
export function openReachOf({ method, origin, path }: OpenRequest): HttpReach {
  return httpReach(method, origin, withoutQuery(path));
}

function withoutQuery(path: string): string {
  const end = path.indexOf("?");
  return end === -1 ? path : path.slice(0, end);
}
