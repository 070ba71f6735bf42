/**
 * Authentication from the command line. Many documents, such as GitHub's, don't mention
 * authentication, and some mention one that nobody uses.
 */
import type { Api, Requirement, SecurityScheme } from "./model.js";
import type { DocumentLocation } from "./read/document.js";
import { whyUnsendable } from "./skills/sendable.js";

/** The forms of `--auth`, for help and errors. */
export const authForms =
  "`bearer`, `basic`, `header:X-Api-Key`, `query:api_key` or `cookie:session`";

/** Parses the option; undefined if the text has none of the known forms. */
export function readAuth(written: string): SecurityScheme | undefined {
  if (written === "bearer" || written === "basic") return { kind: written };
  const [, place, name] = /^(header|query|cookie):([!#$%&'*+.^_`|~\w-]+)$/.exec(written) ?? [];
  if (name === undefined) return undefined;
  if (place !== "header" && place !== "query" && place !== "cookie") return undefined;
  return whyUnsendable({ in: place, name }) === undefined
    ? { kind: "apiKey", in: place, name }
    : undefined;
}

/** The API with this authentication on every operation. */
export function withAuth(api: Api, scheme: SecurityScheme, at: DocumentLocation): Api {
  const name = "auth";
  const security: readonly Requirement[] = [[{ scheme: name, scopes: [], at }]];
  const operations = api.operations.map((each) => {
    const { security: _, ...operation } = each;
    return operation;
  });
  return { ...api, operations, security, schemes: new Map([[name, scheme]]) };
}
