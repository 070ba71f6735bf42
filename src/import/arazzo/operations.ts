/** Finds the tools that operations became, in the imports of their documents. */
import { getOwn, isJsonObject, type JsonObject } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Import, ReadImport } from "../openapi/import-openapi.js";
import { isNamed } from "../openapi/choose.js";
import type { Operation } from "../openapi/model.js";
import { keyOf } from "../openapi/skills/names.js";
import type { PlacedName } from "../openapi/skills/build-skills.js";
import type { StepTarget, Workflow } from "./description.js";

/** A document that the steps call, by the name of its source description. */
export interface ImportedSource {
  readonly name: string;
  readonly done: Import;
}

/** The tool of an operation. */
export interface StepTool {
  /** `skill/tool` */
  readonly id: string;
  /** Names of the parameters, in the API and in the tool. */
  readonly names: readonly PlacedName[];
  readonly parameters: JsonObject;
  /** Status of the tool by the status code of the API, without successes. */
  readonly statuses: ReadonlyMap<string, string>;
  /** Status codes and ranges that the API documents. */
  readonly documented: readonly string[];
  /** Set if the step names a path without a method. */
  readonly guessedMethod?: string;
}

/** Reason why a step has no tool. */
export interface NoTool {
  readonly why: string;
}

type Target = Extract<StepTarget, { readonly kind: "operation" | "path" }>;

const methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"];

/**
 * Words that choose the operations of one source: ids, and `GET /pets`. They also name operations of
 * other sources, if a step does not say which source it means.
 */
export function wordsFor(workflows: readonly Workflow[], source: string): readonly string[] {
  const targets = workflows.flatMap(({ steps }) => steps.map(({ target }) => target));
  const found = targets.flatMap((target): readonly string[] => {
    if (target.kind !== "operation" && target.kind !== "path") return [];
    if (target.source !== undefined && target.source !== source) return [];
    if (target.kind === "operation") return [target.id];
    const own = target.method === undefined ? methods : [target.method.toUpperCase()];
    return own.map((method) => `${method} ${target.path}`);
  });
  return [...new Set(found)];
}

/** Records only the words that name operations of the document, or that an earlier import chose. */
export function withKnownWords(read: ReadImport): ReadImport {
  const { api, request, stored } = read;
  if (request.only === undefined) return read;
  const before = new Set([stored?.request["only"] ?? []].flat());
  const only = request.only.filter(
    (word) => before.has(word) || api.operations.some((each) => isNamed(each, word)),
  );
  return { ...read, request: { ...request, only } };
}

function matching(target: Target, operations: readonly Operation[]): readonly Operation[] {
  if (target.kind === "operation") return operations.filter(({ id }) => id === target.id);
  const all = operations.filter(({ path }) => path === target.path);
  return target.method === undefined
    ? all
    : all.filter(({ method }) => method.toLowerCase() === target.method);
}

/** @param unread names of the source descriptions that the import does not read */
export function findTool(
  target: Target,
  sources: readonly ImportedSource[],
  unread: ReadonlyMap<string, string>,
): StepTool | NoTool {
  const { source } = target;
  const known = sources.filter(({ name }) => source === undefined || name === source);
  if (known.length === 0) {
    if (source !== undefined)
      return { why: unread.get(source) ?? `no source description has the name ${quote(source)}` };
    const [why = "no source description is an OpenAPI document"] = unread.values();
    return { why };
  }
  const found = known.flatMap(({ done }) =>
    matching(target, done.api.operations).map((operation) => ({ done, operation })),
  );
  const [first, second] = found;
  const label = target.kind === "operation" ? target.id : target.path;
  if (first === undefined) return { why: `no operation is called ${quote(label)}` };
  if (second !== undefined)
    return {
      why:
        target.kind === "path"
          ? `${quote(label)} has several methods`
          : `several operations are called ${quote(label)}`,
    };
  return toolOf(first, target.kind === "path" && target.method === undefined);
}

function toolOf(
  { done, operation }: { readonly done: Import; readonly operation: Operation },
  isGuessed: boolean,
): StepTool | NoTool {
  const key = keyOf(operation);
  const outcome = done.built.outcomes.find((each) => keyOf(each.operation) === key);
  const { skill, tool: name } = outcome ?? {};
  const built = done.built.skills
    .find((each) => each.name === skill)
    ?.tools.find((each) => each.name === name);
  if (skill === undefined || name === undefined || built === undefined) {
    const why = outcome?.obstacle?.message ?? "the import did not choose it";
    return { why: `${quote(key)} did not become a tool: ${why}` };
  }
  const { tool } = built;
  return {
    id: `${skill}/${name}`,
    names: outcome?.names ?? [],
    parameters: objectAt(tool, "parameters"),
    statuses: statusesOf(objectAt(tool, "binding")),
    documented: operation.responses.map(({ status }) => status),
    ...(isGuessed && { guessedMethod: operation.method }),
  };
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = getOwn(value, key);
  return isJsonObject(found) ? found : {};
}

function statusesOf(binding: JsonObject): ReadonlyMap<string, string> {
  const codes = objectAt(objectAt(binding, "response_mapping"), "status_codes");
  return new Map(
    Object.entries(codes).flatMap(([code, status]) =>
      typeof status === "string" && status !== "success" && !code.startsWith("2")
        ? [[code, status] as const]
        : [],
    ),
  );
}
