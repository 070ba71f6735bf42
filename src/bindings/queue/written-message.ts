import type { ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { restOfParameters } from "../../kit/coverage.js";
import { placeOfParameter } from "../../kit/unused-parameters.js";
import type { QueueConfig, QueueValue } from "./model.js";

/**
 * The message as its author wrote it. Without `message` it contains every parameter that isn't
 * listed as unused.
 */
export function writtenMessage(
  tool: ToolModel,
  { message }: QueueConfig,
): { readonly value: QueueValue; readonly span: Span } {
  const { span } = message;
  if (message.kind === "template") return { value: message.value, span };
  const entries = restOfParameters(tool, []).map((name) => {
    const place = placeOfParameter(tool.parameters, name);
    const part = {
      kind: "parameter",
      path: [name],
      start: 0,
      end: name.length,
      span: place,
    } as const;
    const template = { span: place, parts: [part], whole: true };
    return { name, span: place, value: { kind: "template", template } as const };
  });
  return { value: { kind: "map", entries, span }, span };
}
