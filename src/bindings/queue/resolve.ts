import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { entryOf, type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import type { ResolvedBinding, ResolveInput } from "../../kit/binding.js";
import { credentialsIn, parametersIn } from "../../kit/coverage.js";
import { readConnection } from "../../kit/read-connection.js";
import { rootsIn } from "../../kit/roots.js";
import { parseTemplate, textNode } from "../../kit/text-template.js";
import { checkLiteralName, readScalar, readValue } from "../../kit/values/read-value.js";
import { templatesBelow } from "../../kit/values/templates-in.js";
import {
  queueTemplates,
  type MessageModel,
  type ProviderModel,
  type QueueConfig,
  type QueueEntry,
  type QueueText,
  templatesOfTarget,
} from "./model.js";
import { defaultProvider, providers } from "./providers/registry.js";
import { readMessageSchema } from "./read-message-schema.js";
import { readTarget } from "./target.js";

/** Reads the `binding:` mapping of a queue tool as a model. */
export function resolveQueue(input: ResolveInput): ResolvedBinding<QueueConfig> | undefined {
  const { node, report } = input;
  const provider = readProvider(input);
  const connection = readConnection(
    valueOf(node, "connection"),
    { kind: "queue", example: "ORDER_EVENTS" },
    report,
  );
  const target = provider && readTarget({ provider, node, report });
  const message = readMessage(node, report);
  const headers = readHeaders(valueOf(node, "headers_mapping"), report);
  const key = textNode(valueOf(valueOf(node, "idempotency"), "key"));
  const idempotencyKey = key && parseTemplate(key, queueTemplates, report);
  const { schema, registry, isRead } = readMessageSchema(input);
  if (provider === undefined || connection === undefined || target === undefined || !isRead)
    return undefined;
  const templates: readonly QueueText[] = [
    ...templatesOfTarget(target),
    ...(message.kind === "template" ? templatesBelow(message.value) : []),
    ...headers.flatMap(({ value }) => templatesBelow(value)),
    ...(idempotencyKey ? [idempotencyKey] : []),
  ];
  const parts = templates.flatMap((each) => each.parts);
  return {
    config: {
      provider,
      connection,
      target,
      message,
      headers,
      ...(schema && { schema }),
      ...(idempotencyKey && { idempotencyKey }),
      ...(registry && { registry }),
      whole: input.fits !== false && templates.every((each) => each.whole),
    },
    effect: "write",
    idempotent: idempotencyKey !== undefined,
    credentials: [connection, ...(registry ? [registry] : []), ...credentialsIn(parts)],
    references: parametersIn(parts),
    roots: rootsIn(parts),
  };
}

function readProvider({ fits, node, report }: ResolveInput): ProviderModel | undefined {
  const entry = entryOf(node, "provider");
  if (entry === undefined) return unnamedProvider(node, fits !== false, report);
  const text = textNode(entry.value);
  const name = providers.find((each) => each.name === text?.value)?.name;
  return text && name !== undefined ? { name, span: text.span } : undefined;
}

/**
 * Returns the default provider and points it out at `type`, because the author may have forgotten
 * the provider. If the binding has another fault, that may be the reason, so nothing is reported.
 */
function unnamedProvider(node: MapNode, fits: boolean, report: Report): ProviderModel {
  const span = valueOf(node, "type")?.span ?? node.span;
  const { name } = defaultProvider;
  const message = `the binding has no \`provider\`, so it uses ${name}`;
  const help = `write \`provider: ${name}\`, or the provider that you mean`;
  if (fits) report.add({ code: "queue/default-provider", span, message, help });
  return { name, span, isDefault: true };
}

function readMessage(node: MapNode, report: Report): MessageModel {
  const value = valueOf(node, "message");
  if (value === undefined) return { kind: "all", span: (valueOf(node, "schema") ?? node).span };
  return {
    kind: "template",
    value: readValue(value, { language: queueTemplates, report }),
    span: value.span,
  };
}

function readHeaders(node: SyntaxNode | undefined, report: Report): readonly QueueEntry[] {
  if (node?.kind !== "map") return [];
  const reading = { language: queueTemplates, report };
  const seen = new Map<string, QueueEntry>();
  return node.entries.flatMap(({ key, value }): readonly QueueEntry[] => {
    checkLiteralName(key.value, key.span, reading);
    if (value.kind !== "scalar") return [];
    const entry = { name: key.value, span: key.span, value: readScalar(value, reading) };
    const twin = seen.get(key.value.toLowerCase());
    seen.set(key.value.toLowerCase(), twin ?? entry);
    if (twin === undefined) return [entry];
    report.add({
      code: "queue/duplicate-header",
      span: key.span,
      message: `\`${shown(key.value)}\` is set twice: consumers disagree on whether case matters`,
      help: "keep one of the two",
      related: [{ span: twin.span, message: "the other one" }],
    });
    return [];
  });
}
