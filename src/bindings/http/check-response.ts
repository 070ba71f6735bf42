import { shown } from "../../core/names.js";
import type { Finding } from "../../core/diagnostic.js";
import type { Report } from "../../core/report.js";
import type { SchemaModel, ToolModel } from "../../core/skill-model.js";
import { type JsonType, lookUp, propertyNames } from "../../schema/look-up.js";
import { didYouMean } from "../../schema/suggestion.js";
import { typeWords } from "../type-words.js";
import type { HttpConfig, PathModel, PathStep } from "./model.js";

/** Response paths against the schemas of the bodies, and `returns` against what a path finds. */
export function checkResponse(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { response, errorResponse, dataPath, errorPath } = config;
  const data = followPath(response, dataPath);
  if (data.fault) report.add(data.fault);
  const { fault } = followPath(errorResponse ?? response, errorPath);
  // Where the body of a success stands in for that of an error, the way out is to say what errors look like.
  const otherwise = errorResponse
    ? {}
    : { help: "describe the bodies of errors in `error_schema`" };
  if (fault) report.add({ ...fault, ...otherwise });
  checkReturns(tool, config, dataPath?.singular === false ? ["array"] : data.types, report);
}

function checkReturns(
  { returns }: ToolModel,
  { dataPath, response }: HttpConfig,
  found: readonly JsonType[] | undefined,
  report: Report,
): void {
  if (returns === undefined || found === undefined || found.length === 0) return;
  const wanted = lookUp(returns, [], "input").types;
  if (wanted.length === 0 || found.some((type) => wanted.some((other) => overlap(type, other))))
    return;
  report.add({
    code: "http/returns-mismatch",
    span: dataPath?.span ?? response?.span ?? returns.span,
    message: `the response gives ${typeWords(found)} here, and \`returns\` asks for ${typeWords(wanted)}`,
    help: "let `response_mapping.path` lead to what `returns` describes",
    related: [{ span: returns.span, message: "`returns`" }],
  });
}

function overlap(one: JsonType, other: JsonType): boolean {
  return one === other || (isNumeric(one) && isNumeric(other));
}

function isNumeric(type: JsonType): boolean {
  return type === "number" || type === "integer";
}

interface Followed {
  /** The types at the end of the path, where the schema says. */
  readonly types?: readonly JsonType[];
  /** The schema has no such place. */
  readonly fault?: Finding;
}

function followPath(schema: SchemaModel | undefined, path: PathModel | undefined): Followed {
  if (schema === undefined) return {};
  const at: (string | number)[] = [];
  for (const step of path?.steps ?? []) {
    const next = follow(schema, at, step);
    if (next.kind === "open") return {};
    if (next.kind === "step") at.push(next.step);
    else {
      const { message, help } = next;
      return { fault: { code: "http/unknown-response-field", span: step.span, message, help } };
    }
  }
  return { types: lookUp(schema, at, "input").types };
}

type Follow =
  | { readonly kind: "step"; readonly step: string | number }
  /** The schema leaves open what is there. */
  | { readonly kind: "open" }
  | { readonly kind: "fault"; readonly message: string; readonly help: string | undefined };

function follow(schema: SchemaModel, at: readonly (string | number)[], step: PathStep): Follow {
  const types = lookUp(schema, at, "input").types;
  const whole = at.length === 0 ? "the body" : `\`${shown(at.join("."))}\``;
  if (typeof step.at === "string") return followName(schema, at, step.at, types, whole);
  if (!types.includes("array") && types.length > 0) {
    if (typeof step.at !== "number" && types.includes("object")) return { kind: "open" };
    const message = `${whole} is ${typeWords(types)} by its schema, which has no items`;
    return { kind: "fault", message, help: undefined };
  }
  // What stands at a negative index, or in each of unlike places, is for the type checker to say.
  if (typeof step.at === "number" && step.at >= 0) return { kind: "step", step: step.at };
  const uniform = types.every((type) => type === "array" || type === "null");
  return uniform && typeof step.at !== "number" ? { kind: "step", step: 0 } : { kind: "open" };
}

function followName(
  schema: SchemaModel,
  at: readonly (string | number)[],
  name: string,
  types: readonly JsonType[],
  whole: string,
): Follow {
  const names = propertyNames(schema, at, "input");
  if (names.includes(name)) return { kind: "step", step: name };
  if (types.length > 0 && !types.includes("object")) {
    const message = `${whole} is ${typeWords(types)} by its schema, which has no fields`;
    const help = types.includes("array")
      ? "`[*]` goes on with every item, `[0]` with the first"
      : undefined;
    return { kind: "fault", message, help };
  }
  if (names.length === 0) return { kind: "open" };
  return {
    kind: "fault",
    message: `${whole} has no field \`${shown(name)}\` by its schema`,
    help:
      didYouMean(name, names) ??
      `it has ${names
        .slice(0, 8)
        .map((each) => `\`${shown(each)}\``)
        .join(", ")}`,
  };
}
