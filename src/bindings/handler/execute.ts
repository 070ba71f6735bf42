import { ToolError } from "../../runtime/errors.js";
import type { AnyResult } from "../../runtime/result.js";
import type { Binding } from "../../runtime/tool.js";

/**
 * The binding of a tool that has none: its calls fail until the application supplies a handler.
 *
 * @param tool `skill/tool`
 */
export function handler<Arguments, Result extends AnyResult>(
  tool: string,
): Binding<Arguments, Result> {
  return {
    kind: "handler",
    // What a handler does may take as long as a person thinks.
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
