import { shown } from "../core/names.js";
import { forEditors } from "../schema/editor-marks.js";

const statusName = /^[a-z][a-z0-9_]*$/;

/** JSON Schema of a name that authors give to a status of results. */
export const statusNameSchema = {
  type: "string",
  ...forEditors({ pattern: statusName.source, not: { const: "shadow" } }),
} as const;

/** Describes the problem of a status's name; undefined if it is valid. */
export function statusNameProblem(
  name: string,
): { readonly message: string; readonly help: string } | undefined {
  if (name === "shadow")
    return {
      message: "`shadow` is the status of a call that was recorded instead of sent",
      help: "choose another name",
    };
  if (statusName.test(name)) return undefined;
  const better = name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
  return {
    message: `\`${shown(name)}\` is not a name for a status`,
    help: `use lower-case letters, digits and \`_\`${better === "" ? "" : `: \`${shown(better)}\``}`,
  };
}
