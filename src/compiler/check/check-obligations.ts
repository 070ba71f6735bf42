import { obligationKinds } from "@skillc/runtime/internal";
import type { ObligationModel, WrittenAction, WrittenPath } from "../../core/governance-model.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { Report } from "../../core/report.js";
import type { SchemaModel, ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { successOf } from "../../kit/known-answers.js";
import { lookAlong, type PathFacts } from "../../schema/look-along.js";
import { publishedPlace } from "../../schema/published-place.js";
import { didYouMeanOrListed } from "../../schema/suggestion.js";
import { isSelected, type ProjectTool } from "./project-tools.js";

/**
 * Checks that the paths of obligations exist, and that their values can be changed in the given
 * way.
 */
export async function checkObligations(
  obligations: readonly ObligationModel[],
  tools: readonly ProjectTool[],
  kinds: KindRegistry,
  report: Report,
): Promise<void> {
  for (const obligation of obligations) {
    const { action } = obligation;
    if ("pattern" in action) await checkPattern(action.pattern, report);
    if (!("at" in action)) continue;
    const { at } = action;
    const fault = obligationKinds[action.do].check({ steps: at.steps, words: placeWords(at) });
    if (fault !== undefined) report.add({ ...fault, span: at.span });
    else checkPlaces(obligation, action, { tools, kinds, report });
  }
}

type PlacedAction = Extract<WrittenAction, { readonly at: WrittenPath }>;

/** Facts about the path in a tool's result. */
interface ToolPath {
  readonly each: ProjectTool;
  /** True if the obligation names the tool, and not just its skill or a tag. */
  readonly isNamed: boolean;
  /** Span of the schema of the tool's result, or of the tool. */
  readonly span: Span;
  /** Facts about the path; undefined if the tool's result has no schema. */
  readonly facts: PathFacts | undefined;
}

interface PlacesContext {
  readonly tools: readonly ProjectTool[];
  readonly kinds: KindRegistry;
  readonly report: Report;
}

function checkPlaces(
  obligation: ObligationModel,
  action: PlacedAction,
  { kinds, report, tools }: PlacesContext,
): void {
  const found = tools
    .filter((each) => isSelected(obligation, each))
    .map((each): ToolPath => {
      const given = givenBy(each.tool, kinds);
      const isNamed = obligation.tools.some(({ value }) => value === each.id);
      const facts = given && lookAlong(given, action.at.steps, "stated");
      return { each, isNamed, span: given?.span ?? each.tool.span, facts };
    });
  const isNowhere =
    found.length > 0 &&
    found.every(({ facts }) => facts !== undefined && facts.presence !== "declared");
  for (const [index, each] of found.entries()) {
    const problem = problemAt(action, each, isNowhere && index === 0);
    if (problem !== undefined) report.add(problem);
  }
}

/** Returns the schema of a tool's data: the author's, or otherwise that of the binding. */
function givenBy(tool: ToolModel, kinds: KindRegistry): SchemaModel | undefined {
  const kind = kinds.find(tool.binding.type);
  const data = kind && successOf(kind, tool);
  if (typeof data !== "object") return undefined;
  const { at, isList, model } = data;
  if (at.length === 0 && isList !== true) return model;
  return { ...model, schema: publishedPlace(data, { id: "", form: "stated" }) };
}

/** @param isMeant true if the tool represents all selected tools, none of which has the path */
function problemAt(
  action: PlacedAction,
  { each, facts, isNamed, span }: ToolPath,
  isMeant: boolean,
): UnratedDiagnostic | undefined {
  const { at } = action;
  const related = [{ span, message: `of ${quote(each.id)}` }];
  if (facts === undefined)
    return isNamed
      ? {
          code: "governance/untold-place",
          span: at.span,
          message: `skillc cannot check whether ${quote(each.id)} returns ${placeWords(at)}`,
          help: "add `returns` to the tool: then skillc can check the place, and the tool's type shows the change",
          related: [{ span: each.tool.span, message: `${quote(each.id)} has no \`returns\`` }],
        }
      : undefined;
  if (facts.presence !== "declared")
    return isNamed || isMeant ? noSuchPlace(at, { each, span }, facts) : undefined;
  const fault = obligationKinds[action.do].check({
    steps: at.steps,
    words: placeWords(at),
    of: { ...facts, tool: quote(each.id) },
  });
  return fault && { ...fault, span: at.span, related };
}

function placeWords({ value }: WrittenPath): string {
  return value === "" ? "the data as a whole" : quote(value);
}

function noSuchPlace(
  at: WrittenPath,
  { each: { id }, span }: Pick<ToolPath, "each" | "span">,
  { missing }: PathFacts,
): UnratedDiagnostic {
  const { after = 0, names = [] } = missing ?? {};
  const step = at.steps[after] ?? "";
  const isNumber = /^\d+$/.test(step) && names.includes("*");
  return {
    code: "governance/no-such-place",
    span: at.span,
    message: `${quote(id)} does not return ${quote(at.value)}: there is no ${quote(step)}${after === 0 ? "" : ` in ${quote(`/${at.steps.slice(0, after).join("/")}`)}`}`,
    help: isNumber
      ? "write `*`, for every item of the list"
      : (didYouMeanOrListed(step, names, "the names are") ?? "there is nothing below it"),
    related: [{ span, message: "the tool returns this" }],
  };
}

/** Loaded on demand: pattern parsers take longer to load than a run without changes. */
async function checkPattern(
  { span, value }: { readonly span: WrittenPath["span"]; readonly value: string },
  report: Report,
): Promise<void> {
  const { redactionOf } = await import("../../schema/pattern/redaction.js");
  const redaction = redactionOf(value);
  if (redaction.kind === "linear") return;
  const code = "governance/bad-pattern";
  if (redaction.kind === "invalid")
    report.add({ code, span, message: `this is not a regular expression: ${redaction.reason}` });
  if (redaction.kind === "empty")
    report.add({
      code,
      span,
      message: "the pattern matches the empty text, which is everywhere in a text",
      help: "match at least one character: `+` instead of `*`, `{1,8}` instead of `{0,8}`",
    });
  if (redaction.kind === "not-linear")
    report.add({
      code,
      span,
      message: "this pattern cannot be matched in linear time",
      help: "write it without lookaround (`(?=…)`, `(?<!…)`), without back-references (`\\1`), and without a part that repeats more than 1000 times",
    });
}
