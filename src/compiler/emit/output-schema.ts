import { type AnyObligationKind, obligationKinds } from "@skillc/runtime/internal";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../core/json.js";
import type { LoweredObligation } from "../../core/lowered-obligation.js";
import type { LoweredTool } from "../../core/lowered-skill.js";
import type { AnswerData, ToolAnswer } from "../../kit/answers.js";
import type { BindingKind, StreamedAnswer } from "../../kit/binding.js";
import { answersOf } from "../../kit/known-answers.js";
import { joinDefinitions, type JoinedDefinitions } from "../../schema/joined-definitions.js";
import { lookUp } from "../../schema/look-up.js";
import { placeInPublished } from "../../schema/published-place.js";
import { obligedShape, type ValueChange } from "../../schema/obliged-shape.js";
import { shapesOf } from "../../schema/shape-of-schema.js";

/**
 * JSON Schema of everything that a model may get as the result of a call: each status with its
 * data, after the project's obligations, in the form of `valueForModel` of the runtime. Beside
 * them, the results that the MCP server puts in their place.
 *
 * @param tools all tools of the project
 */
export function outputSchema(lowered: LoweredTool, kind: BindingKind, tools: Tools): JsonObject {
  const { tool } = lowered;
  const { config, effect } = tool.binding;
  const definitions = joinDefinitions();
  const { all, isComplete } = answersOf(kind, tool);
  const streams = kind.streams?.(config);
  const isPaged = kind.pages?.(config, tool.parameters) !== undefined;
  const success = all.find(({ status }) => status === "success")?.data;
  const certainData = (data: AnswerData, usual: AnswerData | undefined): AnswerData => {
    const schema = data === usual ? everyData(lowered, kind, tools) : undefined;
    if (schema === undefined) return data;
    return { model: { kind: "schema", schema, span: tool.span, places: {} }, at: [] };
  };
  const schemas = all.map((answer) => {
    const isStream = streams !== undefined && answer.data === success;
    const context = { lowered, definitions, isPaged, ...(isStream && { streams }) };
    return answer.data === undefined
      ? answerSchema(answer.status)
      : dataAnswerSchema({ ...answer, data: certainData(answer.data, success) }, context);
  });
  const $defs = definitions.definitions();
  return {
    type: "object",
    required: ["status"],
    properties: { status: { type: "string" } },
    anyOf: [
      ...schemas,
      ...(isComplete ? [] : [otherStatus]),
      ...(effect === "write" ? [shadowed] : []),
      ofServer,
    ],
    ...($defs && { $defs }),
  };
}

/** Finds tools, and their kinds. */
export interface Tools {
  tool(id: string): LoweredTool | undefined;
  kindOf(tool: LoweredTool): BindingKind;
}

/**
 * A schema that every data of a success fits, if the answers' own schema leaves out improbable
 * values: rows of a database, or data that a plan may take from such rows.
 */
function everyData(
  { tool: { binding, returns } }: LoweredTool,
  kind: BindingKind,
  tools: Tools,
): JsonSchema | undefined {
  // Calls check the data against `returns`.
  if (returns !== undefined) return undefined;
  const isUncertain = (kind.graph?.(binding.config).calls ?? []).some((call) => {
    const called = tools.tool(call.tool);
    return called === undefined || everyData(called, tools.kindOf(called), tools) !== undefined;
  });
  return isUncertain ? true : kind.everyData?.(binding.config);
}

/** A kind that doesn't tell its statuses may have any. */
const otherStatus = { required: ["status"], properties: { status: { type: "string" } } };

/** A write that was only recorded, as `valueForModel` shows it. */
const shadowed = {
  required: ["status", "message"],
  properties: { status: { const: "shadow" }, message: { type: "string" } },
};

/** Results of the server itself. No author can write such a status. */
const ofServer = {
  required: ["status"],
  properties: {
    status: { enum: ["skillc:pending", "skillc:running", "skillc:truncated"] },
    id: { type: "string" },
    uri: { type: "string" },
    preview: { type: "string" },
    message: { type: "string" },
  },
};

/** Other fields depend on the kind, and may be there. */
function answerSchema(status: string): JsonObject {
  return { required: ["status"], properties: { status: { const: status } } };
}

interface AnswerContext {
  readonly lowered: LoweredTool;
  readonly definitions: JoinedDefinitions;
  /** True if a result is one of several pages. */
  readonly isPaged: boolean;
  /** Set if the data is a stream, which is collected to a list. */
  readonly streams?: StreamedAnswer;
}

function dataAnswerSchema(
  { data, status }: ToolAnswer & { readonly data: AnswerData },
  context: AnswerContext,
): JsonObject {
  const { isPaged, lowered, streams } = context;
  const schema = dataSchema(data, context);
  const hasWatermark = lowered.obligations.some(({ action }) => !("at" in action));
  const mayBeCut = streams !== undefined || data === "bytes";
  return {
    required: isCertain(data) ? ["status", "data"] : ["status"],
    properties: {
      status: { const: status },
      data: schema === false ? { not: {} } : schema,
      ...(isPaged && { next: { type: ["string", "null"] } }),
      ...(mayBeCut && { truncated: { const: true } }),
      ...(hasWatermark && { watermark: { type: "string" } }),
    },
  };
}

/** Checks if the data is always there. JSON has no value for data that is undefined. */
function isCertain(data: AnswerData): boolean {
  if (typeof data === "string") return data === "bytes";
  const { at, isList, model } = data;
  return isList === true || at.length === 0 || lookUp(model, at, "stated").presence === "always";
}

/** Bytes as `collected` of the runtime shows them, or a file that they were saved to. */
const collectedBytes: JsonSchema = {
  type: "object",
  required: ["size", "sha256"],
  properties: {
    base64: { type: "string" },
    path: { type: "string" },
    size: { type: "integer" },
    sha256: { type: "string" },
    type: { type: ["string", "null"] },
  },
};

function dataSchema(data: AnswerData, context: AnswerContext): JsonSchema {
  const changes = context.lowered.obligations.flatMap(changeOf);
  const schema = itemSchema(data, changes, context);
  if (context.streams === undefined) return schema;
  const event = { type: "object", required: ["event", "data"], properties: { data: schema } };
  const items = context.streams === "events" ? event : schema;
  return { type: "array", ...(items !== true && { items }) };
}

function itemSchema(
  data: AnswerData,
  changes: readonly ValueChange[],
  { definitions }: AnswerContext,
): JsonSchema {
  if (data === "unknown") return true;
  if (data === "bytes") return changes.length > 0 ? true : collectedBytes;
  const { root, schema } = placeInPublished(data);
  if (changes.length === 0) return definitions.take(schema, root);
  const shapes = shapesOf(documentOf(schema, root), "stated");
  const shape = changes.reduce((each, change) => obligedShape(each, change, shapes), shapes.root);
  return definitions.takeShape(shape, shapes);
}

/** A part of a document as a document. */
function documentOf(schema: JsonSchema, root: JsonObject): JsonSchema {
  if (!isJsonObject(schema) || schema === root) return schema;
  // A reference to the whole document would lead elsewhere.
  if (JSON.stringify([schema, root]).includes('"$ref":"#"')) return true;
  return root["$defs"] === undefined ? schema : { ...schema, $defs: root["$defs"] };
}

/** The change of the data by an obligation; none if it only adds a field beside the data. */
function changeOf({ action, unless }: LoweredObligation): readonly ValueChange[] {
  if (!("at" in action)) return [];
  const kind: AnyObligationKind = obligationKinds[action.do];
  const leaves = kind.changes === "value" ? kind.leaves : "nothing";
  return [{ at: action.at, leaves, isConditional: unless.length > 0 }];
}
