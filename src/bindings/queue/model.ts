import type { CredentialUse } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { callerRoot } from "../../kit/caller-root.js";
import type { TemplateLanguage, TextTemplate } from "../../kit/text-template.js";
import type { ScalarEntry, ValueNode } from "../../kit/values/model.js";
import type { MessageSchema } from "./message-schema.js";

/** What its templates refer to: parameters, the caller, and credentials. */
export const queueTemplates: TemplateLanguage<"caller"> = { kind: "queue", roots: [callerRoot] };

/** What names refer to: a value there may be several tokens. */
export const nameTemplates: TemplateLanguage<"caller"> = { ...queueTemplates, hasTokens: true };

export type QueueText = TextTemplate<"caller">;
export type QueueEntry = ScalarEntry<"caller">;
export type QueueValue = ValueNode<"caller">;

/** A queue binding as its author meant it: plain data. */
export interface QueueConfig {
  readonly provider: ProviderModel;
  readonly connection: CredentialUse;
  readonly target: TargetModel;
  readonly message: MessageModel;
  /** Absent: JSON of any shape. */
  readonly schema?: MessageSchema;
  readonly headers: readonly QueueEntry[];
  readonly idempotencyKey?: QueueText;
  readonly registry?: CredentialUse;
  /** False when a damaged placeholder hides what the message uses. */
  readonly whole: boolean;
}

export interface ProviderModel {
  /** One of the registry's. */
  readonly name: string;
  /** Of the binding's type where no provider is written. */
  readonly span: Span;
  /** Set when the author wrote none. */
  readonly isDefault?: true;
}

/** Where messages go: the fields of the provider's target, in the order of its contract. */
export type TargetModel = readonly TargetField[];

export type TargetField =
  /** A name, which the provider has a rule for. */
  | { readonly kind: "name"; readonly field: string; readonly template: QueueText }
  /** Any text; `what` is `a key`. */
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
  /**
   * No `message`: every parameter. The place is that of the schema they have to fit, where there is
   * one.
   */
  | { readonly kind: "all"; readonly span: Span }
  | { readonly kind: "template"; readonly value: QueueValue; readonly span: Span };
