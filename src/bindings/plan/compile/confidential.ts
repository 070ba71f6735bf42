import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { hasMaskedPart, maskedPaths } from "../../../schema/masked-paths.js";
import type { SchemaPlace } from "../../../schema/certain-mismatches.js";
import type { ProjectTool } from "../../../kit/project-tools.js";
import type { Linking } from "./linking.js";
import type { PathValue, StepModel } from "./model.js";

/** A flow of one value into a parameter. */
export interface Flow {
  /** Tool that takes the value, and the name of its parameter. */
  readonly found: ProjectTool;
  readonly name: string;
  /** Tool whose answer has the value; absent for a parameter of the plan. */
  readonly from?: ProjectTool | undefined;
}

/**
 * Warns if a value that its schema marks as confidential goes to another origin, or into a
 * parameter without such a mark, which the ledger would record.
 */
export function checkConfidential(
  { path, span }: PathValue,
  places: readonly SchemaPlace[],
  { found, from, name }: Flow,
  report: Report,
): void {
  if (!places.some(({ at, model }) => hasMaskedPart(model, at))) return;
  const isMasked = maskedPaths(found.tool.parameters).some(([first]) => first === name);
  const stays = from === undefined || originsOf(from).join() === originsOf(found).join();
  if (isMasked && stays) return;
  const source = from === undefined ? "of the plan" : `of ${quote(from.id)}`;
  report.add({
    code: "plan/confidential-flow",
    span,
    message: `${quote(path.text)} ${source} is confidential, and goes to ${quote(name)} of ${quote(found.id)}${stays ? "" : ", at another origin"}`,
    help: isMasked
      ? "accept it if the value may go there"
      : `mark ${quote(name)} with \`x-sensitive: true\` too, so that the ledger masks it`,
  });
}

/** Warns if a planner sees confidential values, because it sends them to a model. */
export function checkShown(step: StepModel, { report, steps, tool }: Linking): void {
  const outputs = [...steps.values()].map(({ answers, step: { id } }) => ({
    name: `step_${id}.output`,
    places: answers.all.flatMap(({ data }) => (typeof data === "object" ? [data] : [])),
  }));
  const inputs = {
    name: "the parameters of the plan",
    places: [{ model: tool.parameters, at: [] }],
  };
  for (const { name, places } of [inputs, ...outputs]) {
    if (!places.some(({ at, model }) => hasMaskedPart(model, at))) continue;
    report.add({
      code: "plan/confidential-flow",
      span: step.span,
      message: `${name === inputs.name ? name : quote(name)} may be confidential, and step ${quote(step.id)} lets a planner show them to a model`,
      help: "give each parameter of the step a source, or accept it if the model may see the values",
    });
  }
}

/** Hosts, databases and brokers that a tool reaches, without paths. */
function originsOf({ capabilities }: ProjectTool): readonly string[] {
  const all = capabilities.map(({ capability }) => {
    const place = capability.slice(capability.indexOf(" ") + 1);
    return /^[a-z]+:\/\/[^/]+|^\$\{[^}]+\}|^\S+/.exec(place)?.[0] ?? place;
  });
  return [...new Set(all)].toSorted();
}
