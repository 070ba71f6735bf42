import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { hasMaskedPart, maskedPaths } from "../../../schema/masked-paths.js";
import type { SchemaPlace } from "../../../schema/certain-mismatches.js";
import type { ProjectTool } from "../../../kit/project-tools.js";
import type { PathValue } from "./model.js";

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

/** Hosts, databases and brokers that a tool reaches, without paths. */
function originsOf({ capabilities }: ProjectTool): readonly string[] {
  const all = capabilities.map(({ capability }) => {
    const place = capability.slice(capability.indexOf(" ") + 1);
    return /^[a-z]+:\/\/[^/]+|^\$\{[^}]+\}|^\S+/.exec(place)?.[0] ?? place;
  });
  return [...new Set(all)].toSorted();
}
