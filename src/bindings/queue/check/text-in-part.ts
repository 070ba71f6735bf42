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
export function mayFit({ fit, known, state }: Misfit, at: Written): boolean {
  const { node } = at;
  if (fit === "unsure") return true;
  if (node.kind !== "template" || !isPartlyKnown(at) || known?.kind !== "any-text") return false;
  const values = state?.["enum"];
  return !Array.isArray(values) || values.some((each) => canBecome(node.template, String(each)));
}

/** Whether parameters could make a template this text. */
function canBecome(template: TextTemplate, text: string): boolean {
  const [first = "", ...others] = literalsOf(template);
  const last = others.pop() ?? "";
  if (!text.startsWith(first)) return false;
  // What is found first leaves the most for what follows.
  let end = first.length;
  for (const literal of others) {
    const start = text.indexOf(literal, end);
    if (start < 0) return false;
    end = start + literal.length;
  }
  return end + last.length <= text.length && text.endsWith(last);
}

/** The text before, between and behind the parameters. */
function literalsOf({ parts }: TextTemplate): readonly string[] {
  const literals: string[] = [];
  let open = "";
  for (const part of parts) {
    if (part.kind === "literal") open += part.text;
    else {
      literals.push(open);
      open = "";
    }
  }
  return [...literals, open];
}
