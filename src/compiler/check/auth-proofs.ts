import { entryOf, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import { schemaKeys, toolKeys } from "./bindings-in.js";

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

const ways = ["basic", "bearer", ...Object.keys(secretKeys)];

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
  if (way === "basic")
    return value.kind === "list" ? value.items.slice(1).map((each) => [each, "password"]) : [];
  const keys = Object.hasOwn(secretKeys, way) ? secretKeys[way] : undefined;
  return Object.entries(keys ?? {}).flatMap(([key, meaning]) => {
    const found = valueOf(value, key);
    return found === undefined ? [] : [[found, meaning] as const];
  });
}

/** Every `auth` that a document says for all tools of a skill: none in a tool, nor in a schema. */
export function skillAuths(root: SyntaxNode | undefined): readonly SyntaxNode[] {
  if (root?.kind !== "map") return [];
  return root.entries.flatMap(({ key, value }) => {
    if (key.value === "auth" && isAuth(value)) return [value];
    return schemaKeys.test(key.value) || toolKeys.test(key.value) ? [] : skillAuths(value);
  });
}

/** Other programs may have a key of that name. */
function isAuth(node: SyntaxNode): boolean {
  if (node.kind === "list") return node.items.some(isAuth);
  return ways.some((way) => entryOf(node, way) !== undefined);
}
