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
 * What the compiler asks of a provider. Nothing outside of a provider's folder asks which one it
 * is: `registry.ts` lists them. Beside this description the folder has `names.ts`, `contract.ts`,
 * `runtime.ts` and `send`, which are the runtime's.
 */
export interface QueueProvider {
  /**
   * The value of `provider:`, and the name of its entry point and of its function there: `kafka`
   */
  readonly name: string;
  /** What else authors call it, in lower case: `amqp`. */
  readonly otherNames: readonly string[];
  /** `Kafka` */
  readonly title: string;
  /** What stands at the connection's URL: `a Kafka broker` */
  readonly server: string;
  /** The types of its entry point. */
  readonly types: {
    readonly publication: string;
    readonly receipt: string;
    /** What a call may answer beside `success`, and the type of that. */
    readonly other?: { readonly status: string; readonly type: string };
  };
  /** The npm packages of its client library. */
  readonly packages: readonly string[];
  /**
   * The keys that say where messages go: a JSON Schema of each, whose description is the
   * provider's.
   */
  readonly keys: Readonly<Record<string, JsonObject>>;
  /**
   * Sets of keys of which a binding has all of one, and none of another: `topic`, or `exchange` and
   * `routing_key`.
   */
  readonly ways: readonly (readonly string[])[];
  /**
   * What it has in place of keys of other providers: ``what keeps messages together on Kafka is
   * `key` ``
   */
  readonly instead: ReadonlyMap<string, string>;
  readonly names: TargetNames;
  /** Where messages go; undefined, and reported, when that is not said. */
  readTarget(reading: TargetReading): TargetModel | undefined;
  /** What a success carries when a tool declares no `returns`. */
  receiptOf(config: QueueConfig): Readonly<Record<string, ReceiptField>>;
  /** Its own rules, of headers and the like. */
  check?(place: CheckContext, config: QueueConfig): void;
  /** Sentences for the descriptions of diagnostic codes. */
  readonly explains: {
    /** What says where messages go. */
    readonly target: string;
    /** What two ways to say that are to it; of a provider that has more than one. */
    readonly twoTargets?: string;
    /** What it takes for names. */
    readonly names: string;
    /** Of the receipt's fields, in a list: ``` `stream` and `id` (Redis) ``` */
    readonly receipt: string;
    /** What the name of a header may not be. */
    readonly headerNames?: string;
    /** The headers that it fills. */
    readonly ownHeaders?: string;
    /** The headers by which it is told what to do with a message. */
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

/** Reports that nothing says where messages go. */
export function noTarget({ provider, report }: TargetReading, help: string): undefined {
  const { name, span } = provider;
  const message = `the binding has no target for \`${name}\``;
  report.add({ code: "queue/no-target", span, message, help });
}

/** A field of a receipt. */
export interface ReceiptField {
  readonly type: "string" | "integer" | "boolean";
  /** Whether some receipts don't have it. */
  readonly isOptional?: true;
  /** The values that it may have; undefined for a name that is made for each call. */
  readonly schema?: JsonSchema;
  /** Two of them, as far apart as they get. */
  readonly examples: readonly [least: JsonValue, most: JsonValue];
}

/** A name of the target, as it is known when modules are generated. */
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
