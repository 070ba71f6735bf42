/**
 * Reads a source: what it begins from, what the schemas say about its path (`kit/sources/follow-path.ts`), and
 * what follows for its reader.
 */
import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { quote } from "../../../core/names.js";
import { callerRoot } from "../../../kit/caller-root.js";
import { followPath, type PathFacts, type PathOrigin } from "../../../kit/sources/follow-path.js";
import type { SchemaPlace } from "../../../schema/certain-mismatches.js";
import { propertyNames } from "../../../schema/look-up.js";
import { forward, isAbove, noStep, type Reader } from "./linking.js";
import type { LinkedValue, PathValue } from "./model.js";
import { transformedSchema } from "./text-length.js";

/** A value that a step or the output reads, with what follows from it. */
export interface ReadValue {
  readonly value: LinkedValue;
  /** Steps that the reader can't do without. */
  readonly needs: readonly string[];
  /** Places in outputs of steps, as the engine takes them. */
  readonly reads: readonly (readonly (string | number)[])[];
  /** Steps whose outputs are read, also with a fallback. */
  readonly steps: readonly string[];
  /** Places in schemas that describe the value; none if a mistake was reported. */
  readonly places: readonly SchemaPlace[];
  readonly facts?: PathFacts;
}

/** Reads a path. After a mistake, the value is as its author wrote it, and has no places. */
export function readValue(source: PathValue, reader: Reader): ReadValue {
  const { report } = reader.linking;
  const { fallback, path, span, transform } = source;
  const isHandled = handlesAbsence(source);
  const origin = originOf(source, reader);
  const found = origin && followPath(origin, path.steps);
  if (found !== undefined && "message" in found)
    report.add({ code: "plan/unknown-field", span, ...found });
  const facts = found === undefined || "message" in found ? undefined : found;
  if (facts?.mayBeAbsent && !isHandled) report.add(mayBeAbsent(source, reader));
  const isText =
    transform === undefined ||
    facts === undefined ||
    facts.types.every((type) => isScalarType(type) || (type === "null" && isHandled));
  if (!isText)
    report.add({
      code: "plan/bad-transform",
      span: transform.span,
      message: `${quote(path.text)} is not a single text, number or boolean, so no text can be made around it`,
      help: "name a single value, or remove `transform`",
    });
  const steps = path.root.from === "output" ? [path.root.step] : [];
  const mayLackAll = origin?.mayBeAbsent === true;
  const isReplaced = isFilled(source);
  return {
    value: {
      kind: "path",
      root: path.root,
      optional: mayLackAll && isHandled,
      steps: facts?.steps ?? path.steps.map((step) => ({ step, optional: false })),
      dropsAbsent: facts?.dropsAbsent === true,
      span,
      ...(fallback && { fallback }),
      ...whenAbsentOf(source, facts),
      ...(transform && { around: transform.around }),
    },
    needs: isReplaced || (isHandled && mayLackAll) ? [] : steps,
    steps,
    reads: readsOf(source, reader),
    places:
      facts === undefined || !isText ? [] : transform ? [textPlace(source, facts)] : facts.places,
    ...(facts && { facts }),
  };
}

/** Returns what follows if there is no value, unless there always is one. */
function whenAbsentOf(
  { path, whenAbsent }: PathValue,
  facts: PathFacts | undefined,
): Pick<Extract<LinkedValue, { readonly kind: "path" }>, "whenAbsent"> {
  if (whenAbsent === "omit") return { whenAbsent: { type: "omit" } };
  const mayBeNull = facts?.types.includes("null") === true;
  const isSure = facts !== undefined && !facts.mayBeAbsent && !mayBeNull;
  if (whenAbsent === undefined || isSure) return {};
  return whenAbsent === "infer"
    ? { whenAbsent: { type: "infer", null: mayBeNull ? "missing" : "never" } }
    : { whenAbsent: { type: "error", text: path.text } };
}

/** Checks if a reader can do without the value. */
function isFilled({ fallback, whenAbsent }: PathValue): boolean {
  return fallback !== undefined || whenAbsent === "omit" || whenAbsent === "infer";
}

/** Checks if the source says what follows if there is no value. */
export function handlesAbsence({ fallback, whenAbsent }: PathValue): boolean {
  return fallback !== undefined || whenAbsent !== undefined;
}

function isScalarType(type: string): boolean {
  return ["string", "number", "integer", "boolean"].includes(type);
}

/** Place of the text that a transform makes. */
function textPlace(source: PathValue, { places }: PathFacts): SchemaPlace {
  const schema = transformedSchema(source, places);
  return { model: { kind: "schema", schema, span: source.span, places: {} }, at: [] };
}

/** Places of a source in outputs of steps. An item of a loop is a place below the loop's list. */
function readsOf({ path }: PathValue, { step }: Reader): ReadValue["reads"] {
  const below = path.steps.map((each) => (typeof each === "object" ? "*" : each));
  if (path.root.from === "output") return [[path.root.step, ...below]];
  if (path.root.from !== "item" || step?.list === undefined) return [];
  const { path: list } = step.list;
  if (list.root.from !== "output") return [];
  const above = list.steps.map((each) => (typeof each === "object" ? "*" : each));
  const whole = list.steps.some((each) => typeof each === "object") ? above : [...above, "*"];
  return [[list.root.step, ...whole, ...below]];
}

/** The value from which a path begins; undefined, and reported, if there is none. */
function originOf(source: PathValue, reader: Reader): PathOrigin | undefined {
  const { path, span } = source;
  const { linking, step: reading } = reader;
  const { report, tool } = linking;
  switch (path.root.from) {
    case "params":
      // `check-parameters.ts` reports names of no parameter.
      return propertyNames(tool.parameters, []).includes(String(path.steps[0]))
        ? originAt([{ model: tool.parameters, at: [] }], "the parameters", { form: "filled" })
        : undefined;
    case "caller":
      // The compiler reports fields that no caller has.
      return originAt([{ model: callerRoot.schema, at: [] }], "caller");
    case "item":
      if (reader.item !== undefined) return reader.item;
      if (reading?.list !== undefined) return undefined;
      report.add({
        code: "plan/no-item",
        span,
        message: "`item` is an item of the step's own loop, and there is none here",
        help: "write `for_each: PATH` in this step, or name the path of a value",
      });
      return undefined;
    case "output":
      return outputOrigin(path.root.step, source, reader);
  }
}

export function originAt(
  places: readonly SchemaPlace[],
  name: string,
  {
    form = "stated",
    mayBeAbsent: absent = false,
  }: Partial<Pick<PathOrigin, "form" | "mayBeAbsent">> = {},
): PathOrigin {
  return { places, name, form, mayBeAbsent: absent };
}

function outputOrigin(id: string, source: PathValue, reader: Reader): PathOrigin | undefined {
  const { span } = source;
  const { config, report, steps } = reader.linking;
  const known = steps.get(id);
  if (known === undefined) {
    const isBelow = config.steps.some((each) => each.id === id);
    const isBroken = isBelow && isAbove(id, reader);
    // Its own mistake was reported.
    if (!isBroken) report.add(isBelow ? forward(id, span) : noStep(id, span, config));
    return undefined;
  }
  known.isUsed = true;
  const name = `step_${id}.output`;
  const data = known.answers.all.flatMap((each) => each.data ?? []);
  const isListOfLists =
    known.step.list !== undefined &&
    data.some((each) => typeof each === "object" && each.isList === true);
  if (known.found.isStream || data.includes("bytes")) {
    report.add({
      code: "plan/stream-output",
      span,
      message: `the answer of ${quote(known.found.id)} is a stream, pages or bytes, which no step can use`,
      help: "name the output of a tool that answers with one JSON value",
    });
    return undefined;
  }
  const places = data.filter((each) => typeof each === "object");
  if (places.length < data.length || places.length === 0 || isListOfLists) {
    report.add({
      code: "plan/unknown-output",
      span,
      message: `nothing says what ${quote(known.found.id)} answers`,
      help: `declare \`returns\` in ${quote(known.found.id)}`,
    });
    return undefined;
  }
  // A step that replaces no value is skipped together with the step that it reads.
  const isReaderSkipped = reader.step !== undefined && !isFilled(source);
  const absent = known.without === "absent" || (known.without === "skipped" && !isReaderSkipped);
  const holdsNull =
    known.step.list !== undefined && known.step.on.some(({ action }) => action === "continue");
  return {
    ...originAt(places, name, { mayBeAbsent: absent }),
    ...(holdsNull && { holdsNull }),
    ...((known.step.list ?? places.some(({ isList }) => isList)) && { isLoop: true as const }),
  };
}

export function mayBeAbsent(
  { path, span }: PathValue,
  { linking, step }: Reader,
): UnratedDiagnostic {
  const { root } = path;
  const source = root.from === "output" ? linking.steps.get(root.step) : undefined;
  const because =
    source?.without === undefined || (source.without === "skipped" && step !== undefined)
      ? "a value on the way is optional or may be null"
      : `step ${quote(source.step.id)} may end without an output`;
  return {
    code: "plan/maybe-absent",
    span,
    message: `there may be no ${quote(path.text)}: ${because}`,
    help: `say what to use instead: \`{ source: ${path.text}, fallback: use_default, default_value: … }\`; \`fallback: error\` ends the plan${step === undefined ? "" : ", and `fallback: omit` leaves an optional parameter out"}`,
  };
}
