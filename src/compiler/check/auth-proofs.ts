import { entryOf, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import { block } from "../../core/skill-syntax.js";

/** Of ways that take a mapping, the keys under which secrets stand, and what those are. */
const secretKeys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api_key: { value: "api_key" },
  oauth2: {
    client_secret: "client_secret",
    refresh_token: "refresh_token",
    private_key: "private_key",
  },
  aws_sigv4: { secret_key: "secret_key", session_token: "session_token" },
  client_certificate: { key: "private_key" },
};

/**
 * What an `auth` proves itself by: each value that must be settings alone, with the key that says
 * what it is. Who asks, a user's name for example, may be known to everyone.
 */
export function proofsOf(auth: SyntaxNode): ReadonlyMap<SyntaxNode, string> {
  const maps = auth.kind === "list" ? auth.items : [auth];
  const proofs = maps.flatMap((each) =>
    each.kind === "map" ? each.entries.flatMap(({ key, value }) => ofWay(key.value, value)) : [],
  );
  return new Map(proofs);
}

function ofWay(way: string, value: SyntaxNode): readonly (readonly [SyntaxNode, string])[] {
  if (way === "bearer") return [[value, "token"]];
  if (way === "basic") {
    const [user, ...passwords] = value.kind === "list" ? value.items : [];
    return passwords.flatMap((each) =>
      isConvention(user, each) ? [] : [[each, "password"] as const],
    );
  }
  const keys = Object.hasOwn(secretKeys, way) ? secretKeys[way] : undefined;
  return Object.entries(keys ?? {}).flatMap(([key, meaning]) => {
    const found = valueOf(value, key);
    return found === undefined ? [] : [[found, meaning] as const];
  });
}

/** Where the user is the token, the password is a word that the service documents: `x-oauth-basic`. */
function isConvention(user: SyntaxNode | undefined, password: SyntaxNode): boolean {
  const [token, word] = [user, password].map((each) =>
    each?.kind === "scalar" ? String(each.value) : "",
  );
  return /\$\{/.test(token ?? "") && conventions.test(word ?? "");
}

/** What GitHub, GitLab, Bitbucket, Toggl, Freshdesk and others document beside a token. */
const conventions = /^(?:x|x-oauth-basic|x-token|x-token-auth|api_token|api_key|token|unused)?$/i;

/** Every `auth` that a document says for all tools of a skill, where settings of a skill stand. */
export function skillAuths(root: SyntaxNode | undefined): readonly SyntaxNode[] {
  return [root, valueOf(root, block)].flatMap((each) => entryOf(each, "auth")?.value ?? []);
}
