/**
 * Prints HTTP bindings; no other module of the import does. docs/skills/reference.md describes
 * their keys.
 */
import { type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import type { AnswersDraft, StatusDraft } from "./draft-answers.js";
import { type AuthDraft, awsSettings, type SchemeDraft } from "./draft-auth.js";
import type { MultipartField, BodyDraft } from "./draft-body.js";
import type { PlacedParameter } from "./draft-parameters.js";
import type { RequestDraft } from "./draft-request.js";
import { literalText } from "../../skills/texts.js";
import type { ToolParameter } from "./tool-parameter.js";

export interface BindingDraft {
  readonly method: string;
  readonly path: string;
  /** Name of the setting with origin and base path. */
  readonly server: string;
  readonly request: RequestDraft;
  readonly answers: AnswersDraft;
  /** Absent if the skill's authentication applies. */
  readonly auth?: AuthDraft;
}

export function toBinding(draft: BindingDraft): JsonObject {
  const { answers, auth, method, request, server } = draft;
  const at = (where: string) => request.placed.filter(({ source }) => source.in === where);
  const headers = {
    ...contentType(request.body),
    ...(answers.accept !== undefined && { Accept: literalText(answers.accept) }),
    ...entries(at("header"), styled("simple", false)),
  };
  const binding: Record<string, JsonValue | undefined> = {
    type: "http",
    method,
    url: `\${${server}}${urlPath(draft)}`,
    path: some(styledSegments(at("path"))),
    query: some(entries(at("query"), styled("form", true))),
    headers: some(headers),
    cookies: some(entries(at("cookie"), styled("form", true))),
    auth: auth && authValue(auth),
    ...bodyOf(request, method),
    response: answers.form === "json" ? undefined : answers.form,
    response_schema: answers.response,
    error_schema: answers.error,
    response_mapping: some({
      ...(answers.headers.some(isMapped) && { headers: headersOf(answers.headers) }),
      ...(answers.statuses.length > 0 && { status_codes: statusCodes(answers.statuses) }),
    }),
    paginate: answers.pages && { next: "link_header", ...answers.pages },
  };
  return defined(binding);
}

/** Value of `auth:`, beside tools or in a binding. */
export function authValue(auth: AuthDraft): JsonValue {
  const [first, ...others] = auth.map(schemeValue);
  if (first === undefined) return "none";
  return others.length === 0 ? first : [first, ...others];
}

function schemeValue(scheme: SchemeDraft): JsonObject {
  const setting = (name: string): string => `\${${name}}`;
  switch (scheme.kind) {
    case "basic":
      return { basic: [setting(scheme.user), setting(scheme.password)] };
    case "bearer":
      return { bearer: setting(scheme.token) };
    case "api_key":
      return { api_key: { in: scheme.in, name: scheme.name, value: setting(scheme.value) } };
    case "client_certificate":
      return { client_certificate: { cert: setting(scheme.cert), key: setting(scheme.key) } };
    case "aws_sigv4": {
      const { access_key, region, secret_key } = awsSettings;
      return {
        aws_sigv4: {
          access_key: setting(access_key),
          secret_key: setting(secret_key),
          region: setting(region),
          service: literalText(scheme.service),
        },
      };
    }
    case "oauth2":
      return {
        oauth2: defined({
          grant: scheme.grant,
          token_url: scheme.tokenUrl.text,
          client_id: setting(scheme.clientId),
          client_secret: setting(scheme.clientSecret),
          refresh_token: scheme.refreshToken && setting(scheme.refreshToken),
          scopes: scheme.scopes.length === 0 ? undefined : scheme.scopes,
        }),
      };
  }
}

function defined(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(values))
    if (value !== undefined) setOwn(kept, key, value);
  return kept;
}

function some(values: JsonObject): JsonObject | undefined {
  return Object.keys(values).length === 0 ? undefined : values;
}

const reference = ({ name }: ToolParameter): string => `{${name}}`;

/** The path with the tool's parameter names as placeholders; the rest is literal. */
function urlPath({ path, request }: BindingDraft): string {
  const names = new Map(
    request.placed.filter(({ source }) => source.in === "path").map((each) => [each.wire, each]),
  );
  return path
    .split(/(\{[^{}]+\})/)
    .map((piece, index, pieces) => {
      const parameter = index % 2 === 1 ? names.get(piece.slice(1, -1)) : undefined;
      if (parameter !== undefined) return reference(parameter);
      const text = literalText(encoded(piece));
      // A `$` before a placeholder would turn it into a setting.
      const isBefore = index + 1 < pieces.length;
      return isBefore ? text.replace(/\$+$/, (run) => run + run) : text;
    })
    .join("");
}

/** Encodes characters that a URL can't contain; an existing escape with `%` stays. */
function encoded(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\x21-\x7e]+|[\\"<>^`|]|%(?![0-9A-Fa-f]{2})/g, encodeURIComponent);
}

type Entry = (parameter: PlacedParameter) => JsonValue;

function entries(parameters: readonly PlacedParameter[], entry: Entry): JsonObject {
  const all: Record<string, JsonValue> = {};
  for (const parameter of parameters) setOwn(all, parameter.wire, entry(parameter));
  return all;
}

/** Writes a value in the short form if it uses the default style. */
function styled(style: string, explode: boolean): Entry {
  return (parameter) => {
    const { constant, shape, source } = parameter;
    if (constant !== undefined) return literalText(constant);
    const isUsual = source.style === style && !source.allowReserved;
    const isSimple = shape === "scalar" || (shape === "list" && style === "form");
    if (isUsual && isSimple && (shape === "scalar" || source.explode === explode))
      return reference(parameter);
    return longForm(parameter);
  };
}

function longForm(parameter: PlacedParameter): JsonObject {
  const { allowReserved, explode, style } = parameter.source;
  return {
    value: reference(parameter),
    style,
    explode,
    ...(allowReserved && { allow_reserved: true }),
  };
}

/** Path parameters that aren't plain segments. The URL refers to them like any parameter. */
function styledSegments(parameters: readonly PlacedParameter[]): JsonObject {
  const own = parameters.filter(
    ({ shape, source }) => shape !== "scalar" || source.style !== "simple" || source.allowReserved,
  );
  return Object.fromEntries(own.map((each) => [each.name, longForm(each)]));
}

function contentType(body: BodyDraft | undefined): JsonObject {
  const isOwn =
    (body?.kind === "properties" || body?.kind === "whole") && body.type !== "application/json";
  return isOwn ? { "Content-Type": body.type } : {};
}

/**
 * Body of the binding, written out in full. If somebody removes the place of a parameter, the
 * parameter must not move into the body.
 */
function bodyOf({ body, placed }: RequestDraft, method: string): JsonObject {
  switch (body?.kind) {
    case undefined: {
      const mayHaveBody = method !== "GET" && method !== "DELETE";
      return mayHaveBody && placed.length > 0 ? { body: "none" } : {};
    }
    case "properties":
      return { body: { json: byWire(body.fields, reference) } };
    case "whole":
      return { body: { json: reference(body.value) } };
    case "form":
    case "whole-form":
      return {
        body: {
          form: body.kind === "form" ? byWire(body.fields, reference) : reference(body.value),
          // Brackets are the default.
          ...(body.repeats && { style: "repeat" }),
        },
      };
    case "multipart": {
      const parts = body.fields.filter(({ as }) => as !== "fields");
      const further = body.fields.find(({ as }) => as === "fields");
      return {
        body: {
          multipart: byWire(parts, partValue),
          ...(further && { fields: reference(further) }),
        },
      };
    }
    case "raw":
      return { body: { raw: reference(body.value), type: literalText(body.type) } };
  }
}

function byWire<Field extends ToolParameter>(
  fields: readonly Field[],
  entry: (field: Field) => JsonValue,
): JsonObject {
  const all: Record<string, JsonValue> = {};
  for (const field of fields) setOwn(all, field.wire, entry(field));
  return all;
}

function partValue(field: MultipartField): JsonValue {
  const value = reference(field);
  if (field.as === "text") return value;
  if (field.as === "json") return { json: value };
  return {
    file: value,
    ...(field.contentType !== undefined && { type: literalText(field.contentType) }),
  };
}

function statusCodes(statuses: readonly StatusDraft[]): JsonObject {
  return Object.fromEntries(
    statuses.map(({ code, name, schema }) => [
      code,
      schema === undefined ? name : { as: name, schema },
    ]),
  );
}

/**
 * Checks for a header that is data. The binding follows links itself, and interprets headers about
 * the body.
 */
function isMapped(name: string): boolean {
  return (
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !/^(?:link|content-(?:type|length))$/i.test(name)
  );
}

function headersOf(names: readonly string[]): JsonObject {
  const mapped: Record<string, JsonValue> = {};
  for (const name of names.filter(isMapped)) {
    const key = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "");
    if (/^[a-z]/.test(key)) setOwn(mapped, key, name);
  }
  return mapped;
}
