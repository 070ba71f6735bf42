import type { CredentialUse } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import type { TextTemplate } from "../text-template.js";
import type { ScalarEntry, ValueNode } from "../values/model.js";
import type { MessageSchema } from "./message-schema.js";

export const providers = ["kafka", "rabbitmq", "redis"] as const;
export type ProviderName = (typeof providers)[number];

/** A queue binding as its author meant it: plain data. */
export interface QueueConfig {
  readonly provider: ProviderModel;
  readonly connection: CredentialUse;
  readonly target: TargetModel;
  readonly message: MessageModel;
  /** Absent: JSON of any shape. */
  readonly schema?: MessageSchema;
  readonly headers: readonly ScalarEntry[];
  readonly idempotencyKey?: TextTemplate;
  readonly registry?: CredentialUse;
  /** False when a damaged placeholder hides what the message uses. */
  readonly whole: boolean;
}

export interface ProviderModel {
  readonly name: ProviderName;
  /** Of the binding's type where no provider is written. */
  readonly span: Span;
  /** Set when the author wrote none. */
  readonly isDefault?: true;
}

/** Where messages go, by provider. */
export type TargetModel =
  | { readonly kind: "kafka"; readonly topic: TextTemplate; readonly key?: TextTemplate }
  | {
      readonly kind: "rabbitmq";
      /** Absent: the default exchange, which takes the routing key for a queue's name. */
      readonly exchange?: TextTemplate;
      readonly routingKey: TextTemplate;
    }
  | { readonly kind: "redis"; readonly stream: TextTemplate; readonly maxLength?: number };

export type MessageModel =
  /** No `message`: every parameter. The place is that of the schema they have to fit, where there is one. */
  | { readonly kind: "all"; readonly span: Span }
  | { readonly kind: "template"; readonly value: ValueNode; readonly span: Span };
