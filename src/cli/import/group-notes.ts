import type { Diagnostic } from "../../core/diagnostic.js";
import { groupBy } from "../../core/group-by.js";
import { plural } from "../diagnostics/summary.js";

/**
 * Joins notes and warnings with the same message. The first one stands for all, and its message
 * says how many there are. Each error stays as it is.
 */
export function groupNotes(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = groupBy(diagnostics, ({ code, help, message, severity, span }) =>
    severity === "error"
      ? JSON.stringify([code, message, span])
      : JSON.stringify([code, message, help]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    const tools = new Set(group.flatMap(({ skill, tool }) => (tool ? [`${skill}/${tool}`] : [])));
    if (tools.size === 1) return group;
    const isOfTools = group.every(({ tool }) => tool !== undefined);
    const count = isOfTools ? plural(tools.size, "tool") : plural(group.length, "place");
    const { skill: _skill, tool: _tool, ...shared } = first;
    return [{ ...shared, message: `${first.message} (${count})` }];
  });
}
