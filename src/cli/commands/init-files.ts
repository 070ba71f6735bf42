import { schemaFiles, schemaLine } from "../editor/schema-files.js";

/** Files of `skillc init`: path below the project's folder → text. */
export type StarterFiles = Readonly<Record<string, string>>;

export interface Starter {
  readonly files: StarterFiles;
  /** Commands to try, and their effects. */
  readonly steps: readonly (readonly [command: string, what: string])[];
}

const config = `${schemaLine("skillc.yaml", schemaFiles.config)}
# Paths are relative to this file.
skills: skills
out: generated
`;

const tsconfig = `{
  "compilerOptions": {
    "target": "es2022",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noImplicitOverride": true,
    "noUncheckedIndexedAccess": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["**/*.ts"]
}
`;

const helloSkill = `---
name: hello
description: Greets people. Use it when a conversation begins.
---

# Hello

Greet people in their own language, once, when a conversation begins.
`;

const helloTools = `${schemaLine("skills/hello/metadata.yaml", schemaFiles.metadata)}
tools_schema:
  greet:
    description: Greet a person by name.
    parameters:
      type: object
      additionalProperties: false
      required: [name]
      properties:
        name: { type: string, minLength: 1, description: Who to greet. }
        language: { type: string, enum: [en, fr], default: en, description: In which language. }
    returns:
      type: object
      additionalProperties: false
      required: [greeting]
      properties:
        greeting: { type: string, description: What to say. }
`;

const handlers = `import type { Handlers } from "./generated/handlers.js";

/** The functions behind tools that have no binding. Give them to \`configure({ handlers })\`. */
export const handlers: Handlers = {
  "hello/greet": ({ name, language }) => ({
    greeting: language === "fr" ? \`Bonjour, \${name} !\` : \`Hello, \${name}!\`,
  }),
};
`;

const orderSkill = `---
name: order-desk
description: Looks up and creates orders. Use it for questions about an order, or when a customer wants to buy something.
---

# Order desk

Ask for the order's number before you look anything up. Read an order back to the customer before you create it.
`;

const orderTools = `${schemaLine("skills/order-desk/metadata.yaml", schemaFiles.metadata)}
tools_schema:
  get-order:
    description: Fetch one order by its number.
    parameters:
      type: object
      additionalProperties: false
      required: [order_id]
      properties:
        order_id: { type: string, description: The order's number. }
        with_lines: { type: boolean, description: Whether to include the order's lines. }
    returns:
      type: object
      required: [id, total]
      properties:
        id: { type: string }
        total: { type: number, description: In euros. }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/orders/{order_id}
      query: { with_lines: "{with_lines}" }
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
      response_mapping:
        path: $.data
        error_path: $.error.message
        status_codes: { "404": not_found }

  create-order:
    description: Create an order for a customer.
    risk_level: medium
    parameters:
      type: object
      additionalProperties: false
      required: [customer_id, lines]
      properties:
        customer_id: { type: string, format: uuid }
        lines: { type: array, minItems: 1, items: { $ref: "#/$defs/line" } }
      $defs:
        line:
          type: object
          additionalProperties: false
          required: [sku, quantity]
          properties:
            sku: { type: string }
            quantity: { type: integer, minimum: 1 }
    returns:
      type: object
      required: [id]
      properties:
        id: { type: string }
    binding:
      type: http
      mode: active
      method: POST
      url: \${ORDERS_URL}/customers/{customer_id}/orders
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
      body_template: { lines: "{lines}" }
      idempotency: { header: Idempotency-Key }
      timeout_ms: 5000
      response_mapping:
        path: $.data
        error_path: $.error.message
        status_codes: { "201": success, "404": not_found, "409": conflict, "429": rate_limited }
`;

const project: StarterFiles = { "skillc.yaml": config, "tsconfig.json": tsconfig };

/** The smallest project with a working tool: a function of the application, without a network. */
export const handlerStarter: Starter = {
  files: {
    ...project,
    "skills/hello/SKILL.md": helloSkill,
    "skills/hello/metadata.yaml": helloTools,
    "handlers.ts": handlers,
  },
  steps: [
    ["npx skillc generate", "compile the skill to generated/"],
    [
      `npx skillc call hello/greet --args '{"name": "Ada"}' --handlers handlers.ts`,
      "call its tool",
    ],
    ["npx tsc", "type-check generated code and the handler"],
  ],
};

/**
 * A project with one read and one write of an HTTP API. The shadow call needs neither the API nor a
 * token.
 */
export const httpStarter: Starter = {
  files: {
    ...project,
    "skills/order-desk/SKILL.md": orderSkill,
    "skills/order-desk/metadata.yaml": orderTools,
  },
  steps: [
    ["npx skillc generate", "compile the skill to generated/"],
    [
      `npx skillc call order-desk/create-order --mode shadow --args '{"customer_id": "3f0e4b5c-6c1f-4a7b-9d3e-2b1a0c9d8e7f", "lines": [{"sku": "A-1", "quantity": 2}]}'`,
      "see the request that it would send",
    ],
    ["npx skillc check --env", "which credentials a real call needs"],
    ["npx tsc", "type-check generated code"],
  ],
};
