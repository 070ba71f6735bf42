/** Reads an Arazzo document, which may contain anything. */
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ApiDocument, Part } from "../openapi/read/document.js";
import { stepsOfPointer } from "../openapi/read/document.js";
import { entriesIn, itemsIn, textIn, under } from "../openapi/read/parts.js";
import type {
  Action,
  Description,
  Parameter,
  SourceDescription,
  Step,
  StepTarget,
  Workflow,
} from "./description.js";

/** @returns undefined, with an error in `report`, if skillc does not read the document's version */
export function readDescription(document: ApiDocument, report: Report): Description | undefined {
  const root: Part = { value: document.value, at: { document, pointer: "" } };
  const version = textIn(root, "arazzo");
  if (version === undefined || !/^1\.[01]\.\d+$/.test(version)) {
    report.add({
      code: "import/unknown-format",
      span: { file: document.file.path, start: 0, end: 0 },
      message:
        version === undefined
          ? "this is not an Arazzo document"
          : `skillc does not read Arazzo ${quote(version)}`,
      help: "an Arazzo document begins with `arazzo: 1.0.1` or `arazzo: 1.1.0`",
    });
    return undefined;
  }
  const info = under(root, "info");
  return {
    title: textIn(info, "title") ?? "",
    summary: textIn(info, "summary") ?? textIn(info, "description") ?? "",
    sources: itemsIn(under(root, "sourceDescriptions")).map(readSource),
    workflows: itemsIn(under(root, "workflows")).map((each) => readWorkflow(each, root)),
  };
}

function readSource(part: Part): SourceDescription {
  return {
    name: textIn(part, "name") ?? "",
    url: textIn(part, "url") ?? "",
    type: textIn(part, "type") ?? "openapi",
    at: part.at,
  };
}

function readWorkflow(part: Part, root: Part): Workflow {
  return {
    id: textIn(part, "workflowId") ?? "",
    at: part.at,
    summary: textIn(part, "summary") ?? "",
    description: textIn(part, "description") ?? "",
    inputs: under(part, "inputs"),
    steps: itemsIn(under(part, "steps")).map((each) => readStep(each, root)),
    outputs: new Map(entriesIn(under(part, "outputs"))),
    parameters: parametersIn(part, root),
    others: othersIn(part, ["dependsOn", "successActions", "failureActions"]),
  };
}

function readStep(part: Part, root: Part): Step {
  return {
    id: textIn(part, "stepId") ?? "",
    at: part.at,
    target: readTarget(part),
    parameters: parametersIn(part, root),
    body: under(part, "requestBody"),
    criteria: itemsIn(under(part, "successCriteria")),
    outputs: new Map(entriesIn(under(part, "outputs"))),
    onSuccess: actionsIn(part, "onSuccess", root),
    onFailure: actionsIn(part, "onFailure", root),
    others: othersIn(part, ["timeout", "correlationId", "dependsOn"]),
  };
}

function othersIn(part: Part, names: readonly string[]): Workflow["others"] {
  return names.flatMap((name) => {
    const found = under(part, name);
    return found === undefined ? [] : [{ name, at: found.at }];
  });
}

function readTarget(step: Part): StepTarget {
  const operation = under(step, "operationId");
  const path = under(step, "operationPath");
  const workflow = under(step, "workflowId");
  const [first, second] = [operation, path, workflow].filter((each) => each !== undefined);
  if (first === undefined || second !== undefined || typeof first.value !== "string")
    return {
      kind: "unknown",
      why: "a step needs one of `operationId`, `operationPath` and `workflowId`",
      at: (second ?? first ?? step).at,
    };
  const { at, value } = first;
  if (first === workflow)
    return value.startsWith("$")
      ? { kind: "unknown", why: `${quote(value)} is a workflow of another document`, at }
      : { kind: "workflow", id: value, at };
  if (first === path) return readPath(value, at);
  const [, source, id] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/s.exec(value) ?? [];
  return source === undefined || id === undefined
    ? { kind: "operation", id: value, at }
    : { kind: "operation", source, id, at };
}

/** Reads `{$sourceDescriptions.pets.url}#/paths/~1pets/get`. */
function readPath(text: string, at: Part["at"]): StepTarget {
  const [, source, pointer = ""] =
    /^\{?\$sourceDescriptions\.([^.}#]+)(?:\.url)?\}?#(.*)$/s.exec(text) ?? [];
  const [area, path, method, more] = stepsOfPointer(pointer);
  if (source === undefined || area !== "paths" || path === undefined || more !== undefined)
    return { kind: "unknown", why: `${quote(text)} does not point at an operation`, at };
  return {
    kind: "path",
    source,
    path,
    ...(method !== undefined && { method: method.toLowerCase() }),
    at,
  };
}

/** Returns the entries of a list. An entry with `reference` is a component, perhaps with its own value. */
function referredIn(
  list: Part | undefined,
  root: Part,
): readonly { readonly own: Part; readonly part: Part }[] {
  return itemsIn(list).map((own) => {
    const reference = textIn(own, "reference");
    if (reference === undefined) return { own, part: own };
    const [, area, name] = /^\$components\.([^.]+)\.(.+)$/s.exec(reference) ?? [];
    const components = under(root, "components");
    const found = area === undefined ? undefined : under(under(components, area), name ?? "");
    return { own, part: found ?? own };
  });
}

function parametersIn(part: Part, root: Part): readonly Parameter[] {
  return referredIn(under(part, "parameters"), root).map(({ own, part: found }) => ({
    name: textIn(found, "name") ?? textIn(own, "reference") ?? "",
    in: textIn(found, "in"),
    value: under(own, "value") ?? under(found, "value") ?? { value: null, at: own.at },
    at: own.at,
  }));
}

function actionsIn(step: Part, key: string, root: Part): readonly Action[] {
  return referredIn(under(step, key), root).map(({ own, part }) => ({
    type: textIn(part, "type") ?? "",
    step: textIn(part, "stepId"),
    criteria: itemsIn(under(part, "criteria")),
    at: own.at,
  }));
}
