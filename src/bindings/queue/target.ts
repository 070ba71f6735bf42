import type { NameRule } from "@skillc/runtime/internal/queue";
import { quote } from "../../core/names.js";
import type { JsonObject } from "../../core/json.js";
import { forEditors, when } from "../../schema/editor-marks.js";
import type { QueueConfig, QueueText, TargetModel } from "./model.js";
import type { QueueProvider, TargetReading } from "./providers/provider.js";
import { defaultProvider, providerNamed, providers } from "./providers/registry.js";

/** The keys of destinations, and the providers that have them. */
const owners: ReadonlyMap<string, readonly QueueProvider[]> = new Map(
  providers
    .flatMap(({ keys }) => Object.keys(keys))
    .map((key) => [key, providers.filter(({ keys }) => Object.hasOwn(keys, key))]),
);

/** JSON Schemas of these keys, each described for its providers. */
export const targetKeys: JsonObject = Object.fromEntries(
  [...owners].map(([key, all]) => {
    const schemas = all.map(({ keys, name }) => ({ name, schema: keys[key] ?? {} }));
    const words = schemas.map(({ name, schema }) => `${name}: ${String(schema["description"])}`);
    return [key, { ...schemas[0]?.schema, description: words.join("; ") }];
  }),
);

const ways = providers.flatMap((each) => each.ways);

/** Schemas of these keys for editors. */
export const targetForEditors = forEditors({
  allOf: [
    ...[...owners].map(([key, all]) =>
      when(
        { required: [key] },
        {
          properties: { provider: { enum: all.map(({ name }) => name) } },
          ...(!all.includes(defaultProvider) && { required: ["provider"] }),
        },
      ),
    ),
    { anyOf: distinct(ways).map((required) => ({ required })) },
    ...distinct(providers.flatMap(exclusive)).map((required) => ({ not: { required } })),
  ],
});

/** Pairs of keys that belong to alternative destinations of one provider. */
function exclusive({
  ways: [first = [], ...others],
}: QueueProvider): readonly (readonly string[])[] {
  return others.flatMap((other) => first.flatMap((one) => other.map((each) => [one, each])));
}

function distinct(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(lists.map((each) => [each.join(" "), each])).values()];
}

/** Reads the destination. If it is missing, reports that and returns undefined. */
export function readTarget(reading: TargetReading): TargetModel | undefined {
  reportForeignKeys(reading);
  return providerNamed(reading.provider.name).readTarget(reading);
}

function reportForeignKeys({ node, provider, report }: TargetReading): void {
  const { name } = provider;
  const known = providerNamed(name);
  for (const { key } of node.entries) {
    const all = owners.get(key.value);
    if (all === undefined || all.includes(known)) continue;
    const diagnostic = { code: "queue/not-for-provider", span: key.span } as const;
    const message = `\`${name}\` has no ${quote(key.value)}`;
    const help = known.instead.get(key.value) ?? "remove it";
    report.add(
      provider.isDefault
        ? {
            ...diagnostic,
            message: `${message}, and a binding without \`provider\` uses ${name}`,
            help: `write \`provider: ${all[0]?.name}\`, or ${help}`,
          }
        : {
            ...diagnostic,
            message,
            help,
            related: [{ span: provider.span, message: "the provider" }],
          },
    );
  }
}

/** A name in a target, with the broker's rule for it. */
export interface TargetedName extends NameRule {
  readonly field: string;
  readonly template: QueueText;
}

/** The names in a target. */
export function namesIn({
  provider,
  target,
}: Pick<QueueConfig, "target"> & {
  readonly provider: Pick<QueueConfig["provider"], "name">;
}): readonly TargetedName[] {
  const known = target.map(
    (each) => [each.field, each.kind === "fixed" ? each.value : undefined] as const,
  );
  const rules = providerNamed(provider.name).names.rulesOf(Object.fromEntries(known));
  return target.flatMap((each) => {
    const rule = each.kind === "name" ? rules[each.field] : undefined;
    return each.kind !== "name" || rule === undefined
      ? []
      : [{ ...rule, field: each.field, template: each.template }];
  });
}
