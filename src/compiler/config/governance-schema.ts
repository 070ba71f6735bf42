import {
  type AnyObligationKind,
  type ObligationKey,
  obligationKinds,
} from "@skillc/runtime/internal";
import type { JsonObject } from "../../core/json.js";
import { byteSize, maxNumber, patternOf } from "../../core/quantities.js";
import { when } from "../../schema/editor-marks.js";

/** Schema of a name. */
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
    description: "Tools that this applies to: `skill/tool`, or `skill/*` for all tools of a skill.",
  },
  tags: {
    ...names,
    minItems: 1,
    description: "Tags. This applies to every tool with one of them.",
  },
} as const;

/** Schema of one of `grants`. */
export const grantSchema = {
  description: "Names of scopes.",
  type: "object",
  additionalProperties: false,
  required: ["to", "scopes"],
  properties: {
    to: {
      description: "The callers: exactly one of `subject`, `role` and `tenant`.",
      type: "object",
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: {
        subject: { ...name, description: "One caller." },
        role: { ...name, description: "Every caller with this role." },
        tenant: { ...name, description: "Every caller of this tenant." },
      },
    },
    scopes: { ...names, minItems: 1, description: "Scopes that these callers may hold." },
    ...selection,
  },
} as const satisfies JsonObject;

/** Values of `per`. */
export const budgetOwners = ["tenant", "tool", "caller"] as const;

/** The limits of a quota, by their keys. */
export const quotaLimits = {
  calls_per_minute: { ...count, description: "Maximum number of calls in a minute." },
  calls_per_day: { ...count, description: "Maximum number of calls in a day." },
  cost_per_day: {
    type: "number",
    exclusiveMinimum: 0,
    maximum: maxNumber,
    description: "Maximum total cost of the calls of a day; each tool has a `cost`.",
  },
  bytes_in_per_day: {
    ...bytes,
    description: "Maximum size of the arguments of a day, as JSON: `1MiB`.",
  },
  bytes_out_per_day: {
    ...bytes,
    description: "Maximum size of the answers of a day, as JSON: `10MiB`.",
  },
  concurrent: { ...count, description: "Maximum number of calls at the same time." },
} as const satisfies JsonObject;

/** Schema of one of `quotas`. */
export const quotaSchema = {
  description: "A budget of calls.",
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name: { ...name, description: "The name that errors use." },
    per: {
      description:
        "Each combination of these has a budget of its own. `[tenant, tool]` by default; `[]` is one budget for all.",
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

/** Schema of one of `obligations`. */
export const obligationSchema: JsonObject = {
  description: "A change of an answer's data before the caller gets it.",
  type: "object",
  additionalProperties: false,
  required: ["name", "do"],
  properties: {
    name: { ...name, description: "The name that decisions use." },
    do: {
      description: `${kinds.map((kind) => `\`${kind.do}\`: ${kind.summary}`).join("; ")}.`,
      enum: kinds.map((kind) => kind.do),
    },
    ...Object.fromEntries(
      Object.entries(obligationKeys).map(([name, { schema }]) => [name, schema]),
    ),
    unless: {
      ...names,
      description: "Callers that hold one of these scopes get the unchanged data.",
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

/** Pattern of the name of an approval channel. The id of an OAuth client may be a URL. */
const channelForm = "^(?:[a-z][a-z0-9_.-]{0,99}|elicitation:[!-~]{1,200})$";

const setting = { type: "string", pattern: "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$" } as const;

/** Schemas of the keys of skillc.yaml for governance. */
export const governanceKeySchemas = {
  governance: {
    description:
      "`strict`: a model's call needs a policy that permits it. `standard`: a call is allowed unless a policy forbids it.",
    enum: ["strict", "standard"],
  },
  capabilities: {
    description:
      'Targets that tools may reach in this deployment; narrows the capabilities of tools: `["net.http:* ${ORDERS_URL}/orders"]`. By default nothing is narrowed.',
    type: "array",
    items: {
      type: "string",
      pattern: "^(?:[a-z][a-z0-9_.-]*:[a-z0-9_*-]+|[a-z]+\\.[a-z]+)(?: \\S.*)?$",
    },
    uniqueItems: true,
  },
  grants: {
    description:
      "Scopes that callers may hold. Without grants, callers hold the scopes that the application gives them; with grants, only granted scopes.",
    type: "array",
    items: grantSchema,
  },
  approval_channels: {
    description:
      "Channels on which callers may confirm their own calls, for tools with `approval: { by: person }`: `[terminal, chat]`. The application names the channel when it approves. `elicitation` is the MCP client over standard input and output, `elicitation:CLIENT_ID` an OAuth client over HTTP. `[terminal, elicitation]` by default; `[]` is none.",
    type: "array",
    items: { type: "string", pattern: channelForm },
    uniqueItems: true,
  },
  quotas: {
    description: "Budgets of calls.",
    type: "array",
    // The compiler has a better message for a quota without limits.
    items: { ...quotaSchema, anyOf: Object.keys(quotaLimits).map((key) => ({ required: [key] })) },
  },
  obligations: {
    description: "Changes of answers' data before callers get it.",
    type: "array",
    items: obligationSchema,
  },
  store: {
    ...setting,
    description:
      "For the command line: the `${NAME}` with the URL of the store that processes share, `redis://…` or `postgres://…`.",
  },
  ledger: {
    ...setting,
    description: "For the command line: the `${NAME}` with the URL of a PostgreSQL ledger.",
  },
} as const satisfies JsonObject;
