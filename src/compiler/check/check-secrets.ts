import { bareReference } from "../../kit/bare-reference.js";
import { tokensOf } from "../../kit/template-tokens.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import {
  type MapNode,
  type ScalarNode,
  spanWithin,
  type SyntaxNode,
} from "../../core/syntax-node.js";
import { bindingsIn, schemaKeys } from "./bindings-in.js";
import { declaredPaths, declaredSecrets, skillBindings } from "./declared-secrets.js";
import {
  credentialName,
  isAuthenticationKey,
  isIdentifierKey,
  isPlaceholder,
  isSensitiveKey,
  isSuspectKey,
  knownSecrets,
  looksLikeToken,
  looksRandom,
  startOfCredential,
  withoutPublic,
} from "./plaintext.js";
import { toolAt } from "./tool-at.js";

/**
 * Reports each secret once. In a binding, the field is known, so the help can name the credential
 * to use instead.
 */
export async function checkSecrets(
  syntax: SkillSyntax,
  sources: readonly SourceFile[],
  kinds: KindRegistry,
  report: Report,
): Promise<void> {
  const reported: Span[] = [];
  for (const root of [syntax.frontMatter, syntax.metadata?.root]) {
    for (const { diagnostic, tool } of bindingSecrets(root, kinds)) {
      within(tool, report).add(diagnostic);
      reported.push(diagnostic.span);
    }
  }
  const ownerOf = toolAt(syntax);
  for (const source of sources) {
    for (const diagnostic of await knownSecrets(source))
      if (!isReported(diagnostic, reported))
        within(ownerOf(diagnostic.span), report).add(diagnostic);
  }
}

function within(tool: string | undefined, report: Report): Report {
  return tool === undefined ? report : report.within({ tool });
}

function isReported({ span }: UnratedDiagnostic, reported: readonly Span[]): boolean {
  return reported.some(
    (each) => each.file === span.file && each.start < span.end && span.start < each.end,
  );
}

/** A credential in plain text in a binding, and the tool that it belongs to. */
interface BindingSecret {
  readonly diagnostic: UnratedDiagnostic;
  /** Name of the tool; undefined if the secret is outside every tool. */
  readonly tool: string | undefined;
}

/**
 * Finds plaintext credentials in every `binding:` of the document, and in settings that apply to
 * all bindings. The diagnostics never contain the secret.
 */
function bindingSecrets(
  root: SyntaxNode | undefined,
  kinds: KindRegistry,
): readonly BindingSecret[] {
  const ofSkill = skillBindings(root, kinds).map((node) => ({
    node,
    tool: undefined,
    owner: node,
  }));
  return [...bindingsIn(root), ...ofSkill].flatMap(({ node, owner, tool }) =>
    literalsOf(node, declaredSecrets(node, kinds), declaredPaths(node, owner, kinds)).flatMap(
      (literal) =>
        secretsOf(literal).map((secret) => ({
          tool,
          diagnostic: diagnosticOf(secret, literal, node),
        })),
    ),
  );
}

/**
 * Lists the scalars of a binding. Schemas are only at the top level of a binding. At deeper levels,
 * such as a body or a query, the same keys contain values to send.
 */
function literalsOf(
  binding: MapNode,
  secrets: ReadonlyMap<SyntaxNode, string>,
  paths: ReadonlySet<SyntaxNode>,
): readonly Literal[] {
  const literalsIn = (node: SyntaxNode, key: string, within?: string): readonly Literal[] => {
    if (paths.has(node)) return [];
    const proof = secrets.get(node) ?? within;
    if (node.kind === "list") return node.items.flatMap((each) => literalsIn(each, key, proof));
    if (node.kind === "map")
      return node.entries.flatMap((each) => literalsIn(each.value, each.key.value, proof));
    return typeof node.value === "string" || typeof node.value === "number"
      ? [{ key, node, text: String(node.value), proof }]
      : [];
  };
  return binding.entries
    .filter(({ key }) => !schemaKeys.test(key.value))
    .flatMap(({ key, value }) => literalsIn(value, key.value));
}

function diagnosticOf(
  { field, start, end, isPlaceholder }: Secret,
  { key, node, proof }: Literal,
  binding: SyntaxNode,
): UnratedDiagnostic {
  const known = field === key ? (proof ?? field) : field;
  // A connection is a single setting; no part of it can be another setting.
  const name = key === "connection" ? "CONNECTION_URL" : credentialName(known, binding);
  const span = spanWithin(node, start, end);
  if (isPlaceholder) {
    return {
      code: "credential/placeholder",
      span,
      message: `${quote(field)} holds a placeholder where a credential belongs`,
      help: `write \`\${${name}}\` and set \`${name}\` in the environment or in \`.env\``,
    };
  }
  return {
    code: "credential/plaintext-secret",
    span,
    message: `${quote(field)} holds a secret in plain text`,
    help: `write \`\${${name}}\`${key === "connection" ? " for the whole address" : ""}, set \`${name}\` in the environment or in \`.env\`, and replace the secret, because this file has exposed it`,
    secret: true,
  };
}

/** A scalar and its key. */
interface Literal {
  readonly key: string;
  readonly node: ScalarNode;
  readonly text: string;
  /** Set if the value authenticates a request; then all of it must be settings. */
  readonly proof?: string | undefined;
}

/** A range of a literal that is a credential. */
interface Secret {
  /** Name of the field: a key, or one of a URL's query. */
  readonly field: string;
  readonly start: number;
  readonly end: number;
  readonly isPlaceholder: boolean;
}

/**
 * Finds all credentials in a literal, so that all are masked. If two overlap, the more certain one
 * is used.
 */
function secretsOf({ text, ...rest }: Literal): readonly Secret[] {
  const literal: Literal = { ...rest, text: withoutPublic(rest.proof ?? rest.key, text) };
  const found: Secret[] = [];
  for (const each of [
    ...privateKeys(literal),
    ...underSensitiveKey(literal),
    ...besideSettings(literal),
    ...underAuthenticationKey(literal),
    ...behindReference(literal),
    ...besideReferences(literal),
    ...inAddress(literal),
    ...inQuery(literal),
    ...randomRuns(literal),
  ]) {
    if (found.every((other) => each.end <= other.start || other.end <= each.start))
      found.push(each);
  }
  return found;
}

/** Finds private keys, each as one secret of several lines. */
function privateKeys({ key, text }: Literal): readonly Secret[] {
  const pem = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}-----|$)/g;
  return [...text.matchAll(pem)].map(({ 0: found, index }) => ({
    field: key,
    start: index,
    end: index + found.length,
    isPlaceholder: false,
  }));
}

/** Finds random text beside references in a credential: `Bearer {prefix}-q83vZx0P…`. */
function besideReferences({ key, text }: Literal): readonly Secret[] {
  if (!isSensitiveKey(key) && !isAuthenticationKey(key)) return [];
  if (!refersElsewhere(text)) return [];
  const fixed = text.replace(/\$?\{[^{}]*\}/g, (part) => " ".repeat(part.length));
  return [...fixed.matchAll(/[A-Za-z0-9_+=~/-]{20,}/g)]
    .filter(({ 0: run }) => isRandomRun(run))
    .map(({ 0: run, index }) => ({
      field: key,
      start: index,
      end: index + run.length,
      isPlaceholder: false,
    }));
}

/** Text beside a setting that is a scheme or a prefix: `Token ${KEY}`, `DeepL-Auth-Key ${KEY}`. */
const besideSetting = /^[^\d]*$|^\D{0,3}\d?\D{0,3}$|^s%3A$/i;

/** Finds fixed text beside the settings of an authentication value. */
function besideSettings({ key, proof, text }: Literal): readonly Secret[] {
  if (proof === undefined || !holdsReference(text)) return [];
  const fixed = [...tokensOf(text)]
    .map(({ literal, raw }) => (literal === undefined ? " ".repeat(raw.length) : raw))
    .join("");
  return [...fixed.matchAll(/\S{3,}/g)]
    .filter(({ 0: run }) => !besideSetting.test(run))
    .map(({ 0: run, index }) => ({
      field: key,
      start: index,
      end: index + run.length,
      isPlaceholder: false,
    }));
}

/** Checks for a reference. It may lack braces, because another check reports that. */
function holdsReference(text: string): boolean {
  return (
    bareReference(text) !== undefined ||
    [...tokensOf(text)].some(({ literal }) => literal === undefined)
  );
}

function underSensitiveKey({ key, proof, text }: Literal): readonly Secret[] {
  const start = startOfCredential(text);
  const value = text.slice(start).trimEnd();
  const isLiteral =
    proof === undefined ? isSensitiveKey(key) && !refersElsewhere(text) : !holdsReference(text);
  if (!isLiteral || value.length < 3) return [];
  return [{ field: key, start, end: start + value.length, isPlaceholder: isPlaceholder(value) }];
}

/**
 * Finds a token under an authentication key. `auth` may name a way to authenticate, so the value
 * must also look like a token.
 */
function underAuthenticationKey({ key, text }: Literal): readonly Secret[] {
  const start = startOfCredential(text);
  const value = text.slice(start).trimEnd();
  const isSecret = isAuthenticationKey(key) && !refersElsewhere(text) && looksLikeToken(value);
  return isSecret ? [{ field: key, start, end: start + value.length, isPlaceholder: false }] : [];
}

/**
 * Finds a secret behind a reference at the end of a credential: `Basic ${USER}hunter2abc`. Plain
 * words (`${TOKEN}:x-oauth-basic`) and digits are not secrets. Text after any other character is a
 * separate field.
 */
function behindReference({ key, text }: Literal): readonly Secret[] {
  if (!isAuthenticationKey(key)) return [];
  const colon = /^\s*basic\s/i.test(text) ? ":?" : "";
  const found = new RegExp(`\\}${colon}([A-Za-z0-9][^\\s"',;=/{}]{5,})\\s*$`, "d").exec(text);
  const range = found?.indices?.[1];
  const tail = found?.[1] ?? "";
  if (range === undefined || !/[0-9]/.test(tail) || !/[A-Za-z]/.test(tail)) return [];
  return [{ field: key, start: range[0], end: range[1], isPlaceholder: isPlaceholder(tail) }];
}

/**
 * Checks for a reference: to a credential, with or without braces, to a parameter, or by JSONPath
 * to a part of a response.
 */
function refersElsewhere(text: string): boolean {
  return /\{[^{}]+\}|^\$[.[]/.test(text) || bareReference(text) !== undefined;
}

/** Finds passwords in addresses: `scheme://user:password@host`. */
function inAddress({ text }: Literal): readonly Secret[] {
  const found = /:\/\/[^\s/?#@:]*:([^\s/?#]+)@/d.exec(text);
  const range = found?.indices?.[1];
  const password = found?.[1];
  if (range === undefined || password === undefined || refersElsewhere(password)) return [];
  return [{ field: "password", start: range[0], end: range[1], isPlaceholder: false }];
}

function inQuery({ text }: Literal): readonly Secret[] {
  return [...text.matchAll(/[?&]([^\s=&#{}]{1,100})=([^\s&#]+)/dg)].flatMap((found) => {
    const [, field = "", value = ""] = found;
    const range = found.indices?.[2];
    if (range === undefined || refersElsewhere(value)) return [];
    const isSecret =
      isSensitiveKey(field) ||
      (!isIdentifierKey(field) &&
        (isSuspectKey(field) || value.length >= 32) &&
        looksRandom(value));
    return isSecret
      ? [{ field, start: range[0], end: range[1], isPlaceholder: isPlaceholder(value) }]
      : [];
  });
}

/**
 * Finds words with long random text. Skips URLs, whose paths contain identifiers, and file names.
 */
function randomRuns({ key, text }: Literal): readonly Secret[] {
  if (isIdentifierKey(key)) return [];
  const masked = text.replace(/[A-Za-z]{1,20}:\/\/\S*|\$?\{[^{}]*\}[/\w.~-]*/g, (part) =>
    " ".repeat(part.length),
  );
  return [...masked.matchAll(/\S{16,}/g)].flatMap(({ 0: word, index }) =>
    (word.match(/[A-Za-z0-9_+=~/-]{16,}/g) ?? []).some((run) => isRandomRun(run))
      ? [{ field: key, start: index, end: index + word.length, isPlaceholder: false }]
      : [],
  );
}

/**
 * Base64 may contain slashes, but a path counts as random only if the text between its slashes is
 * random.
 */
function isRandomRun(run: string): boolean {
  return looksRandom(run.includes("/") ? run.replaceAll("/", "") : run);
}
