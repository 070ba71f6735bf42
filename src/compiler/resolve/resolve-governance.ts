import type {
  ApprovalModel,
  GovernanceModel,
  LimitsModel,
  Written,
  WrittenText,
} from "../../core/governance-model.js";
import type { JsonObject } from "../../core/json.js";
import { quote } from "../../core/names.js";
import {
  amountOf,
  byteSize,
  duration,
  faultOf,
  maxNumber,
  patternOf,
  type Quantity,
} from "../../core/quantities.js";
import type { Report } from "../../core/report.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../core/syntax-node.js";
import { forEditors } from "../../schema/editor-marks.js";
import { numberOf, textsOf } from "./read-values.js";

const words: JsonObject = { type: "array", items: { type: "string", pattern: "^\\S+$" } };
const count: JsonObject = { type: "integer", minimum: 1, maximum: maxNumber };
/** The schema only informs editors: the compiler parses the value itself, with better messages. */
const bytes: JsonObject = {
  type: ["integer", "string"],
  ...forEditors({ minimum: 1, pattern: patternOf(byteSize) }),
};

/** JSON Schema of a tool's `governance`. */
export const governanceSchema: JsonObject = {
  description: "Limits who may call the tool, how often, and which targets its calls may reach.",
  type: "object",
  additionalProperties: false,
  properties: {
    scopes: {
      ...words,
      description: "Scopes that a caller must hold, all of them: `orders.write`.",
    },
    capabilities: {
      description:
        "Targets that a call may reach; narrows what the binding needs: `net.http:post ${ORDERS_URL}/orders`, `sql:read ${CONN} public.orders`, `queue:send kafka orders`.",
      type: "array",
      items: { type: "string", minLength: 1 },
    },
    approval: {
      description: "If set, a person must approve a call before it is made.",
      type: "object",
      additionalProperties: false,
      properties: {
        when: {
          description: "A condition in Cedar's language; without it every call needs approval.",
          type: "string",
          minLength: 1,
        },
        ttl: {
          description: "How long an approval holds: `15m`, or milliseconds. A day by default.",
          type: ["integer", "string"],
          ...forEditors({ minimum: 1, pattern: patternOf(duration) }),
        },
        by: {
          description:
            "Who approves. `other`: somebody other than the caller. `person`: also the caller in person, on one of the `approval_channels` of skillc.yaml. `other` by default.",
          enum: ["other", "person"],
        },
      },
    },
    limits: {
      description: "For each tenant.",
      type: "object",
      additionalProperties: false,
      properties: {
        calls_per_minute: {
          ...count,
          description: "Maximum number of calls that begin in a minute.",
        },
        concurrent: { ...count, description: "Maximum number of calls at the same time." },
        bytes_in: {
          ...bytes,
          description: "Maximum size of the arguments, as JSON: `64KiB`, or bytes.",
        },
        bytes_out: {
          ...bytes,
          description: "Maximum size of the answer, as JSON: `1MiB`, or bytes.",
        },
        cost: {
          description: "Cost of a call, in units of your choice. 1 by default.",
          type: "number",
          minimum: 0,
          maximum: maxNumber,
        },
      },
    },
    idempotency: {
      description: "`keyed`: calls with the same key of the caller are made once.",
      const: "keyed",
    },
    concurrency: {
      description: "`serial`: one call at a time, for each tenant.",
      const: "serial",
    },
    state: {
      description:
        "`paused`: calls are denied, and models do not get the tool, until `skillc tools enable` sets another state.",
      const: "paused",
    },
    display_name: {
      description: "The tool's name for people.",
      type: "string",
      minLength: 1,
    },
    group: { description: "The group under which tools are listed.", type: "string", minLength: 1 },
    models: {
      ...words,
      description: "Names of models that the tool is meant for; `*` stands for any text.",
    },
  },
};

/**
 * Resolves a tool's governance; undefined if it has none. Parts with a wrong shape were reported,
 * and are left out.
 *
 * @param asking span if a word of `risk_level` requires approval of every call; an explicit
 * `approval` wins
 */
export function resolveGovernance(
  tool: MapNode,
  asking: SyntaxNode | undefined,
  report: Report,
): GovernanceModel | undefined {
  const entry = entryOf(tool, "governance");
  const node = entry?.value.kind === "map" ? entry.value : undefined;
  if (entry === undefined || node === undefined)
    return asking && { span: asking.span, ...saysNothing, approval: { span: asking.span } };
  const capabilities = entryOf(node, "capabilities");
  const approval = readApproval(entryOf(node, "approval"), report) ?? (asking && everyCall(asking));
  const idempotency = wordOf(node, "idempotency", "keyed");
  const concurrency = wordOf(node, "concurrency", "serial");
  const state = wordOf(node, "state", "paused");
  const displayName = textOf(valueOf(node, "display_name"));
  const group = textOf(valueOf(node, "group"));
  return {
    span: entry.key.span,
    scopes: writtenTexts(valueOf(node, "scopes")),
    ...(capabilities && { capabilities: writtenTexts(capabilities.value) }),
    ...(approval && { approval }),
    limits: readLimits(valueOf(node, "limits"), report),
    ...(idempotency && { idempotency }),
    ...(concurrency && { concurrency }),
    ...(state && { state }),
    ...(displayName !== undefined && { displayName }),
    ...(group !== undefined && { group }),
    models: textsOf(valueOf(node, "models")).map(({ value }) => value),
  };
}

const saysNothing = { scopes: [], limits: {}, models: [] } as const;

function everyCall({ span }: SyntaxNode): ApprovalModel {
  return { span };
}

function readApproval(entry: MapEntry | undefined, report: Report): ApprovalModel | undefined {
  if (entry?.value.kind !== "map") return undefined;
  const when = valueOf(entry.value, "when");
  const text = textOf(when);
  const ttl = readQuantity(entryOf(entry.value, "ttl"), duration, report);
  const isByPerson = textOf(valueOf(entry.value, "by")) === "person";
  return {
    span: entry.key.span,
    ...(when?.kind === "scalar" && text !== undefined && { when: writtenText(when, text) }),
    ...(ttl && { ttlMs: ttl.value }),
    ...(isByPerson && { by: "person" as const }),
  };
}

/** The text with its span and origin, which locate its parts. */
function writtenText({ origin, span }: ScalarNode, value: string): WrittenText {
  return { value, span, ...(origin && { origin }) };
}

function readLimits(node: SyntaxNode | undefined, report: Report): LimitsModel {
  const callsPerMinute = writtenNumber(valueOf(node, "calls_per_minute"));
  const concurrent = writtenNumber(valueOf(node, "concurrent"));
  const bytesIn = readQuantity(entryOf(node, "bytes_in"), byteSize, report);
  const bytesOut = readQuantity(entryOf(node, "bytes_out"), byteSize, report);
  const cost = writtenNumber(valueOf(node, "cost"));
  return {
    ...(callsPerMinute && { callsPerMinute }),
    ...(concurrent && { concurrent }),
    ...(bytesIn && { bytesIn }),
    ...(bytesOut && { bytesOut }),
    ...(cost && { cost }),
  };
}

function readQuantity(
  entry: MapEntry | undefined,
  quantity: Quantity,
  report: Report,
): Written<number> | undefined {
  if (entry?.value.kind !== "scalar") return undefined;
  const { span, value: written } = entry.value;
  const value = amountOf(quantity, written);
  if (value !== undefined) return { value, span };
  // The shape check has reported other values as a wrong type.
  const isShaped = typeof written === "string" || Number.isInteger(written);
  if (!isShaped) return undefined;
  const { help, problem } = faultOf(quantity, written);
  const message = `${quote(entry.key.value)} ${problem}`;
  report.add({ code: "tool/wrong-value", span, message, help });
  return undefined;
}

function writtenTexts(node: SyntaxNode | undefined): readonly Written<string>[] {
  return textsOf(node).map(({ span, value }) => ({ value, span }));
}

function writtenNumber(node: SyntaxNode | undefined): Written<number> | undefined {
  const value = numberOf(node);
  return node === undefined || value === undefined ? undefined : { value, span: node.span };
}

/** Reads a key that has one value. */
function wordOf<const Word extends string>(
  node: MapNode,
  key: string,
  word: Word,
): Written<Word> | undefined {
  const value = valueOf(node, key);
  return value !== undefined && textOf(value) === word
    ? { value: word, span: value.span }
    : undefined;
}
