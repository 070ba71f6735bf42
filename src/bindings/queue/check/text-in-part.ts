import { literalText, loneParameter } from "../../text-template.js";
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
