import type { ToolModel } from "../core/skill-model.js";
import { type FileParameter, fileParameters } from "../schema/file-schema.js";
import { loneParameter, type ParameterPart } from "./text-template.js";
import type { ScalarModel } from "./values/model.js";

/** How a reference names a file, or a list of them; undefined where it names something else. */
export function fileOf(tool: ToolModel, { path }: ParameterPart): FileParameter | undefined {
  return path.length === 1 ? fileParameters(tool.parameters).get(path[0] ?? "") : undefined;
}

/** Whether a body is the bytes of a file. */
export function isFileBody(tool: ToolModel, content: ScalarModel<"caller">): boolean {
  const alone = content.kind === "template" ? loneParameter(content.template) : undefined;
  return alone !== undefined && fileOf(tool, alone) !== undefined;
}
