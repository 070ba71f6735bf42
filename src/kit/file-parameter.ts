import { shown } from "../core/names.js";
import type { ToolModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { type FileParameter, fileParameters } from "../schema/file-schema.js";
import { loneParameter, type ParameterPart } from "./text-template.js";
import type { CheckContext } from "./values/check-value.js";
import type { ScalarModel } from "./values/model.js";

/** Form of the file parameter that a reference names; undefined if it isn't a file parameter. */
export function fileOf(tool: ToolModel, { path }: ParameterPart): FileParameter | undefined {
  return path.length === 1 ? fileParameters(tool.parameters).get(path[0] ?? "") : undefined;
}

/** Checks if a body is the content of a file. */
export function isFileBody(tool: ToolModel, content: ScalarModel<string>): boolean {
  const alone = content.kind === "template" ? loneParameter(content.template) : undefined;
  return alone !== undefined && fileOf(tool, alone) !== undefined;
}

/**
 * Reports each file in a place that doesn't send its content.
 *
 * @param taken references in places that the kind sends files from
 * @param help lists the allowed places
 */
export function checkFilePlaces(
  { kind, report, tool }: CheckContext,
  taken: readonly ParameterPart[],
  help: string,
): void {
  const files = fileParameters(tool.parameters);
  for (const { path, span } of tool.binding.references) {
    if (!files.has(path[0] ?? "") || taken.some((part) => isSame(part.span, span))) continue;
    const name = shown(path.join("."));
    const message = `\`${name}\` is ${path.length > 1 ? "a part of a file" : "a file"}, which can't be used here`;
    report.add({ code: `${kind}/file-place`, span, message, help });
  }
}

function isSame(one: Span, other: Span): boolean {
  return one.start === other.start && one.end === other.end;
}
