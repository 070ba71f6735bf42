/**
 * Reads a description as an `Api`. Only this folder knows the differences between versions:
 * `swagger-2.ts` reads parameters, bodies, responses and schemes of Swagger 2.0, `openapi-3.ts`
 * those of OpenAPI 3.0, 3.1 and 3.2.
 */
import { isJsonObject } from "../../../core/json.js";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { fragmentProblem, sentPath } from "../fragments.js";
import type { Api, Operation, Parameter, Requirement } from "../model.js";
import type { Note } from "../note.js";
import { withBraces } from "../path-notation.js";
import { type Part, placeBelow } from "../read/document.js";
import type { Documents } from "../read/documents.js";
import { entriesIn, isSet, itemsIn, textIn, under } from "../read/parts.js";
import { openApi3 } from "./openapi-3.js";
import { swagger2 } from "./swagger-2.js";
import { followed, type Reader, type Version } from "./version.js";

/** Name of a description's version: `OpenAPI 3.1`. */
export function formatOf(
  root: Part,
): { readonly name: string; readonly version: string } | undefined {
  const swagger = under(root, "swagger")?.value;
  if (swagger === "2.0" || swagger === 2) return { name: "Swagger 2.0", version: "2.0" };
  const written = textIn(root, "openapi");
  const version = /^3\.[012](?=$|\.)/.exec(written ?? "")?.[0];
  return version === undefined ? undefined : { name: `OpenAPI ${version}`, version };
}

/** @returns undefined, with an error in `report`, if the description has no known format */
export function readApi(documents: Documents, report: Report): Api | undefined {
  const { root } = documents;
  const format = formatOf(root);
  if (format === undefined) {
    reportFormat(root, report);
    return undefined;
  }
  const version = format.version === "2.0" ? swagger2 : openApi3;
  const notes: Note[] = [];
  const reader: Reader = { documents, root, note: (note) => void notes.push(note) };
  const info = under(root, "info");
  const description = textIn(info, "description");
  const apiVersion = textIn(info, "version");
  const operations = readPaths(version, reader);
  for (const [name, hook] of entriesIn(under(root, "webhooks")))
    notes.push({
      code: "import/part-left-out",
      at: hook.at,
      message: `the webhook ${quote(name)} becomes no tool, because the API makes this call`,
    });
  return {
    format: format.name,
    title: textIn(info, "title") ?? "API",
    ...(description !== undefined && { description }),
    ...(apiVersion !== undefined && { version: apiVersion }),
    tags: tagsOf(root),
    operations: withRepeats(operations),
    schemes: version.schemes(reader),
    security: requirementsOf(under(root, "security")) ?? [],
    servers: version.servers(root, reader),
    notes,
  };
}

function reportFormat(root: Part, report: Report): void {
  const { file } = root.at.document;
  const written = ["openapi", "swagger"].flatMap((key) => {
    const value = under(root, key)?.value;
    return value === undefined ? [] : [`${key}: ${shown(JSON.stringify(value))}`];
  });
  report.add({
    code: "import/unknown-format",
    span: { file: file.path, start: 0, end: 1 },
    message:
      written[0] === undefined
        ? "the document does not describe an API: it has neither `openapi` nor `swagger`"
        : `skillc does not read the version \`${written[0]}\``,
    help: 'skillc reads OpenAPI 3.0, 3.1 and 3.2 (`openapi: 3.1.0`), and Swagger 2 (`swagger: "2.0"`)',
  });
}

function tagsOf(root: Part): ReadonlyMap<string, string> {
  return new Map(
    itemsIn(under(root, "tags")).flatMap((tag) => {
      const name = textIn(tag, "name");
      const words = textIn(tag, "description") ?? textIn(tag, "summary") ?? "";
      return name === undefined ? [] : [[name, words] as const];
    }),
  );
}

/** Keys of a path that are methods. OpenAPI 3.2 adds QUERY, and a key for all other methods. */
const methods = ["get", "put", "post", "delete", "patch", "head", "options", "trace", "query"];

/** The methods that a binding supports. */
const sent: ReadonlySet<string> = new Set(["GET", "PUT", "POST", "DELETE", "PATCH"]);

function readPaths(version: Version, reader: Reader): readonly Operation[] {
  return entriesIn(under(reader.root, "paths")).flatMap(([path, written]) => {
    if (path.startsWith("x-")) return [];
    const item = followed(written, reader, "path");
    if (item === undefined) return [];
    const own = methods.flatMap((method) => {
      const operation = under(item, method);
      return operation === undefined ? [] : [[method.toUpperCase(), operation] as const];
    });
    const more = entriesIn(under(item, "additionalOperations"));
    return [...own, ...more].map(([method, operation]) =>
      readOperation({ method, path, operation, item }, version, reader),
    );
  });
}

interface OperationEntry {
  readonly method: string;
  readonly path: string;
  readonly operation: Part;
  readonly item: Part;
}

function readOperation(
  { item, method, operation, path }: OperationEntry,
  version: Version,
  { documents, root }: Reader,
): Operation {
  const notes: Note[] = [];
  const reader: Reader = { documents, root, note: (note) => void notes.push(note) };
  const { body, parameters } = version.parameters(operation, under(item, "parameters"), reader);
  const obstacle = obstacleOf(method, path, operation, parameters);
  const texts = {
    id: textIn(operation, "operationId"),
    summary: textIn(operation, "summary"),
    description: textIn(operation, "description"),
  };
  const ownServers = version.servers(operation, reader);
  for (const [name, callback] of entriesIn(under(operation, "callbacks")))
    notes.push({
      code: "import/part-left-out",
      at: callback.at,
      message: `the callback ${quote(name)} becomes no tool, because the API makes this call`,
    });
  const security = requirementsOf(under(operation, "security"));
  return {
    method,
    path,
    at: operation.at,
    ...withoutUndefined(texts),
    tags: itemsIn(under(operation, "tags")).flatMap(({ value }) =>
      typeof value === "string" ? [value] : [],
    ),
    isDeprecated: isSet(operation, "deprecated"),
    parameters,
    ...(body && { body }),
    responses: version.responses(operation, reader),
    ...(security && { security }),
    servers: ownServers.length > 0 ? ownServers : version.servers(item, reader),
    notes,
    ...(obstacle && { obstacle }),
  };
}

function withoutUndefined<T extends object>(values: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  // Only undefined entries were removed.
  return Object.fromEntries(defined) as { [Key in keyof T]?: NonNullable<T[Key]> };
}

function obstacleOf(
  method: string,
  path: string,
  operation: Part,
  parameters: readonly Parameter[],
): Note | undefined {
  const because = (message: string): Note => ({
    code: "import/operation-left-out",
    at: operation.at,
    message,
  });
  if (!isJsonObject(operation.value)) return because("this operation is not an object");
  if (!sent.has(method)) return because(`${quote(method)} is not a method that tools send`);
  if (!path.startsWith("/")) return because(`the path ${quote(path)} doesn't begin with \`/\``);
  const expression = /\{[?&;/][^{}]*\}/.exec(path)?.[0];
  if (expression !== undefined)
    return because(
      `${quote(expression)} in the path ${quote(path)} is an expression of a URI template, not a path parameter`,
    );
  const fragment = fragmentProblem(path, parameters);
  if (fragment !== undefined) return because(fragment);
  if (
    sentPath({ path })
      .split(/[/?]/)
      .some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
  )
    return because(`the path ${quote(path)} has a segment of only dots`);
  return undefined;
}

/** Alternative requirements; undefined if the part states none. */
function requirementsOf(part: Part | undefined): readonly Requirement[] | undefined {
  if (part === undefined || !Array.isArray(part.value)) return undefined;
  return itemsIn(part).map((item) =>
    entriesIn(item).map(([scheme, scopes]) => ({
      scheme,
      at: scopes.at,
      scopes: itemsIn(scopes).flatMap(({ value }) => (typeof value === "string" ? [value] : [])),
    })),
  );
}

/**
 * Adds notes about operations with the same id, and about paths that differ only in the names of
 * parameters.
 */
function withRepeats(operations: readonly Operation[]): readonly Operation[] {
  const ids = new Map<string, Operation>();
  const routes = new Map<string, Operation>();
  return operations.map((operation) => {
    const notes = [...operation.notes];
    const { at, id, method, path } = operation;
    const first = id === undefined ? undefined : ids.get(id);
    if (id !== undefined && first === undefined) ids.set(id, operation);
    if (id !== undefined && first !== undefined)
      notes.push({
        code: "import/repeated-operation",
        at: placeBelow(at, "operationId"),
        message: `\`${first.method} ${shown(first.path)}\` has the same operationId ${quote(id)}`,
      });
    const route = `${method} ${withBraces(path).replace(/\{[^{}]*\}/g, "{}")}`;
    const twin = routes.get(route);
    if (twin === undefined) routes.set(route, operation);
    else if (twin.path !== path)
      notes.push({
        code: "import/repeated-operation",
        at,
        message: `the path differs from \`${twin.method} ${shown(twin.path)}\` only in the names of its parameters`,
      });
    return { ...operation, notes };
  });
}
