import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";
import { exampleSkill } from "../core/example-skill.js";

/** A skill with one tool whose parameters are the given YAML flow mapping. */
function project(parameters: string, files: ProjectFiles = {}): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  place-order:",
    "    description: Place an order.",
    `    parameters: ${parameters}`,
  ];
  return { ...exampleSkill("demo", "Shows one diagnostic.", lines), ...files };
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

/** Each definition refers to the next one twice, so sixteen levels check one value 65,536 times. */
const doubling = Array.from({ length: 16 }, (_, level) => {
  const next = `{$ref: "#/$defs/d${level + 1}"}`;
  return `d${level}: {allOf: [${next}, ${next}]}`;
}).join(", ");

/** Every code that reading a JSON Schema can report. */
export const schemaDiagnosticEntries: DiagnosticEntries = {
  "schema/invalid": entry(
    "error",
    "a schema is invalid by its dialect's metaschema",
    "A keyword has a value of the wrong kind: an unknown type, a limit that is not a number, or `required` outside the object. A validator would ignore the " +
      "keyword, or could not be built.",
    note("{type: strin}"),
    note("{type: string}"),
  ),
  "schema/rounded-integer": {
    ...entry(
      "error",
      "a value has digits that a number cannot hold",
      "JavaScript numbers are doubles: an integer above 9007199254740991 may be read as one of its neighbours. A `default` would send the neighbour, and a " +
        "`const` or an `enum` would allow it. Digits in quotes are exact.",
      note("{type: integer, default: 9007199254740993}"),
      note('{type: string, default: "9007199254740993"}'),
    ),
    replaces: "parse/unsafe-integer",
  },
  "schema/unknown-dialect": entry(
    "error",
    "`$schema` names a dialect that skillc does not read",
    "skillc reads draft-07, 2019-09 and 2020-12. A schema without `$schema` is 2020-12. Older drafts give keywords other meanings.",
    project(`{$schema: "http://json-schema.org/draft-04/schema#", type: object}`),
    project(`{$schema: "http://json-schema.org/draft-07/schema#", type: object}`),
  ),
  "schema/too-large": entry(
    "error",
    "a schema is too large, too deep or too expensive",
    "A document may have 20,000 values and 100 levels of nesting, and a chain of references 100 steps. One value may be checked against 10,000 schemas, " +
      "counted over all combinations of `allOf`, `anyOf` and `$ref`.",
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
    "skillc fetches nothing: the same skill must give the same output tomorrow, and on a machine without a network. A URL is fine if it is the `$id` of a " +
      "schema in the same document.",
    note(`{$ref: "https://example.com/line.json"}`),
    note(`{$ref: "./line.json#/$defs/line"}`, { "skills/demo/line.json": line }),
  ),
  "schema/ref-outside": entry(
    "error",
    "a `$ref` leads out of the skills folder",
    "References are relative to the skill's folder and stay below the skills folder. So you can move and publish a skill without changes.",
    note(`{$ref: "/etc/line.json"}`),
    note(`{$ref: "./line.json#/$defs/line"}`, { "skills/demo/line.json": line }),
  ),
  "schema/unresolved-ref": entry(
    "error",
    "a `$ref` refers to nothing",
    "`#/…` starts at the root of its own document. `parameters` and `returns` are separate documents. `./file.json#/…` starts at the root of that file.",
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
    "A recursive schema is fine if each round goes one step into the value, through `properties` or `items`. Without such a step, no check would ever end.",
    project(
      `{type: object, properties: {note: {$ref: "#/$defs/a"}}, $defs: {a: {$ref: "#/$defs/b"}, b: {$ref: "#/$defs/a"}}}`,
    ),
    project(
      `{type: object, properties: {note: {$ref: "#/$defs/a"}}, $defs: {a: {type: array, items: {$ref: "#/$defs/a"}}}}`,
    ),
  ),
  "schema/unsupported": entry(
    "error",
    "a schema that skillc cannot check correctly",
    "A validator would get this schema wrong. `unevaluatedItems` beside `contains`, or beside `allOf`, `if` and similar keywords with `contains` in them, " +
      "would accept wrong lists and reject right ones. skillc reads `$dynamicRef` and `$recursiveRef` as plain references, which is right only if one schema " +
      "declares the anchor. skillc also reports a schema that Ajv, the maker of the validators, cannot compile, with Ajv's reason.",
    project(
      `{$dynamicAnchor: node, type: object, properties: {next: {$dynamicRef: "#node"}}, $defs: {strict: {$id: "https://example.com/strict", $dynamicAnchor: node, type: object}}}`,
    ),
    project(`{type: object, properties: {next: {$ref: "#"}}}`),
  ),
  "schema/invalid-pattern": entry(
    "error",
    "a pattern is not a regular expression",
    "Patterns are regular expressions of ECMAScript 2024, compiled with the `u` flag. Escapes without a meaning are errors, and so are extensions of other " +
      "engines, such as `(?i)` or `\\A`. Groups may be nested 100 levels deep.",
    note(`{type: string, pattern: "[a-z"}`),
    note(`{type: string, pattern: "[a-z]"}`),
  ),
  "schema/slow-pattern": entry(
    "error",
    "a pattern may take unlimited time",
    "JavaScript tries one way through a pattern after another. If two parts of the pattern match the same text, the number of ways can double with each " +
      "character, and one value can block the process. For most such patterns, skillc uses RE2, which means the same and takes one step for each character. " +
      "RE2 has no lookaround, no back-references, and no repetition of more than 1,000.",
    note(`{type: string, pattern: "^(?:[a-z]+,?)+(?<!,)$"}`),
    note(`{type: string, pattern: "^[a-z]+(?:,[a-z]+)*$"}`),
  ),
  "schema/invalid-default": entry(
    "error",
    "a default does not fit its own schema",
    "skillc does not check a default again before the binding uses it. So a wrong default would reach the target.",
    note("{type: integer, default: ten}"),
    note("{type: integer, default: 10}"),
  ),
  "schema/default-ignored": entry(
    "warning",
    "a default is never filled in",
    "skillc fills in a default only if its schema is certain to apply: under `properties`, `items`, `allOf` and `$ref`. A default has no effect under " +
      "`anyOf`, `oneOf`, `not`, `if` and patterns, and in recursive schemas.",
    note("{anyOf: [{type: string, default: none}, {type: integer}]}"),
    note("{anyOf: [{type: string}, {type: integer}], default: none}"),
  ),
  "schema/unknown-keyword": entry(
    "warning",
    "a schema has a key that its dialect does not have",
    "Validators ignore unknown keys, so a misspelt keyword restricts nothing. Keys that start with `x-` are your own. skillc reports all unknown keys of a " +
      "file in one warning.",
    note("{type: string, maxLenght: 10}"),
    note("{type: string, maxLength: 10}"),
  ),
  "schema/unknown-format": entry(
    "warning",
    "a format is not checked",
    "skillc checks the formats that ajv-formats defines. Any other format is only a note to the reader. If a value must have the format, add a `pattern`.",
    note("{type: string, format: uuidv4}"),
    note("{type: string, format: uuid}"),
  ),
  "schema/ignored-mark": entry(
    "warning",
    "a mark that has no effect",
    "The ledger masks values, and records names of properties without masking. So `x-sensitive` or `writeOnly` under `propertyNames` has no effect. A mark " +
      'that is text, as in `x-sensitive: "true"`, has no effect either.',
    note(`{type: object, propertyNames: {pattern: "^card-", x-sensitive: true}}`),
    note(`{type: object, propertyNames: {pattern: "^card-"}, x-sensitive: true}`),
  ),
  "schema/ignored-beside-ref": entry(
    "warning",
    "a keyword has no effect beside `$ref`",
    "In draft-07, `$ref` replaces everything beside it. Since 2019-09, it does not.",
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
    "A value without the property never fits, and the schema does not say what the property holds. Usually the name is misspelt. skillc does not report this " +
      "if `$ref`, `allOf`, a pattern or `additionalProperties` may describe the property.",
    project("{type: object, required: [totl], properties: {total: {type: number}}}"),
    project("{type: object, required: [total], properties: {total: {type: number}}}"),
  ),
  "schema/impossible-required": entry(
    "error",
    "`required` names a property that no value can have",
    "A value without the required property does not fit, and a value with it does not fit either. With `additionalProperties: false`, only declared " +
      "properties are allowed. Some schemas fit no value: `false`, `{type: string, enum: [1]}`.",
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
    "The keywords leave no value: a minimum length above the maximum, limits without a number between them, or values of `enum` that other keywords reject. " +
      "Every call would fail.",
    project("{type: object, minProperties: 2, maxProperties: 1, properties: {a: true, b: true}}"),
    project("{type: object, minProperties: 1, maxProperties: 2, properties: {a: true, b: true}}"),
  ),
  "schema/overlapping-alternatives": entry(
    "warning",
    "a value can fit two alternatives of `oneOf`",
    "`oneOf` rejects a value that fits more than one alternative: 3 is a number and an integer. The call fails with every such value. Write `anyOf` to accept the " +
      "value, or let the alternatives exclude each other.",
    project("{type: object, properties: {size: {oneOf: [{type: number}, {type: integer}]}}}"),
    project("{type: object, properties: {size: {anyOf: [{type: number}, {type: integer}]}}}"),
  ),
  "schema/no-value-here": entry(
    "warning",
    "no value fits the schema of a part",
    "The part may be absent, so other values fit. But every value with the part is rejected. If the part must never be there, write `false`.",
    project("{type: object, properties: {code: {type: string, minLength: 200, maxLength: 1}}}"),
    project("{type: object, properties: {code: {type: string, minLength: 1, maxLength: 200}}}"),
  ),
};
