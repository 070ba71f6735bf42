/**
 * Converts the workflows of an Arazzo document to plans over imported operations:
 *
 * - `read-description.ts` reads the document into `description.ts`; `lint-description.ts` lints it with
 * an optional package
 * - `operations.ts` finds the tools that operations became. The OpenAPI import makes them
 * (`../openapi`), and both imports are written together
 * - `draft-plan.ts` makes a plan: `value-sources.ts` and `expressions.ts` find the sources of values,
 * `payload.ts` reads bodies, `draft-actions.ts` makes the conditions of steps, `draft-inputs.ts` makes the
 * parameters
 * - `sound-plans.ts` compiles the plans, and repairs or leaves out parts that the compiler rejects. So this
 * folder has no rules of its own about types
 * - `print-skill.ts` prints the files
 *
 * Nothing here writes files; the command line does, all or none.
 */
import { posix } from "node:path";
import { type CatalogInput, compileCatalog } from "../../compiler/compile-catalog.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import { functionName, isDeviceName, isReservedWord, portableName } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { type ImportDraft, draftImportedFiles, readLastImport } from "../again/draft-import.js";
import type { Present } from "../again/draft-writes.js";
import { reportOtherSource } from "../again/other-source.js";
import type { StoredImport } from "../again/stored-import.js";
import type { Note } from "../openapi/note.js";
import type { ApiDocument } from "../openapi/read/document.js";
import { locateAll } from "../openapi/read/locate.js";
import { parseDocumentText } from "../openapi/read/parse-document.js";
import type { SkillFiles } from "../skills/print-files.js";
import { distinctNames, slug, usableSkillName } from "../skills/names.js";
import type { Description, Step, Workflow } from "./description.js";
import { inputNames, inputsIn } from "./draft-inputs.js";
import { type Linter, lintDescription } from "./lint-description.js";
import { findTool, type ImportedSource } from "./operations.js";
import type { NamedWorkflow } from "./plan-parts.js";
import { readDescription } from "./read-description.js";
import { soundPlans } from "./sound-plans.js";

/** Options of an import. */
export interface ArazzoRequest {
  /** Path of the document, relative to the project. */
  readonly source: string;
  readonly skill?: string;
  /** Further places that source descriptions may name. */
  readonly allow?: readonly string[];
}

/** The document, the options, and the files that the project has already. */
export interface ArazzoInput {
  readonly uri: string;
  readonly file: SourceFile;
  readonly request: ArazzoRequest;
  /** Name of the import; by default from the file. */
  readonly name?: string;
  readonly present: Present;
  readonly linter: Linter;
}

export interface ReadArazzo {
  readonly name: string;
  /** Name of the skill. */
  readonly skill: string;
  readonly request: ArazzoRequest;
  readonly stored: StoredImport | undefined;
  readonly document: ApiDocument;
  readonly description: Description;
}

/** Result for one workflow. */
export interface WorkflowOutcome {
  readonly workflow: Workflow;
  /** Name of the tool; absent if there is no plan. */
  readonly tool?: string;
  readonly notes: readonly Note[];
}

export interface ArazzoImport extends ReadArazzo, ImportDraft {
  readonly outcomes: readonly WorkflowOutcome[];
}

/** Default name: `pet-coupons-workflows` for `pet-coupons.arazzo.yaml`. */
function nameOf(source: string): string {
  const base = posix.basename(source).replace(/(?:[._-]?arazzo)?\.[^.]*$/i, "");
  return slug(/workflows?$/i.test(base) ? base : `${base}-workflows`, "workflows");
}

/** @returns undefined, with an error in `report`, if the document or the last import can't be read */
export async function readArazzoImport(
  { file, linter, present, request: asked, uri, ...given }: ArazzoInput,
  report: Report,
): Promise<ReadArazzo | undefined> {
  const document = parseDocumentText(uri, file, report);
  const description = document && readDescription(document, report);
  if (document === undefined || description === undefined) return undefined;
  const name = given.name === undefined ? nameOf(asked.source) : slug(given.name, "workflows");
  const stored = readLastImport("arazzo", name, present, report);
  if (stored === "unusable") return undefined;
  const keys = description.workflows.map(({ id }) => id);
  const source = { name, source: asked.source, file: file.path, keys, things: "workflows" };
  if (stored && given.name === undefined && reportOtherSource(source, stored, report))
    return undefined;
  reportNotes(await lintDescription(document, linter), report);
  const skill = stored?.request["skill"];
  const request = { ...(typeof skill === "string" && { skill }), ...asked };
  return {
    name,
    skill: request.skill ?? usableSkillName(name, "workflows", name),
    request,
    stored,
    document,
    description,
  };
}

/** Facts that an import needs besides its document. */
export interface ArazzoSurroundings {
  readonly sources: readonly ImportedSource[];
  /** Reasons why source descriptions are not read, by their names. */
  readonly unread: ReadonlyMap<string, string>;
  /** Settings and kinds of the project, which decide what compiles. */
  readonly compiling: Pick<CatalogInput, "config" | "kinds" | "stopwatch">;
  readonly present: Present;
}

/** Drafts the skill of the plans. Undefined, with errors in `report`, if nothing may be written. */
export async function draftArazzoImport(
  read: ReadArazzo,
  surroundings: ArazzoSurroundings,
  report: Report,
): Promise<ArazzoImport | undefined> {
  const { description, name, request, skill, stored } = read;
  const { present, sources, unread } = surroundings;
  const { repeated, workflows } = namedWorkflows(read);
  const tools = new Map<Step, ReturnType<typeof findTool>>();
  const found = await soundPlans({
    skill,
    description,
    workflows,
    toolOf(step) {
      const known = tools.get(step);
      if (known !== undefined) return known;
      const { target } = step;
      const tool =
        target.kind === "operation" || target.kind === "path"
          ? findTool(target, sources, unread)
          : { why: "it calls no operation" };
      tools.set(step, tool);
      return tool;
    },
    compile: (files) => compiled(files, read, surroundings),
  });
  const plans = new Map(found.plans.map((each) => [each.named.workflow, each]));
  const outcomes = description.workflows.map((workflow): WorkflowOutcome => {
    const plan = plans.get(workflow);
    const accepted = found.accepted.get(workflow.id) ?? [];
    if (plan) return { workflow, tool: plan.named.name, notes: [...plan.notes, ...accepted] };
    const reason = repeated.get(workflow) ?? found.leftOut.get(workflow.id);
    return { workflow, notes: reason === undefined ? [] : [reason] };
  });
  reportOutcomes(outcomes, skill, report);
  const draft = draftImportedFiles(
    {
      kind: "arazzo",
      name,
      request: { ...request },
      names: new Map(found.plans.map(({ named }) => [named.workflow.id, `${skill}/${named.name}`])),
      files: found.plans.length === 0 ? new Map() : found.files,
      stored,
      source: { file: read.document.file.path, things: "workflow of the document" },
      help: {
        fewer: "divide the document into several files",
        otherNames: "give the skill another name with `--skill`",
      },
    },
    present,
    report,
  );
  return draft && { ...read, ...draft, outcomes };
}

/** Names the tools, the parameters and the steps of workflows. Each workflow needs an id of its own. */
function namedWorkflows({ description, skill, stored }: ReadArazzo): {
  readonly workflows: readonly NamedWorkflow[];
  readonly repeated: ReadonlyMap<Workflow, Note>;
} {
  const repeated = new Map<Workflow, Note>();
  const ids = new Set<string>();
  const usable = description.workflows.filter((workflow) => {
    const { at, id } = workflow;
    const message =
      id === "" ? "a workflow has no `workflowId`" : "another workflow has the same `workflowId`";
    const isUsable = id !== "" && !ids.has(id);
    if (!isUsable) repeated.set(workflow, { code: "import/workflow-left-out", at, message });
    ids.add(id);
    return isUsable;
  });
  const known = new Map(
    [...(stored?.names ?? [])].flatMap(([id, tool]) =>
      tool.startsWith(`${skill}/`) ? [[id, tool.slice(skill.length + 1)] as const] : [],
    ),
  );
  const wanted = usable.map(({ id }) => ({ identity: id, name: usableName(id) }));
  const names = distinctNames(skill, wanted, known);
  const workflows = usable.map((workflow, index): NamedWorkflow => ({
    workflow,
    name: names[index] ?? "",
    inputs: inputNames(inputsIn(workflow.inputs)),
    steps: stepNames(workflow.steps),
  }));
  return { workflows, repeated };
}

/** Name of a tool by the id of a workflow: `apply-coupon` of `applyCoupon`. */
function usableName(id: string): string {
  const name = portableName(id);
  const isUsable = name !== undefined && !isReservedWord(functionName(name)) && !isDeviceName(name);
  return isUsable ? name : slug(`run-${id}`, "run");
}

/** Ids of the steps in the plan: `find_pet` of `find-pet`. */
function stepNames(steps: readonly Step[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id } of steps) {
    if (names.has(id)) continue;
    const stem = id.replace(/[^A-Za-z0-9_]+/g, "_").slice(0, 56) || "step";
    let name = stem;
    for (let count = 2; taken.has(name); count += 1) name = `${stem}_${count}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

/** Compiles the plans together with the skills of the operations, as both would be written. */
async function compiled(
  files: SkillFiles,
  { skill }: ReadArazzo,
  { compiling, present, sources }: ArazzoSurroundings,
): Promise<readonly Diagnostic[]> {
  const { config } = compiling;
  const folders = new Set(
    sources.flatMap(({ done }) => [
      ...done.built.skills.map(({ name }) => name),
      done.built.schemaFolder.split("/", 1)[0] ?? "",
    ]),
  );
  const all = new Map<string, string>();
  const isCalled = (path: string): boolean => folders.has(path.split("/", 1)[0] ?? "");
  for (const path of present.files().filter(isCalled)) {
    const text = present.read(path);
    if (text !== undefined) all.set(path, text);
  }
  for (const { done } of sources) {
    for (const path of done.writes.removed) all.delete(path);
    for (const [path, text] of done.writes.changed) if (isCalled(path)) all.set(path, text);
  }
  for (const [path, text] of files) all.set(path, text);
  const project = {
    files: new Map(
      [...all].map(([path, text]) => {
        const full = `${config.skills}/${path}`;
        return [full, { path: full, text }] as const;
      }),
    ),
  };
  const { diagnostics } = await compileCatalog({ ...compiling, project });
  return diagnostics.filter(
    (each) => each.skill === skill || each.span.file.startsWith(`${config.skills}/${skill}/`),
  );
}

function reportOutcomes(outcomes: readonly WorkflowOutcome[], skill: string, report: Report): void {
  const locate = locateAll(outcomes.flatMap(({ notes }) => notes.map(({ at }) => at)));
  for (const { notes, tool } of outcomes) {
    const within = tool === undefined ? report : report.within({ skill, tool });
    for (const { at, ...note } of notes) within.add({ ...note, span: locate(at) });
  }
}

function reportNotes(notes: readonly Note[], report: Report): void {
  const locate = locateAll(notes.map(({ at }) => at));
  for (const { at, ...note } of notes) report.add({ ...note, span: locate(at) });
}
