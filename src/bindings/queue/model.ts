import type { CredentialUse } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { callerRoot } from "../../kit/caller-root.js";
import type { TemplateLanguage, TextTemplate } from "../../kit/text-template.js";
import type { ScalarEntry, ValueNode } from "../../kit/values/model.js";
import type { MessageSchema } from "./message-schema.js";

/** Template language of queue bindings: parameters, the caller, and credentials. */
export const queueTemplates: TemplateLanguage<"caller"> = { kind: "queue", roots: [callerRoot] };

/** Template language of names, in which a value may be several tokens. */
export const nameTemplates: TemplateLanguage<"caller"> = { ...queueTemplates, hasTokens: true };

export type QueueText = TextTemplate<"caller">;
export type QueueEntry = ScalarEntry<"caller">;
export type QueueValue = ValueNode<"caller">;

/** A queue binding as its author wrote it: plain data. */
export interface QueueConfig {
  readonly provider: ProviderModel;
  readonly connection: CredentialUse;
  readonly target: TargetModel;
  readonly message: MessageModel;
  /** Schema of the message; absent if any JSON is allowed. */
  readonly schema?: MessageSchema;
  readonly headers: readonly QueueEntry[];
  readonly idempotencyKey?: QueueText;
  readonly registry?: CredentialUse;
  /** False if a faulty placeholder hides which parameters the message uses. */
  readonly whole: boolean;
}

export interface ProviderModel {
  /** Name of a registered provider. */
  readonly name: string;
  /** Span of the provider, or of the binding's type if no provider is written. */
  readonly span: Span;
  /** Set if the author wrote no provider. */
  readonly isDefault?: true;
}

/** The destination: the fields of the provider's target, in the order of its contract. */
export type TargetModel = readonly TargetField[];

export type TargetField =
  /** A name, for which the provider has a rule. */
  | { readonly kind: "name"; readonly field: string; readonly template: QueueText }
  /** Any text; `what` is a noun for messages, such as `a key`. */
  | {
      readonly kind: "text";
      readonly field: string;
      readonly what: string;
      readonly template: QueueText;
    }
  | { readonly kind: "fixed"; readonly field: string; readonly value: string | number };

/** Every template of a target. */
export function templatesOfTarget(target: TargetModel): readonly QueueText[] {
  return target.flatMap((each) => (each.kind === "fixed" ? [] : [each.template]));
}

export type MessageModel =
  /** No `message`: every parameter. The span is that of the message's schema, if there is one. */
  | { readonly kind: "all"; readonly span: Span }
  | { readonly kind: "template"; readonly value: QueueValue; readonly span: Span };
