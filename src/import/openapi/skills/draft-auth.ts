/** Derives the authentication of requests. */
import { quote } from "../../../core/names.js";
import type { Api, Parameter, Requirement, SecurityScheme } from "../model.js";
import type { Note } from "../note.js";
import { settingName } from "./names.js";
import { whyUnsendable } from "./sendable.js";
import type { TokenUrl, TokenUrls } from "./token-urls.js";

/** Schemes to use together; empty if there is no authentication. */
export type AuthDraft = readonly SchemeDraft[];

export type SchemeDraft =
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  | { readonly kind: "bearer"; readonly token: string }
  | {
      readonly kind: "api_key";
      readonly in: "query" | "header" | "cookie";
      readonly name: string;
      readonly value: string;
    }
  | {
      readonly kind: "oauth2";
      readonly grant: "client_credentials" | "refresh_token";
      readonly tokenUrl: TokenUrl;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken?: string;
      readonly scopes: readonly string[];
    }
  | { readonly kind: "client_certificate"; readonly cert: string; readonly key: string }
  | { readonly kind: "aws_sigv4"; readonly service: string };

export interface AuthContext {
  readonly schemes: Api["schemes"];
  /** Schemes for single operations, which have settings of their own. */
  readonly given: NonNullable<Api["givenSchemes"]>;
  /** Name of the API in the names of settings. */
  readonly name: string;
  readonly tokenUrls: TokenUrls;
}

/**
 * Chooses the first alternative that a tool can express. If anonymous calls are allowed beside
 * others, chooses one of the others.
 */
export function draftAuth(
  requirements: readonly Requirement[],
  context: AuthContext,
  note: (note: Note) => void,
): AuthDraft {
  const { given, name: api, schemes } = context;
  const named = requirements.filter(({ length }) => length > 0);
  const isAlone = schemes.size === 1;
  const drafts = named.map((requirement) =>
    requirement.map((each) => {
      const own = given.get(each.scheme);
      const scheme = own ?? schemes.get(each.scheme);
      const [, word = each.scheme] = own === undefined ? [] : each.scheme.split(":");
      const words = isAlone && own === undefined ? [api] : [api, word];
      return scheme && draftScheme(scheme, each, words, context);
    }),
  );
  const usable = drafts.flatMap((all, index) =>
    all.every((each) => each !== undefined) ? [index] : [],
  );
  const isOnly = (kind: SchemeDraft["kind"]) => (index: number | undefined) =>
    index !== undefined && drafts[index]?.length === 1 && drafts[index][0]?.kind === kind;
  // Prefer one secret to basic's two, of which the second is often empty.
  const bearer = isOnly("basic")(usable[0]) ? usable.find(isOnly("bearer")) : undefined;
  const chosen = bearer ?? usable[0] ?? -1;
  for (const [index, requirement] of named.entries()) {
    const [first] = requirement;
    if (index === chosen || first === undefined) continue;
    const names = requirement.map(({ scheme }) => quote(scheme)).join(" and ");
    const unknown = requirement.find(({ scheme }) => !schemes.has(scheme));
    const wouldDo = drafts[index]?.every((each) => each !== undefined) === true;
    const message =
      unknown === undefined
        ? wouldDo
          ? `the document also allows ${names}, but the import takes ${bearer === undefined ? "the first entry" : "the bearer token"}`
          : `tools do not support the authentication ${names}`
        : `the document declares no security scheme ${quote(unknown.scheme)}`;
    const code = wouldDo ? "import/taken-otherwise" : "import/part-left-out";
    note({ code, at: first.at, message });
  }
  const taken = named[chosen]?.[0];
  if (taken !== undefined && named.length < requirements.length)
    note({
      code: "import/taken-otherwise",
      at: taken.at,
      message: "the document also allows calls without authentication",
      help: "to call without authentication, write `auth: none` into the tool's binding in metadata.yaml",
    });
  const all = (drafts[chosen] ?? []).filter((each) => each !== undefined);
  return withoutRepeats(all, named[chosen] ?? [], schemes, note);
}

/** Removes schemes that write the same thing as another one. */
function withoutRepeats(
  all: AuthDraft,
  requirement: Requirement,
  schemes: Api["schemes"],
  note: (note: Note) => void,
): AuthDraft {
  return all.filter((scheme, index) => {
    const { at, scheme: declared } = requirement[index] ?? {};
    if (at === undefined || declared === undefined) return true;
    const addNote = (message: string) => note({ code: "import/part-left-out", at, message });
    if (
      scheme.kind === "bearer" &&
      schemes.get(declared)?.kind === "oauth2" &&
      hasGrant(schemes.get(declared))
    )
      addNote(
        `the token endpoint of ${quote(declared)} is not an absolute https URL without a query, so a setting holds the token itself`,
      );
    const place = placeOf(scheme);
    const before = all
      .slice(0, index)
      .findIndex((each) => place !== undefined && placeOf(each) === place);
    if (before < 0) return true;
    const other = requirement[before]?.scheme ?? "";
    addNote(
      `the import leaves out ${quote(declared)}, because ${quote(other)} already writes the ${place}`,
    );
    return false;
  });
}

/** Describes the scheme's place in the request; undefined if it has none. */
function placeOf(scheme: SchemeDraft): string | undefined {
  if (scheme.kind === "client_certificate") return undefined;
  if (scheme.kind !== "api_key") return "header `authorization`";
  const { in: where, name } = scheme;
  if (where === "header") return `header ${quote(name.toLowerCase())}`;
  return `${where === "query" ? "query parameter" : "cookie"} ${quote(name)}`;
}

function hasGrant(scheme: SecurityScheme | undefined): boolean {
  return (
    scheme?.kind === "oauth2" &&
    (scheme.clientCredentials !== undefined || scheme.refresh !== undefined)
  );
}

/**
 * Removes parameters that the authentication sets, because the request would contain the caller's
 * value too.
 */
export function withoutProofs(
  parameters: readonly Parameter[],
  auth: AuthDraft,
  note: (note: Note) => void,
): readonly Parameter[] {
  const places = new Set(auth.flatMap((scheme) => placeOf(scheme) ?? []));
  return withoutSignature(parameters, auth, note).filter(({ at, in: where, name }) => {
    if (where === "path") return true;
    const place = placeOf({ kind: "api_key", in: where, name, value: "" });
    if (place === undefined || !places.has(place)) return true;
    const message = `the authentication sets the ${place}, so the import leaves this parameter out`;
    note({ code: "import/taken-otherwise", at, message });
    return false;
  });
}

/** Names of headers and query parameters of AWS's signatures. */
const ofSignature =
  /^x-amz-(?:algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders)$/i;

/** Removes the parts of a signature, which no caller can write. */
function withoutSignature(
  parameters: readonly Parameter[],
  auth: AuthDraft,
  note: (note: Note) => void,
): readonly Parameter[] {
  const isSigned = auth.some(({ kind }) => kind === "aws_sigv4");
  const parts = parameters.filter(
    ({ in: where, isRequired, name }) =>
      where !== "path" && ofSignature.test(name) && (isSigned || !isRequired),
  );
  const [first] = parts;
  if (first === undefined) return parameters;
  const names = parts.map(({ name }) => quote(name)).join(", ");
  note({
    code: isSigned ? "import/taken-otherwise" : "import/part-left-out",
    at: first.at,
    message: `parts of a signature become no parameters, because no caller can write them: ${names}`,
  });
  return parameters.filter((each) => !parts.includes(each));
}

function draftScheme(
  scheme: SecurityScheme,
  { at, scopes }: Requirement[number],
  words: readonly string[],
  { tokenUrls }: AuthContext,
): SchemeDraft | undefined {
  // The word `apiKey` already means a key.
  const setting = (...more: readonly string[]): string => {
    const name = settingName(...words);
    const rest = more.join("_").toUpperCase();
    return name.endsWith(`_${rest}`) && words.length > 1 ? name : settingName(...words, ...more);
  };
  switch (scheme.kind) {
    case "basic":
      return { kind: "basic", user: setting("user"), password: setting("password") };
    case "bearer":
      return { kind: "bearer", token: setting("token") };
    case "apiKey":
      if (scheme.name === "" || whyUnsendable(scheme) !== undefined) return undefined;
      return { kind: "api_key", in: scheme.in, name: scheme.name, value: setting("key") };
    case "mutualTLS":
      return { kind: "client_certificate", cert: setting("cert"), key: setting("cert", "key") };
    case "awsSigV4":
      return { kind: "aws_sigv4", service: scheme.service };
    case "oauth2": {
      const address = tokenAddress(scheme.clientCredentials ?? scheme.refresh);
      if (address === undefined) return { kind: "bearer", token: setting("token") };
      const clientId = setting("client", "id");
      return {
        kind: "oauth2",
        grant: scheme.clientCredentials === undefined ? "refresh_token" : "client_credentials",
        tokenUrl: tokenUrls.written(address, { clientId, own: setting("token", "url"), at }),
        clientId,
        clientSecret: setting("client", "secret"),
        ...(scheme.clientCredentials === undefined && {
          refreshToken: setting("refresh", "token"),
        }),
        scopes,
      };
    }
    case "other":
      return undefined;
  }
}

/**
 * Returns the URL if secrets may be sent there. It must be an absolute https URL of origin and
 * path, without a secret in it.
 */
function tokenAddress(written: string | undefined): string | undefined {
  if (written === undefined || !URL.canParse(written)) return undefined;
  const url = new URL(written);
  if (url.protocol !== "https:" || url.search !== "") return undefined;
  url.username = "";
  url.password = "";
  url.hash = "";
  return url.href;
}

/** Describes the authentication for SKILL.md. */
export function authWords(auth: AuthDraft): string {
  return auth.map(wordsOf).join(", and ");
}

function wordsOf(scheme: SchemeDraft): string {
  switch (scheme.kind) {
    case "basic":
      return "a user and a password";
    case "bearer":
      return "a bearer token";
    case "api_key":
      return "an API key";
    case "oauth2":
      return "an OAuth 2.0 token, which the runtime gets and renews";
    case "client_certificate":
      return "a client certificate";
    case "aws_sigv4":
      return "a signature of AWS";
  }
}

/** Settings of AWS's signatures by their keys, with the names that AWS's own programs use. */
export const awsSettings = {
  access_key: "AWS_ACCESS_KEY_ID",
  secret_key: "AWS_SECRET_ACCESS_KEY",
  region: "AWS_REGION",
} as const;

/** Names of the settings with its secrets. */
export function settingsOf(auth: AuthDraft): readonly string[] {
  return auth.flatMap((scheme) => {
    switch (scheme.kind) {
      case "basic":
        return [scheme.user, scheme.password];
      case "bearer":
        return [scheme.token];
      case "api_key":
        return [scheme.value];
      case "oauth2":
        return [
          ...(scheme.tokenUrl.ownSetting === undefined ? [] : [scheme.tokenUrl.ownSetting]),
          scheme.clientId,
          scheme.clientSecret,
          ...(scheme.refreshToken === undefined ? [] : [scheme.refreshToken]),
        ];
      case "client_certificate":
        return [scheme.cert, scheme.key];
      case "aws_sigv4":
        return Object.values(awsSettings);
    }
  });
}
