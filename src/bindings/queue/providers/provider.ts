import type { TargetNames } from "@skillc/runtime/internal/queue";
import type { JsonObject, JsonSchema, JsonValue } from "../../../core/json.js";
import type { Report } from "../../../core/report.js";
import { type MapNode, valueOf } from "../../../core/syntax-node.js";
import { literalText, parseTemplate, textNode } from "../../../kit/text-template.js";
import type { CheckContext } from "../../../kit/values/check-value.js";
import {
  nameTemplates,
  queueTemplates,
  type ProviderModel,
  type QueueConfig,
  type QueueText,
  type TargetModel,
} from "../model.js";

/**
 * A provider as the compiler sees it. Only `registry.ts` lists the providers; no other code outside
 * a provider's folder depends on which provider it has. The runtime uses the rest of the folder:
 * `names.ts`, `contract.ts`, `runtime.ts` and `send`.
 */
export interface QueueProvider {
  /**
   * The value of `provider:`, which is also the name of the entry point and of its function:
   * `kafka`.
   */
  readonly name: string;
  /** Other names that authors may use for the provider, in lower case: `amqp`. */
  readonly otherNames: readonly string[];
  /** Name in messages: `Kafka`. */
  readonly title: string;
  /** Noun for the server behind the connection's URL: `a Kafka broker`. */
  readonly server: string;
  /** Names of the types that the entry point exports. */
  readonly types: {
    readonly publication: string;
    readonly receipt: string;
    /** A second status that a call may return beside `success`, and its type. */
    readonly other?: { readonly status: string; readonly type: string };
  };
  /** The npm packages of its client library. */
  readonly packages: readonly string[];
  /** JSON Schemas of the keys that describe a target. Their descriptions are the provider's. */
  readonly keys: Readonly<Record<string, JsonObject>>;
  /**
   * Alternative sets of keys. A binding has all keys of one set and no key of another: `topic`, or
   * `exchange` and `routing_key`.
   */
  readonly ways: readonly (readonly string[])[];
  /**
   * Hints for keys of other providers, by key: ``what keeps messages together on Kafka is `key` ``.
   */
  readonly instead: ReadonlyMap<string, string>;
  readonly names: TargetNames;
  /** Reads the target. If it is missing, reports that and returns undefined. */
  readTarget(reading: TargetReading): TargetModel | undefined;
  /** Fields of the receipt, which a success carries when a tool declares no `returns`. */
  receiptOf(config: QueueConfig): Readonly<Record<string, ReceiptField>>;
  /** Checks the provider's own rules, such as those for headers. */
  check?(place: CheckContext, config: QueueConfig): void;
  /** Sentences for the descriptions of diagnostic codes. */
  readonly explains: {
    /** The keys that describe the target. */
    readonly target: string;
    /** How two targets in one binding conflict; only for providers with alternative targets. */
    readonly twoTargets?: string;
    /** The names that the broker accepts. */
    readonly names: string;
    /** The receipt's fields, as a list: ``` `stream` and `id` (Redis) ```. */
    readonly receipt: string;
    /** Limits on the names of headers. */
    readonly headerNames?: string;
    /** Headers that the provider sets itself. */
    readonly ownHeaders?: string;
    /** Headers that tell the broker what to do with a message. */
    readonly routingHeaders?: string;
  };
}

/** A binding whose target is being read. */
export interface TargetReading {
  readonly node: MapNode;
  readonly provider: ProviderModel;
  readonly report: Report;
}

/** The name under a key. */
export function nameUnder(reading: TargetReading, key: string): QueueText | undefined {
  return templateUnder(reading, key, nameTemplates);
}

/** The text under a key. */
export function textUnder(reading: TargetReading, key: string): QueueText | undefined {
  return templateUnder(reading, key, queueTemplates);
}

function templateUnder(
  { node, report }: TargetReading,
  key: string,
  language: typeof queueTemplates,
): QueueText | undefined {
  const text = textNode(valueOf(node, key));
  return text && parseTemplate(text, language, report);
}

/** Reports that the binding has no target. */
export function noTarget({ provider, report }: TargetReading, help: string): undefined {
  const { name, span } = provider;
  const message = `the binding has no target for \`${name}\``;
  report.add({ code: "queue/no-target", span, message, help });
}

/** A field of a receipt. */
export interface ReceiptField {
  readonly type: "string" | "integer" | "boolean";
  /** True if some receipts don't have the field. */
  readonly isOptional?: true;
  /** Schema of the field's values; undefined for a name that each call builds. */
  readonly schema?: JsonSchema;
  /** Two example values that are as far apart as possible. */
  readonly examples: readonly [least: JsonValue, most: JsonValue];
}

/**
 * The receipt field for a name of the target, with as much of its value as is known at compile
 * time.
 */
export function nameField(target: TargetModel, field: string): ReceiptField {
  const found = target.find((each) => each.field === field);
  const text = found?.kind === "fixed" ? String(found.value) : found && literalText(found.template);
  return text === undefined
    ? { type: "string", examples: ["", ""] }
    : { type: "string", schema: { const: text }, examples: [text, text] };
}

export function textField(pattern: string, least: string, most: string): ReceiptField {
  return { type: "string", schema: { type: "string", pattern }, examples: [least, most] };
}

export function integerField(minimum: number, maximum: number): ReceiptField {
  return {
    type: "integer",
    schema: { type: "integer", minimum, maximum },
    examples: [minimum, maximum],
  };
}

/** The schema of a key that holds text. */
export function textKey(description: string): JsonObject {
  return { type: "string", minLength: 1, description };
}
