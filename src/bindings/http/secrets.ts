import { type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import type { SecretValue } from "../../kit/binding.js";

/** Keys of `auth` mappings that contain secrets, with a name for each. */
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

/** Finds the secrets in `auth`. A user name is not secret. */
export function httpSecrets(node: MapNode): readonly SecretValue[] {
  const auth = valueOf(node, "auth");
  const ways = auth?.kind === "list" ? auth.items : [auth];
  return ways.flatMap((each) =>
    each?.kind === "map" ? each.entries.flatMap(({ key, value }) => ofWay(key.value, value)) : [],
  );
}

function ofWay(way: string, value: SyntaxNode): readonly SecretValue[] {
  if (way === "bearer") return [{ node: value, name: "token" }];
  if (way === "basic") {
    const [user, ...passwords] = value.kind === "list" ? value.items : [];
    return passwords.flatMap((node) =>
      isConvention(user, node) ? [] : [{ node, name: "password" }],
    );
  }
  const keys = Object.hasOwn(secretKeys, way) ? secretKeys[way] : undefined;
  return Object.entries(keys ?? {}).flatMap(([key, name]) => {
    const node = valueOf(value, key);
    return node === undefined ? [] : [{ node, name }];
  });
}

/** If the user is the token, the password is a word that the service documents: `x-oauth-basic`. */
function isConvention(user: SyntaxNode | undefined, password: SyntaxNode): boolean {
  const [token, word] = [user, password].map((each) =>
    each?.kind === "scalar" ? String(each.value) : "",
  );
  return /\$\{/.test(token ?? "") && conventions.test(word ?? "");
}

/** Words that GitHub, GitLab, Bitbucket, Toggl, Freshdesk and others document beside a token. */
const conventions = /^(?:x|x-oauth-basic|x-token|x-token-auth|api_token|api_key|token|unused)?$/i;
