/** Returns the author's text for a place. Each place is requested once, by its name. */
export type Fill = (place: string) => string;

/**
 * Places where an author may write any text. Names are left out, because skillc rejects unusual
 * names.
 */
export const places = [
  "skill description",
  "body",
  "env",
  "bin",
  "config",
  "description",
  "tag",
  "alias",
  "version",
  "deprecated",
  "deprecated since",
  "used instead",
  "rollback",
  "handler description",
  "title",
  "comment",
  "key",
  "other key",
  "parameter description",
  "example",
  "enum",
  "const",
  "pattern",
  "default",
  "definition key",
  "definition title",
  "definition description",
  "nested key",
  "dependent",
  "returned key",
  "returned enum",
  "returned const",
  "returned title",
  "file title",
  "file key",
  "file enum",
  "url",
  "query key",
  "query value",
  "url query",
  "header value",
  "body key",
  "body text",
  "body inner key",
  "body inner text",
  "mapped path",
  "error path",
  "number key",
  "pattern key",
  "filter",
] as const;

export function hostileProject(folder: string, fill: Fill): Record<string, string> {
  const front = {
    name: folder,
    description: fill("skill description"),
    prerequisites: { env: [fill("env")], bins: [fill("bin")], config: [fill("config")] },
  };
  return {
    [`skills/${folder}/SKILL.md`]: `---\n${ascii(front)}\n---\n${fill("body")}\n`,
    [`skills/${folder}/metadata.json`]: ascii({
      tools: { send: sendTool(fill), find: findTool(fill), handle: handledTool(fill) },
    }),
    [`skills/${folder}/answer.json`]: ascii(answerSchema(fill)),
  };
}

/** Prints JSON in ASCII, which keeps any text intact in a file of any encoding and in YAML. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Makes an object of these entries. `__proto__` becomes an ordinary property. */
function object(...entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** Escapes text for a template: doubles braces, and the dollars before them. */
function escaped(text: string): string {
  return text
    .replace(/\$+(?=[{}])/g, (run) => run + run)
    .replace(/[{}]/g, (brace) => brace + brace);
}

/** Makes a regular expression that matches only this text. */
function matching(text: string): string {
  return `^${text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
}

/** Makes a quoted step of a JSONPath with this name. */
function step(text: string): string {
  return `[${JSON.stringify(text)}]`;
}

/** A write with every feature: parameters of many types, defaults, a body, a mapped answer. */
function sendTool(fill: Fill): object {
  const [key, other] = [fill("key"), fill("other key")];
  const definition = fill("definition key");
  const parameters = {
    type: "object",
    additionalProperties: false,
    title: fill("title"),
    $comment: fill("comment"),
    required: [key, "chosen"],
    properties: object(
      [
        key,
        { type: "string", description: fill("parameter description"), examples: [fill("example")] },
      ],
      [`${other}2`, { type: "string", pattern: matching(fill("pattern")) }],
      ["chosen", { enum: [fill("enum"), "another"] }],
      ["fixed", { const: fill("const") }],
      ["preset", { type: "string", default: fill("default") }],
      ["part", { $ref: `#/$defs/${encodeURIComponent(pointerStep(wellFormed(definition)))}` }],
    ),
    $defs: object([
      wellFormed(definition),
      {
        type: "object",
        title: fill("definition title"),
        description: fill("definition description"),
        properties: object([fill("nested key"), { type: "number" }]),
        dependentRequired: object([fill("dependent"), ["other"]]),
      },
    ]),
  };
  const bodyKey = fill("body key");
  return {
    description: fill("description"),
    tags: [fill("tag")],
    param_aliases: { fixed: [fill("alias")] },
    version: fill("version"),
    deprecated: {
      since: fill("deprecated since"),
      use: fill("used instead"),
      reason: fill("deprecated"),
    },
    rollback: { strategy: "none", reason: fill("reason") },
    parameters,
    returns: returnsSchema(fill),
    unused: [`${other}2`, "fixed", "preset", "part", key],
    binding: {
      type: "http",
      method: "POST",
      url: `https://a.example/x${encodeURIComponent(wellFormed(fill("url")))}?y${encodeURIComponent(wellFormed(fill("url query")))}=1`,
      query: object([`q${fill("query key")}`, escaped(fill("query value"))]),
      headers: { "X-Text": headerText(escaped(fill("header value"))) },
      body_template: object(
        [bodyKey, escaped(fill("body text"))],
        ["inner", [object([fill("body inner key"), escaped(fill("body inner text"))]), "{chosen}"]],
      ),
      response_mapping: {
        path: `$.data${step(fill("mapped path"))}`,
        error_path: `$${step(fill("error path"))}`,
      },
    },
  };
}

/**
 * Removes characters that a header can't contain. The tests of the kind cover the diagnostic for
 * them.
 */
function headerText(text: string): string {
  return text.replace(/[^\t -~\u00a0-\u00ff]/g, "");
}

/** Replaces halves of surrogate pairs, which a URI can't contain. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, "");
}

function pointerStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function returnsSchema(fill: Fill): object {
  const key = fill("returned key");
  return {
    type: "object",
    required: [key],
    title: fill("returned title"),
    properties: object(
      [key, { enum: [fill("returned enum"), null] }],
      ["sort", { const: fill("returned const") }],
      [
        "counts",
        object(
          ["type", "object"],
          ["patternProperties", object([matching(fill("pattern key")), { type: "integer" }])],
        ),
      ],
    ),
  };
}

/** A read whose answer has a schema in a file, and whose paths have filters. */
function findTool(fill: Fill): object {
  return {
    description: "Find it.",
    number: { type: "number", enum: [1, -2.5, 1e21] },
    returns: { type: "array", items: { $ref: "./answer.json" } },
    binding: {
      type: "http",
      method: "GET",
      url: "https://b.example/${BASE}/{number}".replace("/${BASE}", ""),
      response_mapping: { path: `$.items[?@.name == ${JSON.stringify(fill("filter"))}]` },
    },
  };
}

function handledTool(fill: Fill): object {
  return {
    description: fill("handler description"),
    parameters: {
      type: "object",
      properties: object([fill("number key"), { type: ["number", "null"], minimum: 1 }]),
    },
  };
}

function answerSchema(fill: Fill): object {
  return {
    title: fill("file title"),
    type: "object",
    required: ["name"],
    properties: object(
      [`${fill("file key")}_`, { enum: [fill("file enum")] }],
      ["name", { type: "string" }],
    ),
  };
}
