import { ownSchema, wholeSchema } from "../core/schema-text.js";
import { sha256 } from "../core/hash.js";
import type { JsonSchema } from "../core/json.js";
import type { OutputFile } from "../core/output.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import type { SkillPlan } from "../core/emit-plan.js";
import type { Unit } from "./unit.js";

/**
 * A unit as texts: what every run reads, and the files' own texts apart. These are most of it, and
 * as a rule stand in the output folder still, where they are known by their hashes.
 */
export interface UnitTexts {
  readonly unit: string;
  readonly files: string;
}

/** A unit without the texts of its files. */
export interface UnitWithoutTexts extends Omit<Unit, "files" | "shared"> {
  readonly files: readonly FileHash[];
  readonly shared: readonly FileHash[];
}

export interface FileHash {
  readonly path: string;
  readonly hash: string;
}

/**
 * Shared schemas stand in it once, on a line of their own, however many of its documents refer to
 * them; tools stand in the plan, and not in its skill.
 */
export function unitTexts({ plan, files, shared, ...unit }: Unit): UnitTexts {
  const numbers = new Map<SharedSchema, number>();
  const numbered = plan && withNumbers({ ...plan, skill: { ...plan.skill, tools: [] } }, numbers);
  const whole = { ...unit, files: files.map(hashed), shared: shared.map(hashed), plan: numbered };
  return {
    unit: `${JSON.stringify([...numbers.keys()])}\n${JSON.stringify(whole)}`,
    files: JSON.stringify([...files, ...shared].map(({ text }) => text)),
  };
}

function hashed({ path, text }: OutputFile): FileHash {
  return { path, hash: sha256(text) };
}

/**
 * The files of a unit: as they stand in the output folder, or else as they are kept. Undefined when
 * they are neither.
 *
 * @param kept gives `UnitTexts.files`
 */
export function withTexts(
  unit: UnitWithoutTexts,
  previous: ReadonlyMap<string, string>,
  kept: () => string | undefined,
): Unit | undefined {
  const wanted = [...unit.files, ...unit.shared];
  const texts =
    textsIn(wanted, (path) => previous.get(path)) ?? textsIn(wanted, fromKept(wanted, kept()));
  if (texts === undefined) return undefined;
  const { length } = unit.files;
  return { ...unit, files: texts.slice(0, length), shared: texts.slice(length) };
}

/** Undefined unless each text is the one that the hash is of. */
function textsIn(
  wanted: readonly FileHash[],
  textAt: (path: string) => string | undefined,
): readonly OutputFile[] | undefined {
  const found: OutputFile[] = [];
  for (const { hash, path } of wanted) {
    const text = textAt(path);
    if (text === undefined || sha256(text) !== hash) return undefined;
    found.push({ path, text });
  }
  return found;
}

function fromKept(wanted: readonly FileHash[], text: string | undefined) {
  // What is kept was made by `unitTexts`.
  const texts = text === undefined ? [] : (JSON.parse(text) as readonly string[]);
  const byPath = new Map(wanted.map(({ path }, index) => [path, texts[index]]));
  return (path: string): string | undefined => byPath.get(path);
}

/** A model with numbers in place of the shared schemas that its documents refer to. */
function withNumbers(model: unknown, numbers: Map<SharedSchema, number>): unknown {
  if (typeof model !== "object" || model === null) return model;
  if (Array.isArray(model)) return model.map((each: unknown) => withNumbers(each, numbers));
  if (!isDocument(model))
    return Object.fromEntries(
      Object.entries(model).map(([key, each]) => [key, withNumbers(each, numbers)]),
    );
  if (!refersToShared(model)) return model;
  const shared = model.shared.map((each) => {
    const known = numbers.get(each) ?? numbers.size;
    numbers.set(each, known);
    return known;
  });
  return { ...model, schema: ownSchema(model), shared };
}

type Referring = SchemaModel & { readonly shared: readonly SharedSchema[] };

function refersToShared(value: object): value is Referring {
  return isDocument(value) && Array.isArray(value.shared) && typeof value.shared[0] === "object";
}

function isDocument(value: object): value is { readonly shared?: unknown } {
  return "kind" in value && value.kind === "schema";
}

/** @param text `UnitTexts.unit` */
export function unitOf(text: string): UnitWithoutTexts {
  const end = text.indexOf("\n");
  const shared = JSON.parse(text.slice(0, end)) as readonly SharedSchema[];
  const { plan, ...unit } = JSON.parse(text.slice(end)) as UnitWithoutTexts;
  if (plan === undefined) return unit;
  if (shared.length > 0) putBack(plan, shared);
  return { ...unit, plan: withTools(plan) };
}

function withTools(plan: SkillPlan): SkillPlan {
  return { ...plan, skill: { ...plan.skill, tools: plan.tools.map(({ tool }) => tool) } };
}

type Kept = { schema: JsonSchema; shared: readonly (SharedSchema | number)[] };

/** Puts shared schemas back into the documents of a model, wherever in it these are. */
function putBack(model: unknown, shared: readonly SharedSchema[]): void {
  if (typeof model !== "object" || model === null) return;
  if (!isDocument(model)) {
    for (const each of Object.values(model)) putBack(each, shared);
    return;
  }
  if (!Array.isArray(model.shared)) return;
  // What was parsed is nobody else's yet.
  const document = model as Kept;
  const found = document.shared.flatMap((each) =>
    typeof each === "number" ? (shared[each] ?? []) : [each],
  );
  document.schema = wholeSchema(document.schema, found);
  document.shared = found;
}
