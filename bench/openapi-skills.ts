import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Value = unknown;
type Keys = Readonly<Record<string, Value>>;

/** An OpenAPI 3.0 document. */
export interface Document {
  readonly paths: Readonly<Record<string, Keys>>;
  readonly components: Readonly<Record<string, Keys>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Keys[];
  readonly requestBody?: Keys;
  readonly responses: Keys;
}

/**
 * Writes a project of which each operation is a tool, each tag a skill, and each component a file
 * that tools refer to: as much of an import as a measurement needs.
 *
 * @returns how many tools there are
 */
export function writeSkills(folder: string, document: Document): number {
  const skills = new Map<string, { readonly tools: Record<string, object> }>();
  let count = 0;
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ["get", "put", "post", "patch", "delete"]) {
      // OpenAPI says so.
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) continue;
      const tag = (operation.tags?.[0] ?? "other").replaceAll("_", "-");
      const skill = skills.get(tag) ?? { tools: {} };
      skills.set(tag, skill);
      const last =
        operation.operationId
          .split("/")
          .at(-1)
          ?.slice(0, 60 - tag.length) ?? "";
      const name = last === "delete" ? `delete-${tag}` : last;
      skill.tools[name] = toolOf(document, operation, method, path);
      count += 1;
    }
  }
  const files = {
    "skillc.yaml": "skills: skills\nout: generated\n",
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2023",
        module: "nodenext",
        strict: true,
        skipLibCheck: true,
        types: [],
      },
      include: ["generated"],
    }),
  };
  for (const [path, text] of Object.entries(files)) write(folder, path, text);
  for (const [tag, { tools }] of skills) {
    write(folder, `skills/${tag}/SKILL.md`, `---\nname: ${tag}\ndescription: ${tag}.\n---\n`);
    write(folder, `skills/${tag}/metadata.json`, JSON.stringify({ tools }, undefined, 2));
  }
  for (const [name, schema] of Object.entries(document.components["schemas"] ?? {}))
    write(
      folder,
      `skills/schemas/${name}.json`,
      JSON.stringify(converted(schema, "./"), undefined, 2),
    );
  return count;
}

function toolOf(document: Document, operation: Operation, method: string, path: string): object {
  const properties: Record<string, Value> = {};
  const query: Record<string, string> = {};
  const required: string[] = [];
  for (const each of operation.parameters ?? []) {
    const { in: place, name, required: isRequired, schema } = resolved(document, each);
    if (place === "header" || typeof name !== "string") continue;
    const { default: _, ...own } = converted(schema, "../schemas/") as Keys;
    properties[name] = own["type"] === "string" ? { ...own, minLength: 1 } : own;
    if (place === "query") query[name] = `{${name}}`;
    if (place === "path" || isRequired === true) required.push(name);
  }
  const body = schemaIn(document, operation.requestBody);
  if (body !== undefined) properties["body"] = converted(body, "../schemas/");
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const answer = schemaIn(document, success?.[1] as Keys | undefined);
  return {
    description: [operation.summary, operation.description].filter(Boolean).join("\n\n"),
    parameters: { type: "object", additionalProperties: false, required, properties },
    ...(answer !== undefined && { returns: converted(answer, "../schemas/") }),
    binding: {
      type: "http",
      method: method.toUpperCase(),
      url: `\${API_URL}${path}`,
      ...(Object.keys(query).length > 0 && { query }),
      ...(body !== undefined && { body_template: "{body}" }),
    },
  };
}

function resolved(document: Document, value: Keys | undefined): Keys {
  const reference = value?.["$ref"];
  if (typeof reference !== "string") return value ?? {};
  const [, , kind = "", name = ""] = reference.split("/");
  return resolved(document, document.components[kind]?.[name] as Keys | undefined);
}

function schemaIn(document: Document, value: Keys | undefined): Value {
  const content = resolved(document, value)["content"] as
    Readonly<Record<string, Keys>> | undefined;
  return content?.["application/json"]?.["schema"];
}

const dropped: ReadonlySet<string> = new Set(
  "nullable discriminator example examples xml externalDocs exclusiveMinimum exclusiveMaximum default".split(
    " ",
  ),
);

/** A schema of OpenAPI 3.0 in the words of JSON Schema. */
function converted(schema: Value, files: string): Value {
  if (Array.isArray(schema)) return schema.map((each) => converted(each, files));
  if (typeof schema !== "object" || schema === null) return schema;
  const keys = schema as Keys;
  if (typeof keys["$ref"] === "string")
    return { $ref: `${files}${keys["$ref"].split("/").at(-1)}.json` };
  const kept = Object.entries(keys).filter(([key]) => !dropped.has(key) && !key.startsWith("x-"));
  const result: Record<string, Value> = {};
  for (const [key, value] of kept) {
    if (key === "properties")
      result[key] = Object.fromEntries(
        Object.entries(value as Keys).map(([name, each]) => [name, converted(each, files)]),
      );
    else if (/^(?:items|additionalProperties|not|allOf|anyOf|oneOf)$/.test(key))
      result[key] = converted(value, files);
    else result[key] = value;
  }
  return keys["nullable"] === true ? { anyOf: [result, { type: "null" }] } : result;
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
