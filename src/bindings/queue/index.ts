import { runtimeEntry } from "../../core/runtime-entry.js";
import type { BindingKind } from "../../kit/binding.js";
import { defineBinding } from "../../kit/binding.js";
import { callerRoot } from "../../kit/caller-root.js";
import { loadTemplate } from "../../kit/load-template.js";
import { queueAnswers, receiptSchema } from "./answers.js";
import {
  addressesOf,
  capabilitiesOfQueue,
  publicationOf,
  queueCapabilityForm,
} from "./beside-others.js";
import { queueDiagnosticEntries } from "./diagnostics.js";
import { checkQueue } from "./check.js";
import { emitQueue } from "./emit.js";
import type { QueueConfig } from "./model.js";
import { withoutComments } from "./protobuf/proto-file.js";
import { providerNamed, providers } from "./providers/registry.js";
import { resolveQueue } from "./resolve.js";
import { queueOtherWords, queueSchema } from "./schema.js";

/** The binding kind `type: queue`: one message to a broker, built from the parameters. */
export const queueBinding: BindingKind<QueueConfig> = defineBinding<QueueConfig>({
  type: "queue",
  title: "message queue",
  schema: queueSchema,
  otherWords: queueOtherWords,
  roots: [callerRoot],
  modes: ["active", "shadow"],
  needsHandler: false,
  diagnostics: queueDiagnosticEntries,
  runtime: {
    module: runtimeEntry("queue"),
    values: ["credential", "fitted", "json", "omit", "pick", "targetName", "text"],
    types: ["QueueRecord"],
  },
  furtherRuntime: [
    ...providers.map(({ name, types }) => ({
      module: runtimeEntry(name),
      values: [name],
      types: [types.publication, types.receipt, ...(types.other ? [types.other.type] : [])],
    })),
    { module: runtimeEntry("avro"), values: ["avro"], types: [] },
    { module: runtimeEntry("protobuf"), values: ["protobuf"], types: [] },
  ],
  packages: packagesOf,
  template: loadTemplate("queue"),
  significantText: (path, text) =>
    path.toLowerCase().endsWith(".proto") ? withoutComments(text) : undefined,
  resolve: resolveQueue,
  check: checkQueue,
  hasOwnKey: ({ idempotencyKey }) => idempotencyKey !== undefined,
  capabilities: capabilitiesOfQueue,
  capabilityForms: [queueCapabilityForm],
  dataSchema: receiptSchema,
  answers: queueAnswers,
  // A message is added to those that are there.
  writeHints: () => ({ destructive: false }),
  shared: { addresses: addressesOf, publication: publicationOf },
  schemas: ({ schema }) => (schema === undefined ? {} : { message: schema.json }),
  emit: emitQueue,
});

/** Optional packages of encoders, by encoding. */
const encoderPackages: Readonly<Record<string, string>> = { avro: "avsc", protobuf: "protobufjs" };

function packagesOf({ provider, schema }: QueueConfig): readonly (readonly string[])[] {
  const encoder = schema && encoderPackages[schema.encoding.kind];
  const all = [...providerNamed(provider.name).packages, ...(encoder ? [encoder] : [])];
  return all.map((each) => [each]);
}
