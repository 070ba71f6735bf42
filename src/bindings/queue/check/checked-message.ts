import type { ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import type { ValueNode } from "../../values/model.js";
import type { MessageSchema } from "../message-schema.js";

/** A message as its author wrote it, and its schema. */
export interface CheckedMessage {
  readonly node: ValueNode;
  readonly span: Span;
  readonly schema: MessageSchema;
  /** False without `message`, when every parameter is a field of its name. */
  readonly isListed: boolean;
  readonly tool: ToolModel;
}
