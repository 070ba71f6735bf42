import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { SourceFile } from "../../core/source-file.js";
import type { SyntaxNode } from "../../core/syntax-node.js";

/** Decides if a text is a secret, from the text and its key alone. */

/** Ends of keys under which a literal value is a credential: `X-API-Key`, `client_secret`. */
const sensitiveKey =
  /(^|[-_. ])(authorization|token|secret|password|passwd|passphrase|pwd|((api|app|access|account|auth|client|encryption|master|private|secret|signing|subscription)[-_. ]?key))$/i;

/** Tokens that are positions or marks, not credentials. */
const pageTokenKey =
  /(page|next|previous|prev|continuation|cursor|sync|resume|start)[-_. ]?token$/i;

/** Checks if a key names a credential. */
export function isSensitiveKey(key: string): boolean {
  if (key.length > 100) return false;
  const separated = separatedWords(key);
  return sensitiveKey.test(separated) && !pageTokenKey.test(separated);
}

/** Separates words with hyphens: `accessToken` → `access-Token`. */
function separatedWords(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, "$1-$2");
}

/** Keys whose values are long and random by nature, and known to everyone. */
const identifierKey =
  /(^|[-_. ])(id|ids|uuid|guid|sha[-_]?[0-9]*(sum)?|md5(sum)?|hash|digest|checksum|integrity|etag|commit|revision|rev|fingerprint|thumbprint|version|traceparent)$/i;

export function isIdentifierKey(key: string): boolean {
  return key.length <= 100 && identifierKey.test(separatedWords(key));
}

/** Public keys and certificates, in the forms of PEM and SSH. */
const publicKeys =
  /-----BEGIN (?:[A-Z0-9]{1,12} )?(?:PUBLIC KEY|CERTIFICATE)-----[A-Za-z0-9+/=\s]*-----END (?:[A-Z0-9]{1,12} )?(?:PUBLIC KEY|CERTIFICATE)-----|\b(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA[A-Za-z0-9+/]{16,}={0,2}/g;

/** Trace contexts (W3C Trace Context), and digests after their name. */
const traceOrDigest =
  /(?<![0-9a-f])00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?![0-9a-f])|\b(?:md5|sha[-_]?(?:1|224|256|384|512)|hash|digest|checksum|fingerprint)[^A-Za-z0-9]{1,6}(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}|[A-Za-z0-9+/]{22,86}={1,2}:?)(?![A-Za-z0-9+/])/gi;

/**
 * Replaces parts with blanks that are public by their form. Under a credential's key, only public
 * keys are replaced, because a credential may look like the other forms.
 */
export function withoutPublic(key: string, text: string): string {
  const blank = (found: string) => " ".repeat(found.length);
  const rest = text.replace(publicKeys, blank);
  return isSensitiveKey(key) || isAuthenticationKey(key)
    ? rest
    : rest.replace(traceOrDigest, blank);
}

/** Checks for a key of a URL's query that often, but not always, contains a credential. */
export function isSuspectKey(key: string): boolean {
  return /^(key|sig|signature|auth|code|sid|session|appid|app_id)$/i.test(key);
}

const authenticationKey = /(^|[-_. ])auth(orization)?$/i;

/** Checks for a key of a credential, or of a way to authenticate: `Authorization`, `X-Auth`. */
export function isAuthenticationKey(key: string): boolean {
  if (key.length > 100) return false;
  return authenticationKey.test(separatedWords(key));
}

/** Words of placeholders. One other word makes a text a secret, such as `the-real-one`. */
const placeholderWord =
  /^(your|my|some|this|the|an?|of|for|with|goes|here|please|example|sample|dummy|fake|test|placeholder|change|me|changeme|replace|replaceme|insert|enter|fill|in|todo|tbd|redacted|hidden|secret|token|password|passwd|pass|pwd|credentials?|user|username|name|client|id|access|auth|bearer|basic|base64|app|api|apikey|key|value|string|none|null|undefined|empty|sk|pk|x{3,}|\*{3,})$/i;

/** Placeholder that names the expected value: `YOUR_STRIPE_API_KEY`. */
const namedPlaceholder =
  /^your([-_ ][a-z]{1,12}){1,2}[-_ ](token|secret|password|key|credentials?)([-_ ]here)?$/i;

const bracketed = /^(<[A-Za-z _-]+>|\[[A-Za-z _-]+\]|\([A-Za-z _-]+\)|\{[A-Za-z _-]+\})$/;

/** Checks for a placeholder to fill in: `YOUR_TOKEN`, `<token>`, `xxxx`. */
export function isPlaceholder(text: string): boolean {
  const bare = text.trim();
  if (bracketed.test(bare) || namedPlaceholder.test(bare) || /^(.)\1*$/s.test(bare)) return true;
  const words = bare.split(/[-_ .…:="'<>()[\]{}]+/).filter((word) => word !== "");
  return words.length > 0 && words.every((word) => placeholderWord.test(word));
}

/** Offset of the secret part of a credential, after `Bearer ` or `Basic `. */
export function startOfCredential(text: string): number {
  return (
    /^\s*((bearer|basic|token|apikey|api-key|key|digest|negotiate|bot|splunk|ghtoken)\s+)?/i.exec(
      text,
    )?.[0].length ?? 0
  );
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Forms of well-known keys that entropy alone would miss. */
const knownForm =
  /^(AKIA|ASIA)[0-9A-Z]{16}$|^(sk|pk|rk|whsec)_[A-Za-z0-9_]{10,}$|^eyJ[A-Za-z0-9_-]{10,}/;

/**
 * Checks if characters look like random data: long, of mixed kinds, with little that could be a
 * word. Names, versions, dates and UUIDs don't count.
 */
export function looksRandom(run: string): boolean {
  if (knownForm.test(run)) return true;
  if (run.length < 20 || uuid.test(run) || isPlaceholder(run)) return false;
  if (isDatedName(run)) return false;
  const digits = run.replace(/[^0-9]/g, "").length;
  const words = run.match(/[A-Z]?[a-z]{4,}|[A-Z]{5,}/g)?.join("").length ?? 0;
  if (digits < 2 || words > run.length * 0.4) return false;
  if (/^[0-9a-f]+$/i.test(run)) return run.length >= 32 && bitsPerCharacter(run) >= 3;
  const isMixed = /[a-z]/.test(run) && /[A-Z]/.test(run);
  const changes = run.match(/[0-9][A-Za-z]|[A-Za-z][0-9]/g)?.length ?? 0;
  return (
    bitsPerCharacter(run) >= 3.5 &&
    (isMixed || (run.length >= 24 && changes >= 5 && digits >= run.length * 0.2))
  );
}

/**
 * Checks for a name with a date, such as `CodeStar_connections_20191201`: separators divide letters
 * from numbers.
 */
function isDatedName(run: string): boolean {
  const parts = run.split(/[_.~-]+/);
  return parts.length > 1 && parts.every((part) => /^(?:[A-Za-z]+|\d{1,8})$/.test(part));
}

/**
 * Checks if a text is a token rather than a name: random, or one word with alternating letters and
 * digits.
 */
export function looksLikeToken(text: string): boolean {
  if (looksRandom(text)) return true;
  const changes = text.match(/[0-9][A-Za-z]|[A-Za-z][0-9]/g)?.length ?? 0;
  return /^[A-Za-z0-9_+=~.-]{12,}$/.test(text) && changes >= 3;
}

/**
 * Shannon entropy of the characters, in bits. Random base64 of 32 characters has about 4.5, random
 * hexadecimal 3.6.
 */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * Finds every secret of a well-known form in a file: tokens of public services, private keys,
 * passwords in addresses. The rules are secretlint's, loaded for the first file. The diagnostics
 * never contain the text itself.
 */
export async function knownSecrets({
  path,
  text,
}: SourceFile): Promise<readonly UnratedDiagnostic[]> {
  const { lintSource, config } = await (rules ??= loadRules());
  const ext = /\.[A-Za-z0-9]+$/.exec(path)?.[0] ?? "";
  const { messages } = await lintSource({
    source: {
      // Don't pass the real path: secretlint's profiler throws, outside of any call, if it contains
      // a line separator.
      filePath: `file${ext}`,
      content: text,
      ext,
      contentType: "text",
    },
    options: { config, noPhysicFilePath: true, maskSecrets: true },
  });
  return messages
    .filter(({ range: [start, end] }) => !isExample(text.slice(start, end)))
    .map(({ range: [start, end], messageId }): UnratedDiagnostic => {
      const name = /^[A-Z][A-Z0-9_]{3,40}$/.test(messageId) ? messageId : "NAME";
      return {
        code: "credential/plaintext-secret",
        span: { file: path, start, end },
        message: `this reads like a secret in plain text: ${describe(messageId)}`,
        help: `remove it, replace the secret where it is used, and write \`\${${name}}\` where a binding needs it`,
        secret: true,
      };
    });
}

let rules: ReturnType<typeof loadRules> | undefined;

async function loadRules() {
  const [{ lintSource }, { creator: rule }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  await stopProfiler();
  return {
    lintSource,
    config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule }] },
  };
}

interface ProfilerModule {
  readonly secretLintProfiler: { mark: () => void };
}

/**
 * Stops secretlint's profiler. It keeps every measurement, so a watching process would grow with
 * each edit.
 */
async function stopProfiler(): Promise<void> {
  try {
    const core = createRequire(import.meta.resolve("@secretlint/core"));
    const profiler = pathToFileURL(core.resolve("@secretlint/profiler"));
    // The module behind secretlint's core exports the profiler.
    const { secretLintProfiler } = (await import(profiler.href)) as ProfilerModule;
    secretLintProfiler.mark = () => {};
  } catch {
    // Versions without a profiler need no change.
  }
}

/** Converts `GITHUB_TOKEN` to `github token`. */
function describe(messageId: string): string {
  return messageId
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

/**
 * Checks for a reference, or for a password that documentation often uses:
 * `postgres://user:password@localhost`.
 */
function isExample(text: string): boolean {
  if (/\$\{?[A-Za-z_]/.test(text)) return true;
  const password = /:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/.exec(text)?.[1];
  return password !== undefined && (isPlaceholder(password) || /^[a-z]{1,12}$/i.test(password));
}

/**
 * Suggests a setting for a field: `ORDERS_TOKEN` for `Authorization` if the binding's URL starts
 * with `${ORDERS_URL}` or `https://orders.example.com`.
 */
export function credentialName(field: string, binding: SyntaxNode): string {
  const owner = ownerIn(binding);
  const own = fieldName(field);
  const name = owner === undefined || own.startsWith(`${owner}_`) ? own : `${owner}_${own}`;
  return /^[A-Z]/.test(name) ? name.slice(0, 64) : "API_TOKEN";
}

/** Converts `X-API-Key` to `API_KEY`. */
function fieldName(field: string): string {
  const name = upperSnake(field.replace(/^x-/i, ""));
  return ["AUTHORIZATION", "AUTH", ""].includes(name) ? "TOKEN" : name;
}

function upperSnake(text: string): string {
  return text
    .slice(0, 60)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .toUpperCase();
}

/** Name of the service that the binding calls, from its first address. */
function ownerIn(binding: SyntaxNode): string | undefined {
  for (const text of textsIn(binding)) {
    const reference =
      /^\s*\$\{([A-Za-z][A-Za-z0-9_]*?)(_?(URL|URI|HOST|ENDPOINT|BASE|ORIGIN))*\}/i.exec(text)?.[1];
    if (reference !== undefined) return upperSnake(reference);
    const host = /:\/\/(?:[^\s/?#@]*@)?([A-Za-z0-9.-]+)/.exec(text)?.[1];
    const label = host === undefined ? undefined : labelOf(host);
    if (label !== undefined) return upperSnake(label);
  }
  return undefined;
}

function textsIn(node: SyntaxNode): readonly string[] {
  if (node.kind === "scalar") return typeof node.value === "string" ? [node.value] : [];
  const nodes = node.kind === "list" ? node.items : node.entries.map((each) => each.value);
  return nodes.flatMap(textsIn);
}

/**
 * The distinctive label of a host: `orders` for `orders.example.com` and `api.orders.com`;
 * undefined for an IP address or `localhost`.
 */
function labelOf(host: string): string | undefined {
  const labels = host.toLowerCase().split(".");
  if (labels.length < 2 || /^[0-9]+$/.test(labels.at(-1) ?? "")) return undefined;
  return labels
    .slice(0, -1)
    .find((label) => /[a-z]/.test(label) && !/^(api|www|rest|gateway|v[0-9]+)$/.test(label));
}
