/** The form by which a client asks its user to approve a call. */
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { ApprovalRequest } from "../../errors.js";
import type { JsonValue } from "../../json/json.js";
import type { OfferedEntry } from "../../model/offer-entries.js";
import { isJsonMap, type JsonMap } from "../../model/schema-references.js";
import { effectCounts } from "../../rollback/effect-counts.js";
import type { ShownEffect, TrialDetails } from "../../rollback/trial.js";
import { countText, harmlessValue } from "./harmless-text.js";

/** A call as the form shows it. */
export interface ShownCall {
  readonly entry: Pick<OfferedEntry, "offered" | "tool">;
  readonly request: ApprovalRequest;
  /** Masked parameters of the call, as JSON. */
  readonly parameters: string;
  /** The changes that the call will make, if it was tried. */
  readonly trial: TrialDetails | undefined;
}

/** Name of the form's only field. */
const field = "approve";

const longestTitle = 200;
const longestName = 100;
const longestValue = 500;
const longestPath = 500;
const longestDiffLine = 200;
const maxParameters = 40;
/** Maximum number of lines about effects that delete nothing. */
const maxEffectLines = 40;

/**
 * Makes the form. Everything that comes from the tool or the call is in a block of code, in lines
 * that begin with a word of the server or a space, so that no text passes for one of the server.
 */
export function approvalForm(call: ShownCall): ElicitRequestFormParams {
  const lines = [...factLines(call), ...effectLines(call.trial), ...parameterLines(call)];
  return {
    mode: "form",
    message: [
      "An agent asks to make this call in your name. The lines in the box come from the tool and from the agent: they show the call, and are no instructions for you.",
      "```",
      ...lines,
      "```",
    ].join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        [field]: {
          type: "boolean",
          title: "Approve this call",
          description: "Yes makes exactly this call, once. No denies it.",
        },
      },
      required: [field],
    },
  };
}

/** Returns the answer in an accepted form; undefined if it has none. */
export function approvedIn(content: Readonly<Record<string, unknown>>): boolean | undefined {
  const answer = Object.hasOwn(content, field) ? content[field] : undefined;
  return typeof answer === "boolean" ? answer : undefined;
}

function factLines({ entry: { offered, tool }, request, trial }: ShownCall): readonly string[] {
  const title = tool.governance?.display_name ?? tool.name;
  return [
    `title: ${harmlessValue(title, longestTitle)}`,
    `tool: ${offered.name}`,
    `digest: ${request.digest}`,
    ...(trial === undefined ? [] : [`digest of the effects: ${trial.sha256}`]),
  ];
}

function effectLines(trial: TrialDetails | undefined): readonly string[] {
  if (trial === undefined) return [];
  const deleted = trial.effects.filter(({ change }) => change === "deleted");
  const others = trial.effects.filter(({ change }) => change !== "deleted");
  const lines = others.flatMap((effect) => [effectLine(effect), ...diffLines(effect)]);
  const more = lines.length - maxEffectLines;
  return [
    `effects: ${effectCounts(trial)}`,
    ...deleted.map((each) => effectLine(each)),
    ...lines.slice(0, maxEffectLines),
    ...(more > 0 ? [`  … ${countText(more)} more lines`] : []),
  ];
}

function effectLine({ change, path, what }: ShownEffect): string {
  return `  ${change} ${harmlessValue(path, longestPath)}: ${harmlessValue(what, longestPath)}`;
}

function diffLines({ diff }: ShownEffect): readonly string[] {
  return (diff?.split("\n") ?? []).map((line) => `    ${harmlessValue(line, longestDiffLine)}`);
}

function parameterLines({ entry, parameters }: ShownCall): readonly string[] {
  // The call wrote the object of its parameters.
  const all = Object.entries(JSON.parse(parameters) as object);
  // A model may add many parameters of its own. They must not push the tool's own out of sight.
  const isOwn = ([name]: readonly [string, unknown]) => isDeclared(entry, name);
  const entries = [...all.filter(isOwn), ...all.filter((each) => !isOwn(each))];
  if (entries.length === 0) return ["arguments: none"];
  const more = entries.length - maxParameters;
  return [
    "arguments:",
    ...entries.slice(0, maxParameters).map(([name, value]) => {
      return `  ${nameText(name)}: ${harmlessValue(value, longestValue)}`;
    }),
    ...(more > 0 ? [`  … ${countText(more)} more ${more === 1 ? "parameter" : "parameters"}`] : []),
  ];
}

/** Returns whether the schema of a tool's parameters names a property. */
function isDeclared({ offered, tool }: ShownCall["entry"], name: string): boolean {
  const { input_schema: schema } = offered;
  const { properties } = schema;
  const { input_names: names = {}, input_parameter: wrapper } = tool;
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  const offeredName = known ?? name;
  if (wrapper === undefined) return declares(schema, offeredName);
  const isWrapped = isJsonMap(properties) && Object.hasOwn(properties, wrapper);
  const own = isWrapped ? properties[wrapper] : undefined;
  return isJsonMap(own) && declares(own, offeredName);
}

function declares({ allOf, anyOf, oneOf, properties }: JsonMap, name: string): boolean {
  if (isJsonMap(properties) && Object.hasOwn(properties, name)) return true;
  const parts = [allOf, anyOf, oneOf].filter(Array.isArray).flat();
  return parts.some((each: JsonValue) => isJsonMap(each) && declares(each, name));
}

/** An unusual name is quoted, because it may look like a name and a value. */
function nameText(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : harmlessValue(name, longestName);
}
