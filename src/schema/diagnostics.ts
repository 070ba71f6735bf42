import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";

/** A skill with one tool whose parameters are the given YAML flow mapping. */
function project(parameters: string, files: ProjectFiles = {}): ProjectFiles {
  const lines = [
    "---",
    "name: demo",
    "description: Shows one diagnostic.",
    "tools_schema:",
    "  place-order:",
    "    description: Place an order.",
    `    parameters: ${parameters}`,
    "---",
    "",
    "# Demo",
    "",
  ];
  return { "skills/demo/SKILL.md": lines.join("\n"), ...files };
}

/** Parameters with one property, `note`, under the given schema. */
function note(schema: string, files: ProjectFiles = {}): ProjectFiles {
  return project(`{type: object, properties: {note: ${schema}}}`, files);
}

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  example: ProjectFiles,
  fixed: ProjectFiles,
): DiagnosticEntry {
  return { severity, title, explanation, example, fixed };
}

const line = `{"$defs": {"line": {"type": "string"}}}`;

/** Each definition is two of the next: sixteen make one value be checked 65,536 times. */
const doubling = Array.from({ length: 16 }, (_, level) => {
  const next = `{$ref: "#/$defs/d${level + 1}"}`;
  return `d${level}: {allOf: [${next}, ${next}]}`;
}).join(", ");

/** Every code that reading a JSON Schema can report. */
export const schemaDiagnosticEntries: DiagnosticEntries = {
  "schema/invalid": entry(
    "error",
    "a schema is not one by its dialect's metaschema",
    "A keyword has a value of the wrong kind: a type that doesn't exist, a limit that is no number, `required` outside the object. A validator would ignore it or refuse to be built.",
    note("{type: strin}"),
    note("{type: string}"),
  ),
  "schema/rounded-integer": {
    ...entry(
      "error",
      "a value with digits that a number can't hold",
      "Numbers are doubles: an integer above 9007199254740991 may be read as one of its neighbours. As a `default` another value would be sent, as a `const` or in an `enum` another would be allowed. Digits in quotes are exact.",
      note("{type: integer, default: 9007199254740993}"),
      note('{type: string, default: "9007199254740993"}'),
    ),
    replaces: "parse/unsafe-integer",
  },
  "schema/unknown-dialect": entry(
    "error",
    "`$schema` names a dialect that is not read",
    "Draft-07, 2019-09 and 2020-12 are read; without `$schema` a schema is 2020-12. Older drafts give keywords other meanings.",
    project(`{$schema: "http://json-schema.org/draft-04/schema#", type: object}`),
    project(`{$schema: "http://json-schema.org/draft-07/schema#", type: object}`),
  ),
  "schema/too-large": entry(
    "error",
    "a schema is too large, too deep or too expensive",
    "Limits: 20,000 values in a document, 100 levels of nesting, references 100 deep, and 10,000 schemas that one value is checked against when all combinations of `allOf`, `anyOf` and `$ref` are counted.",
    project(
      `{type: object, properties: {note: {$ref: "#/$defs/d0"}}, $defs: {${doubling}, d16: {type: string}}}`,
    ),
    project(
      `{type: object, properties: {note: {$ref: "#/$defs/d16"}}, $defs: {d16: {type: string}}}`,
    ),
  ),
  "schema/remote-ref": entry(
    "error",
    "a `$ref` is a URL",
    "skillc fetches nothing: the same skill must give the same output tomorrow, and on a machine without a network. A URL is fine when it is the `$id` of a schema in the same document.",
    note(`{$ref: "https://example.com/line.json"}`),
    note(`{$ref: "./line.json#/$defs/line"}`, { "skills/demo/line.json": line }),
  ),
  "schema/ref-outside": entry(
    "error",
    "a `$ref` leads out of the skills folder",
    "References are relative to the skill's folder and stay below the skills folder, so that a skill can be moved and published as it is.",
    note(`{$ref: "/etc/line.json"}`),
    note(`{$ref: "./line.json#/$defs/line"}`, { "skills/demo/line.json": line }),
  ),
  "schema/unresolved-ref": entry(
    "error",
    "a `$ref` refers to nothing",
    "`#/…` starts at the root of its own document: `parameters` and `returns` are documents of their own. `./file.json#/…` starts at the root of that file.",
    project(
      `{type: object, properties: {note: {$ref: "#/$defs/txt"}}, $defs: {text: {type: string}}}`,
    ),
    project(
      `{type: object, properties: {note: {$ref: "#/$defs/text"}}, $defs: {text: {type: string}}}`,
    ),
  ),
  "schema/cyclic-ref": entry(
    "error",
    "a `$ref` leads back to itself without reaching a value",
    "Recursive schemas are fine when each round goes one step into the value: through `properties` or `items`. Without such a step no check ever ends.",
    project(
      `{type: object, properties: {note: {$ref: "#/$defs/a"}}, $defs: {a: {$ref: "#/$defs/b"}, b: {$ref: "#/$defs/a"}}}`,
    ),
    project(
      `{type: object, properties: {note: {$ref: "#/$defs/a"}}, $defs: {a: {type: array, items: {$ref: "#/$defs/a"}}}}`,
    ),
  ),
  "schema/unsupported": entry(
    "error",
    "a schema can't be checked as it is meant",
    "`unevaluatedItems` beside `contains`, or beside `allOf`, `if` and their like with one, would let wrong lists pass and refuse right ones. `$dynamicRef` and `$recursiveRef` are read as plain references, which is what they are as long as one schema declares the anchor. With more, the meaning would depend on the way by which a check arrived. " +
      "What Ajv, which makes the validators, refuses to compile is told with its reason.",
    project(
      `{$dynamicAnchor: node, type: object, properties: {next: {$dynamicRef: "#node"}}, $defs: {strict: {$id: "https://example.com/strict", $dynamicAnchor: node, type: object}}}`,
    ),
    project(`{type: object, properties: {next: {$ref: "#"}}}`),
  ),
  "schema/invalid-pattern": entry(
    "error",
    "a pattern is not a regular expression",
    "Patterns are JavaScript's, those of ECMAScript 2024, compiled with the `u` flag: escapes that mean nothing are errors, and so are other engines' extensions such as `(?i)` or `\\A`. Groups may go 100 levels deep.",
    note(`{type: string, pattern: "[a-z"}`),
    note(`{type: string, pattern: "[a-z]"}`),
  ),
  "schema/slow-pattern": entry(
    "error",
    "a pattern may take time without end",
    "JavaScript tries one way through a pattern after another. Where two parts of it can match the same text, there may be as many ways as the text is long, or twice as many with each character: one value then holds the process. " +
      "Most patterns have no such parts, and most that have are matched by RE2 instead, which means the same and takes one step for each character. RE2 knows no lookaround and no back-references, and no repetition of more than 1,000.",
    note(`{type: string, pattern: "^(?:[a-z]+,?)+(?<!,)$"}`),
    note(`{type: string, pattern: "^[a-z]+(?:,[a-z]+)*$"}`),
  ),
  "schema/invalid-default": entry(
    "error",
    "a default is not valid against its own schema",
    "What is filled in is not checked again before the binding uses it, so a wrong default would reach the target.",
    note("{type: integer, default: ten}"),
    note("{type: integer, default: 10}"),
  ),
  "schema/default-ignored": entry(
    "warning",
    "a default is never filled in",
    "Defaults are filled in where it is certain that their schema applies: under `properties`, `items`, `allOf` and `$ref`. Under `anyOf`, `oneOf`, `not`, `if`, patterns, and in recursive schemas, they have no effect.",
    note("{anyOf: [{type: string, default: none}, {type: integer}]}"),
    note("{anyOf: [{type: string}, {type: integer}], default: none}"),
  ),
  "schema/unknown-keyword": entry(
    "warning",
    "a schema has a key that is no keyword of its dialect",
    "Validators pass over unknown keys, so a misspelt keyword restricts nothing. Keys that start with `x-` are your own. All of one file are one warning.",
    note("{type: string, maxLenght: 10}"),
    note("{type: string, maxLength: 10}"),
  ),
  "schema/unknown-format": entry(
    "warning",
    "a format is not checked",
    "Formats are checked as ajv-formats defines them. Any other name is only a note to the reader: add a `pattern` where it must hold.",
    note("{type: string, format: uuidv4}"),
    note("{type: string, format: uuid}"),
  ),
  "schema/ignored-mark": entry(
    "warning",
    "a mark that masks nothing",
    'The ledger masks values. `x-sensitive` or `writeOnly` under `propertyNames` is about names of properties, which are written down as they are. A mark that is text, as in `x-sensitive: "true"`, is no mark.',
    note(`{type: object, propertyNames: {pattern: "^card-", x-sensitive: true}}`),
    note(`{type: object, propertyNames: {pattern: "^card-"}, x-sensitive: true}`),
  ),
  "schema/ignored-beside-ref": entry(
    "warning",
    "a keyword has no effect beside `$ref`",
    "In draft-07 `$ref` replaces everything that stands beside it. Since 2019-09 it does not.",
    project(
      `{$schema: "http://json-schema.org/draft-07/schema#", type: object, properties: {note: {$ref: "#/definitions/text", maxLength: 10}}, definitions: {text: {type: string}}}`,
    ),
    project(
      `{$schema: "http://json-schema.org/draft-07/schema#", type: object, properties: {note: {allOf: [{$ref: "#/definitions/text"}], maxLength: 10}}, definitions: {text: {type: string}}}`,
    ),
  ),
  "schema/undeclared-required": entry(
    "warning",
    "`required` names a property that is not declared",
    "Values that lack the property never fit, and nothing says what it should hold. Most often the name is misspelt. Nothing is said where " +
      "`$ref`, `allOf`, a pattern or `additionalProperties` may describe it.",
    project("{type: object, required: [totl], properties: {total: {type: number}}}"),
    project("{type: object, required: [total], properties: {total: {type: number}}}"),
  ),
  "schema/impossible-required": entry(
    "error",
    "`required` names a property that no value can have",
    "With `additionalProperties: false` only the declared properties are allowed; and some schemas fit nothing: `false`, `{type: string, enum: [1]}`. " +
      "A value without the required property doesn't fit, and one with it doesn't either.",
    project(
      "{type: object, additionalProperties: false, required: [totl], properties: {total: {type: number}}}",
    ),
    project(
      "{type: object, additionalProperties: false, required: [total], properties: {total: {type: number}}}",
    ),
  ),
  "schema/no-value": entry(
    "error",
    "no value fits a schema",
    "Its keywords leave nothing: a least length above the greatest, bounds without a number between them, values of `enum` that other keywords refuse. Every " +
      "call would fail.",
    project("{type: object, minProperties: 2, maxProperties: 1, properties: {a: true, b: true}}"),
    project("{type: object, minProperties: 1, maxProperties: 2, properties: {a: true, b: true}}"),
  ),
  "schema/no-value-here": entry(
    "warning",
    "no value fits the schema of a part",
    "The part may be left out, so that other values fit, but whoever gives it is refused whatever they give. `false` says on purpose that it must not be there.",
    project("{type: object, properties: {code: {type: string, minLength: 200, maxLength: 1}}}"),
    project("{type: object, properties: {code: {type: string, minLength: 1, maxLength: 200}}}"),
  ),
};
