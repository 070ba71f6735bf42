import {
  type AnyObligationKind,
  type ObligationKey,
  obligationKinds,
} from "@skillc/runtime/internal";
import type { JsonObject } from "../../core/json.js";
import { byteSize, maxNumber, patternOf } from "../../core/quantities.js";
import { when } from "../../schema/editor-marks.js";

/** A text that something is known by. */
const name = { type: "string", minLength: 1, maxLength: 100 } as const;
const names = { type: "array", items: name, uniqueItems: true } as const;
const count = { type: "integer", minimum: 1, maximum: maxNumber } as const;
const bytes = {
  anyOf: [count, { type: "string", pattern: patternOf(byteSize) }],
} as const;

/** Selects the tools of an entry; all tools if both keys are absent. */
const selection = {
  tools: {
    ...names,
    // An empty list would select every tool, so it is rejected.
    minItems: 1,
    description: "Tools that it is for, as `skill/tool`, or `skill/*` for all of a skill.",
  },
  tags: { ...names, minItems: 1, description: "Tools that it is for, by a tag that they have." },
} as const;

/** One of `grants`. */
export const grantSchema = {
  description: "Scopes that somebody may hold.",
  type: "object",
  additionalProperties: false,
  required: ["to", "scopes"],
  properties: {
    to: {
      description: "Who: exactly one of `subject`, `role` and `tenant`.",
      type: "object",
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: {
        subject: { ...name, description: "One caller." },
        role: { ...name, description: "Whoever has this role." },
        tenant: { ...name, description: "Whoever belongs to this tenant." },
      },
    },
    scopes: { ...names, minItems: 1, description: "What they then hold, if they say so." },
    ...selection,
  },
} as const satisfies JsonObject;

/** Values of `per`. */
export const budgetOwners = ["tenant", "tool", "caller"] as const;

/** The limits of a quota, by their keys. */
export const quotaLimits = {
  calls_per_minute: { ...count, description: "Calls within a minute." },
  calls_per_day: { ...count, description: "Calls within a day." },
  cost_per_day: {
    type: "number",
    exclusiveMinimum: 0,
    maximum: maxNumber,
    description: "What the calls of a day cost together, by `cost` of each tool.",
  },
  bytes_in_per_day: { ...bytes, description: "Of the arguments of a day, as JSON: `1MiB`." },
  bytes_out_per_day: { ...bytes, description: "Of the answers of a day, as JSON: `10MiB`." },
  concurrent: { ...count, description: "Calls at one time." },
} as const satisfies JsonObject;

/** One of `quotas`. */
export const quotaSchema = {
  description: "A budget of calls.",
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name: { ...name, description: "By which refusals tell it." },
    per: {
      description:
        "For what the budget is counted apart, `[tenant, tool]` when not given: `[]` is one budget for all.",
      type: "array",
      items: { enum: budgetOwners },
      uniqueItems: true,
    },
    ...quotaLimits,
    ...selection,
  },
} as const satisfies JsonObject;

const kinds: readonly AnyObligationKind[] = Object.values(obligationKinds);

/** Keys of all kinds of obligations. */
const obligationKeys: { readonly [name: string]: ObligationKey } = Object.assign(
  {},
  ...kinds.map(({ keys }) => keys),
);

/** One of `obligations`. */
export const obligationSchema: JsonObject = {
  description: "What is done to the data of an answer before its caller has it.",
  type: "object",
  additionalProperties: false,
  required: ["name", "do"],
  properties: {
    name: { ...name, description: "By which a decision tells it." },
    do: {
      description: `${kinds.map((kind) => `\`${kind.do}\`: ${kind.summary}`).join("; ")}.`,
      enum: kinds.map((kind) => kind.do),
    },
    ...Object.fromEntries(
      Object.entries(obligationKeys).map(([name, { schema }]) => [name, schema]),
    ),
    unless: {
      ...names,
      description: "Whoever holds one of these scopes gets the data as it is.",
    },
    ...selection,
  },
  // Each kind requires its own keys, and rejects those of other kinds.
  allOf: kinds.map(({ do: action, keys }): JsonObject => {
    const others = Object.keys(obligationKeys).filter((key) => !Object.hasOwn(keys, key));
    return when(
      { properties: { do: { const: action } }, required: ["do"] },
      {
        required: Object.keys(keys),
        properties: Object.fromEntries(others.map((key) => [key, false])),
      },
    );
  }),
};

const setting = { type: "string", pattern: "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$" } as const;

/** The keys of skillc.yaml that say who may call what. */
export const governanceKeySchemas = {
  governance: {
    description:
      "Whether calls that a model asks for need a policy that permits them (`strict`), or only none that forbids them (`standard`).",
    enum: ["strict", "standard"],
  },
  capabilities: {
    description:
      'What tools may reach where this is deployed, which narrows what they say: `["net.http:* ${ORDERS_URL}/orders"]`. Without it nothing is narrowed.',
    type: "array",
    items: { type: "string", pattern: "^[a-z][a-z0-9_.-]*:[a-z0-9_*-]+(?: [^ ]+)*$" },
    uniqueItems: true,
  },
  grants: {
    description:
      "Who may hold which scopes. Without it callers hold what their application says; with it, no more than what is granted.",
    type: "array",
    items: grantSchema,
  },
  quotas: {
    description: "Budgets of calls.",
    type: "array",
    // The compiler has a better message for a quota without limits.
    items: { ...quotaSchema, anyOf: Object.keys(quotaLimits).map((key) => ({ required: [key] })) },
  },
  obligations: {
    description: "What is done to the data of answers.",
    type: "array",
    items: obligationSchema,
  },
  store: {
    ...setting,
    description:
      "For the command line: `${NAME}` of the URL of the store that processes share, `redis://…` or `postgres://…`.",
  },
  ledger: {
    ...setting,
    description: "For the command line: `${NAME}` of the URL of a PostgreSQL ledger.",
  },
} as const satisfies JsonObject;
