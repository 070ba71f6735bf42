import { bindingSchema } from "../../kit/common-keys.js";
import type { KindRegistry } from "../../bindings/registry.js";
import { isAcceptable } from "../../compiler/accept/acceptances.js";
import { diagnosticEntriesOf } from "../../compiler/diagnostics.js";
import { block } from "../../core/skill-syntax.js";
import { acceptKey, settingsSchema } from "../../compiler/resolve/skill-settings.js";
import { typeNames } from "../../compiler/resolve/short-form.js";
import { toolKeys, toolSchema } from "../../compiler/resolve/tool-schema.js";
import { isJsonObject, type JsonObject } from "../../core/json.js";
import { when } from "../../schema/editor-marks.js";
import { silentKeywords } from "../../schema/silent.js";
import { inDraft07, jsonSchemaInDraft07 } from "./in-draft-07.js";

/** Refers to a definition of the document, with a description of the place. */
export function defined(name: string, description?: string): JsonObject {
  const reference = { $ref: pointerTo(name) };
  // Draft-07 ignores keywords beside a reference.
  return description === undefined ? reference : { description, allOf: [reference] };
}

function pointerTo(name: string): string {
  return `#/definitions/${name}`;
}

const authored = pointerTo("json-schema");

/** Properties of one of skillc's schemas, for editors. */
export function propertiesOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  const properties = inDraft07(schema, "#", authored)["properties"];
  return Object.fromEntries(
    Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([key, value]) =>
      isJsonObject(value) ? [[key, value] as const] : [],
    ),
  );
}

/** Definitions that SKILL.md and the metadata file share, for references by `defined`. */
export function skillDefinitions(kinds: KindRegistry): JsonObject {
  const bindings = kinds.types.flatMap((type) => {
    const kind = kinds.find(type);
    return kind === undefined ? [] : [{ type, kind }];
  });
  return {
    tools: tools,
    tool: tool(
      bindings.flatMap(({ kind, type }) => (kind.engine?.infersParameters === true ? [type] : [])),
    ),
    parameter: parameter,
    "untyped-parameter": untyped,
    binding: binding(bindings.map(({ type }) => type)),
    ...Object.fromEntries(
      bindings.map(({ kind, type }) => [
        bindingName(type),
        inDraft07(bindingSchema(kind), pointerTo(bindingName(type)), authored),
      ]),
    ),
    [acceptKey]: acceptances(kinds),
    "json-schema": jsonSchemaInDraft07(authored),
  };
}

/**
 * Condition of the compiler for the key. A key with this name but another form belongs to another
 * program.
 */
const mapsCodes: JsonObject = {
  type: "object",
  minProperties: 1,
  propertyNames: { pattern: "/" },
};

/** Returns the settings that a skill may have at the top level of either file. */
export function skillSettings(): Readonly<Record<string, JsonObject>> {
  const { [acceptKey]: accept, [block]: _, ...others } = propertiesOf(settingsSchema);
  const { description = "" } = { ...accept };
  return {
    ...others,
    [acceptKey]: { description, anyOf: [defined(acceptKey), { not: mapsCodes }] },
  };
}

/** Schema of the block that contains the settings of skills in another runtime. */
export function settingsBlock(): JsonObject {
  return { ...propertiesOf(settingsSchema)[block], properties: skillSettings() };
}

const tools: JsonObject = {
  description: "The skill's tools, by name.",
  type: ["object", "null"],
  additionalProperties: defined("tool"),
};

const parameter: JsonObject = {
  description:
    "A parameter in short form: the name of a type, or a JSON Schema. A parameter is required unless its name ends with `?` or it has a `default`.",
  anyOf: [
    { enum: typeNames },
    {
      type: "object",
      anyOf: [{ required: ["type"] }, { required: ["enum"] }],
      allOf: [defined("json-schema")],
    },
  ],
};

const untyped: JsonObject = {
  description: "A parameter in short form. It gets its type from its place in the binding.",
  anyOf: [
    { type: "null" },
    {
      type: "object",
      propertyNames: { anyOf: [{ enum: silentKeywords }, { pattern: "^x-" }] },
      allOf: [defined("json-schema")],
    },
  ],
};

/**
 * Schema of a tool. Beside `parameters`, no other key declares a parameter. Only some bindings can
 * infer the type of a parameter.
 */
function tool(inferring: readonly string[]): JsonObject {
  const type = {
    description: "A binding whose kind infers the types of parameters.",
    required: ["type"],
    properties: { type: { enum: inferring } },
  };
  const infers = { required: ["binding"], properties: { binding: type } };
  const own = Object.fromEntries([...toolKeys, acceptKey].map((key) => [key, true]));
  const rules = [
    whenFull,
    when({ not: infers }, { properties: own, additionalProperties: defined("parameter") }),
  ];
  return { ...anyTool, allOf: rules };
}

const anyTool: JsonObject = {
  description:
    "A tool. Without `parameters`, each key that tools do not have declares a parameter.",
  type: "object",
  properties: {
    ...propertiesOf(toolSchema),
    binding: { ...propertiesOf(toolSchema)["binding"], allOf: [defined("binding")] },
    // In the short form, a parameter may have this name.
    [acceptKey]: { anyOf: [defined(acceptKey), defined("parameter")] },
  },
  additionalProperties: { anyOf: [defined("parameter"), defined("untyped-parameter")] },
};

const whenFull = when(
  { anyOf: [{ required: ["parameters"] }, { required: ["params"] }] },
  {
    propertyNames: { enum: [...toolKeys, acceptKey] },
    properties: { [acceptKey]: defined(acceptKey) },
    not: { required: ["parameters", "params"] },
  },
);

function bindingName(type: string): string {
  return `binding-${type}`;
}

function binding(types: readonly string[]): JsonObject {
  return {
    type: "object",
    required: ["type"],
    properties: { type: { description: "The kind of binding.", enum: types } },
    allOf: types.map((type) =>
      when(
        { required: ["type"], properties: { type: { const: type } } },
        defined(bindingName(type)),
      ),
    ),
  };
}

function acceptances(kinds: KindRegistry): JsonObject {
  const codes = Object.entries(diagnosticEntriesOf(kinds)).filter(([, entry]) =>
    isAcceptable(entry),
  );
  return {
    ...propertiesOf(settingsSchema)[acceptKey],
    additionalProperties: false,
    minProperties: 1,
    properties: Object.fromEntries(
      codes.map(([code, { title }]) => [
        code,
        {
          description: `${title}. The value is the reason for accepting it.`,
          type: "string",
          pattern: "\\S",
        },
      ]),
    ),
  };
}
