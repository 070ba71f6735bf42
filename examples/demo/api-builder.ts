/** Handlers of the skill `api-builder`. They compute an API from a request, without a model. */
import type { ApiBuilderHandlers } from "../../generated/api-builder/handlers.js";
import type { Endpoint } from "../../generated/api-builder/schemas/endpoint.js";
import type { Entity, EntityField } from "../../generated/api-builder/schemas/entity.js";

/** Pass these to `configure`. A handler may replace the plan `create-api`; none does here. */
export const apiBuilder = {
  "api-builder/find-entities": ({ request }) => ({ entities: entitiesOf(request) }),
  "api-builder/design-endpoints": ({ base_path, entities }) => ({
    endpoints: entities.flatMap((entity) => endpointsOf(entity, base_path)),
  }),
  "api-builder/write-router": ({ endpoints }) => ({
    path: "router.ts",
    text: routerOf(endpoints),
  }),
  "api-builder/write-types": ({ entities }) => ({
    path: "types.ts",
    text: entities.map(interfaceOf).join("\n"),
  }),
  "api-builder/summarize-api": ({ endpoints, router, title, types }) => ({
    summary: [title, ...endpoints.map(({ method, path }) => `${method} ${path}`)].join("\n"),
    files: [router, types],
  }),
} satisfies ApiBuilderHandlers;

/** Finds `customers (name, email)`: a noun in the plural, and its fields in parentheses. */
function entitiesOf(request: string): Entity[] {
  const found = [...request.matchAll(/([a-z][a-z_]*)\s*\(([^()]*)\)/gi)];
  const paths = found.map(([, noun = ""]) => noun.toLowerCase());
  return found.map(([, , fields = ""], index) => {
    const path = paths[index] ?? "";
    const named = fields.split(",").filter((each) => each.trim() !== "");
    return { name: nameOf(path), path, fields: named.map((each) => fieldOf(each, paths)) };
  });
}

const types = ["string", "number", "boolean", "date"] as const;

/** Reads `total: number`. If the type is missing, the name decides. */
function fieldOf(text: string, paths: readonly string[]): EntityField {
  const [name = "", type = ""] = text.split(":").map((part) => part.trim().toLowerCase());
  const given = types.find((each) => each === type);
  if (given !== undefined) return { name, type: given };
  const target = paths.find((path) => singular(path) === name);
  if (target !== undefined) return { name, type: "reference", entity: nameOf(target) };
  return { name, type: typeByName(name) };
}

function typeByName(name: string): (typeof types)[number] {
  if (/_at$|^date$|_date$/.test(name)) return "date";
  if (/^(?:is|has)_/.test(name)) return "boolean";
  return /^(?:amount|count|price|quantity|total)$/.test(name) ? "number" : "string";
}

function singular(plural: string): string {
  if (plural.endsWith("ies")) return `${plural.slice(0, -3)}y`;
  return plural.endsWith("s") ? plural.slice(0, -1) : plural;
}

/** `order_lines` becomes `OrderLine`. */
function nameOf(path: string): string {
  const words = singular(path).split("_");
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

function endpointsOf({ name, path }: Entity, basePath: string): Endpoint[] {
  const all = `${basePath}/${path}`;
  const one = `${all}/{id}`;
  return [
    { method: "GET", path: all, operation: `list${name}` },
    { method: "POST", path: all, operation: `create${name}` },
    { method: "GET", path: one, operation: `get${name}` },
    { method: "PATCH", path: one, operation: `change${name}` },
    { method: "DELETE", path: one, operation: `delete${name}` },
  ];
}

function routerOf(endpoints: readonly Endpoint[]): string {
  const routes = endpoints.map(
    ({ method, operation, path }) =>
      `  { method: ${JSON.stringify(method)}, path: ${JSON.stringify(path)}, serve: ${operation} },\n`,
  );
  const operations = endpoints.map(({ operation }) => operation).join(", ");
  return `import { ${operations} } from "./operations.js";\n\nexport const routes = [\n${routes.join("")}];\n`;
}

const printed = { boolean: "boolean", date: "Date", number: "number", string: "string" } as const;

function interfaceOf({ fields, name }: Entity): string {
  const lines = fields.map(({ entity, name: field, type }) =>
    type === "reference"
      ? `  readonly ${field}: ${entity}["id"];\n`
      : `  readonly ${field}: ${printed[type]};\n`,
  );
  return `export interface ${name} {\n  readonly id: string;\n${lines.join("")}}\n`;
}
