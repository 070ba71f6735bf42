import type { Misfit } from "../../../schema/fit/misfit.js";
import { literalText, loneParameter, type TextTemplate } from "../../text-template.js";
import type { Written } from "./node-at.js";

/** Whether something is text around parameters. */
export function isPartlyKnown({ inside, node }: Written): boolean {
  return (
    inside.length === 0 &&
    node.kind === "template" &&
    literalText(node.template) === undefined &&
    loneParameter(node.template) === undefined
  );
}

/** Whether what has a misfit may fit all the same. Text of which a part is known does, unless only other texts are wanted. */
export function mayFit({ fit, given, state }: Misfit, at: Written): boolean {
  const { node } = at;
  if (fit === "unsure") return true;
  if (node.kind !== "template" || !isPartlyKnown(at) || given !== "may be any text") return false;
  const values = state?.["enum"];
  return !Array.isArray(values) || values.some((each) => canBecome(node.template, String(each)));
}

/** Whether parameters could make a template this text. */
function canBecome({ parts }: TextTemplate, text: string): boolean {
  const patterns = parts.map((part) =>
    part.kind === "literal" ? part.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : ".*",
  );
  return new RegExp(`^${patterns.join("")}$`, "su").test(text);
}
