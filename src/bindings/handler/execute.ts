import { ToolError } from "../../runtime/errors.js";
import type { AnyResult } from "../../runtime/result.js";
import type { Binding } from "../../runtime/call/binding.js";

/**
 * Makes the binding of a tool without one. Its calls fail until the application supplies a handler.
 *
 * @param tool id of the tool: `skill/tool`
 */
export function handler<Arguments, Result extends AnyResult>(
  tool: string,
): Binding<Arguments, Result> {
  return {
    kind: "handler",
    // A handler may wait for a person.
    timeoutMs: 0,
    prepare() {
      throw new ToolError(
        tool,
        { code: "POLICY.DENY_TOOL", missing: [{ kind: "handlers", name: tool }] },
        `\`${tool}\` has no binding and no handler: give one to \`configure({ handlers })\``,
      );
    },
  };
}
