import type { JsonObject } from "../../core/json.js";
import type { Report } from "../../core/report.js";
import {
  type RollbackModel,
  rollbackStrategies,
  type RollbackStrategy,
} from "../../core/rollback-model.js";
import type { Span } from "../../core/span.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";

const text = { type: "string", minLength: 1 } as const;

/** Keys of each strategy beside `strategy`. */
const keysOf = {
  compensate: {
    tool: {
      ...text,
      description: "The tool that undoes a call: `cancel-order`, or `other-skill/cancel-order`.",
    },
    parameters: {
      description:
        "Parameters of that tool: fixed values, `{name}` for a parameter of the call, `{result.id}` for a field of its result, `{caller.tenant}` for a field of its caller. Without `parameters`, skillc finds the values by their names.",
      type: "object",
    },
  },
  effects: {},
  backup: {
    paths: {
      description:
        "Files and folders to copy before the call: fixed paths, or `{name}` for a parameter that is a path.",
      type: "array",
      minItems: 1,
      items: text,
    },
  },
  none: {
    reason: { ...text, description: "Why nothing undoes a call. Approvers see it." },
  },
} as const satisfies Readonly<Record<RollbackStrategy, JsonObject>>;

const required: Readonly<Record<RollbackStrategy, readonly string[]>> = {
  compensate: ["tool"],
  effects: ["strategy"],
  backup: ["strategy"],
  none: ["strategy", "reason"],
};

const strategies: JsonObject = {
  description:
    "`compensate`: another tool undoes a call. `effects`: a command runs over a layer, and the runtime applies its changes after a success. `backup`: the runtime copies files before the call. `none`: nothing undoes a call.",
  enum: [...rollbackStrategies],
};

/** JSON Schema of a mapping with an unknown strategy, or with none. */
const anyStrategy: JsonObject = {
  type: "object",
  required: ["strategy"],
  properties: { strategy: strategies },
};

const schemas = Object.fromEntries(
  rollbackStrategies.map((strategy) => [strategy, schemaOf(strategy)]),
) as Readonly<Record<RollbackStrategy, JsonObject>>; // one entry for each strategy

function schemaOf(strategy: RollbackStrategy): JsonObject {
  return {
    type: "object",
    additionalProperties: false,
    required: [...required[strategy]],
    properties: { strategy: { ...strategies, enum: [strategy] }, ...keysOf[strategy] },
  };
}

/** JSON Schema of `rollback:`. */
export const rollbackSchema: JsonObject = {
  description:
    "How a call is undone: the name of a tool that undoes it, or a mapping with a `strategy`.",
  anyOf: [text, ...Object.values(schemas)],
};

/** Resolves `rollback:`. Undefined if it is absent, or a mistake that is reported. */
export function resolveRollback(tool: MapNode, report: Report): RollbackModel | undefined {
  const entry = entryOf(tool, "rollback");
  if (entry === undefined) return undefined;
  const { value } = entry;
  const name = textOf(value);
  if (name !== undefined && name !== "")
    return { strategy: "compensate", span: value.span, tool: name };
  const strategy = strategyOf(value);
  const schema = strategy === undefined ? anyStrategy : schemas[strategy];
  const fits = checkShape(value, schema, report, {
    subject: "`rollback`",
    at: entry.key.span,
    unknownKey: "tool/unknown-key",
    missingKey: "tool/wrong-value",
    wrongType: "tool/wrong-type",
    wrongValue: "tool/wrong-value",
  });
  if (!fits || strategy === undefined || value.kind !== "map") return undefined;
  return modelOf(value, strategy, spanOf(entry, strategy));
}

/** A mapping without `strategy` that names a tool is a compensation. */
function strategyOf(node: SyntaxNode): RollbackStrategy | undefined {
  const written = valueOf(node, "strategy");
  if (written === undefined) return entryOf(node, "tool") && "compensate";
  return rollbackStrategies.find((each) => each === textOf(written));
}

function spanOf({ key, value }: MapEntry, strategy: RollbackStrategy): Span {
  const named = valueOf(value, strategy === "compensate" ? "tool" : "strategy");
  return (named ?? key).span;
}

/** @param node a mapping that fits the schema of the strategy */
function modelOf(node: MapNode, strategy: RollbackStrategy, span: Span): RollbackModel {
  switch (strategy) {
    case "compensate": {
      const parameters = valueOf(node, "parameters");
      return {
        strategy,
        span,
        tool: textOf(valueOf(node, "tool")) ?? "",
        ...(parameters?.kind === "map" && { parameters }),
      };
    }
    case "effects":
      return { strategy, span };
    case "backup":
      return { strategy, span, paths: scalarsIn(valueOf(node, "paths")) };
    case "none":
      return { strategy, span, reason: textOf(valueOf(node, "reason")) ?? "" };
  }
}

function scalarsIn(node: SyntaxNode | undefined): readonly ScalarNode[] {
  return node?.kind === "list" ? node.items.filter((each) => each.kind === "scalar") : [];
}
