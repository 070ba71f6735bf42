import type { JWTPayload } from "jose";
import { type Caller, ownCaller } from "../../caller.js";

/** Names of the claims that become a caller's fields. */
export interface ClaimNames {
  readonly tenant: string;
  readonly subject: string;
  readonly roles: string;
  readonly scopes: string;
}

/**
 * The usual names. No claim is a tenant unless the project says so, because a claim that users can
 * set would let them choose their tenant.
 */
export const usualClaims: ClaimNames = {
  tenant: "",
  subject: "sub",
  roles: "roles",
  scopes: "scope",
};

/**
 * Makes a caller from a token's claims.
 *
 * @param isPrefixed whether the subject begins with the issuer, because another issuer may use the
 * same subjects for other people
 * @throws TypeError if a claim can't be a caller's field
 */
export function callerOfClaims(
  payload: JWTPayload,
  names: ClaimNames,
  isPrefixed: boolean,
): Caller {
  const subject = textOf(payload, names.subject);
  if (subject === undefined) throw new TypeError("the token has no subject");
  const tenant = names.tenant === "" ? undefined : textOf(payload, names.tenant);
  if (names.tenant !== "" && tenant === undefined) throw new TypeError("the token has no tenant");
  const roles = namesOf(payload, names.roles);
  return ownCaller({
    subject: isPrefixed ? `${payload.iss}|${subject}` : subject,
    ...(tenant !== undefined && { tenant }),
    ...(roles.length > 0 && { roles }),
    scopes: namesOf(payload, names.scopes),
  });
}

/** Returns a claim by its name, or by a path of names with dots. */
function claimOf(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let found: unknown = payload;
  for (const step of name.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step))
      return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

function textOf(payload: JWTPayload, name: string): string | undefined {
  const claim = claimOf(payload, name);
  if (claim === undefined) return undefined;
  if (typeof claim === "string") return claim;
  throw new TypeError("the claim must be text");
}

/** Reads names from a list, or from text with spaces between them. */
function namesOf(payload: JWTPayload, name: string): readonly string[] {
  const claim = claimOf(payload, name);
  if (claim === undefined) return [];
  const listed = typeof claim === "string" ? claim.split(" ").filter((each) => each !== "") : claim;
  if (Array.isArray(listed) && listed.every((each) => typeof each === "string")) return listed;
  throw new TypeError("the claim must be a list of texts");
}
