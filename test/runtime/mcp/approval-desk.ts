/** A desk whose calls need an approval, behind an MCP server. */
import type { Client } from "@modelcontextprotocol/client";
import { createMcpServer, type McpClient, modelClient } from "@skillc/runtime/mcp";
import { onTestFinished, vi } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import type { Caller } from "../../../src/runtime/caller.js";
import {
  createMemoryStore,
  type ApprovalBy,
  type GovernanceOptions,
  type GovernanceStore,
  type ToolEvent,
} from "../../../src/runtime/governance/index.js";
import type { GovernedTool, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import type { Catalog, CatalogTool } from "../../../src/runtime/model/catalog.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";
import { govern, governedTool, policyOf } from "../governance/governed.js";

/** Settings of a desk. */
export interface DeskSetting {
  readonly by?: ApprovalBy;
  readonly channels?: readonly string[];
  readonly options?: Partial<GovernanceOptions>;
  /** Caller over stdio, and over HTTP without a token. */
  readonly caller?: Caller;
  readonly auth?: "none" | "tokens";
  readonly title?: string;
}

export const ada = { tenant: "acme", subject: "ada" };
export const chat = "https://chat.example.com/client.json";
export const key = Buffer.alloc(32, 7).toString("base64");
/** Name of the tool for models. */
export const doIt = "desk__do-it";

/** Clients by their tokens. */
const clients: { readonly [token: string]: McpClient } = {
  ada: { ...modelClient(ada, "http"), clientId: chat },
  bob: { ...modelClient({ tenant: "acme", subject: "bob" }, "http"), clientId: chat },
  adaElsewhere: { ...modelClient({ ...ada, tenant: "other" }, "http"), clientId: chat },
  adaByOther: { ...modelClient(ada, "http"), clientId: "other" },
  adaByNobody: modelClient(ada, "http"),
};

const auth = {
  authenticate: async (request: Request) => {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    return clients[token] ?? new Response(null, { status: 401 });
  },
};

const schema = {
  type: "object",
  properties: { id: { type: "string" }, secret: { type: "string" } },
  required: ["id"],
} as const;

function catalogTool(name: string, title: string | undefined): CatalogTool {
  return {
    id: `desk/${name}`,
    name,
    model_name: `desk__${name}`,
    function: "doIt",
    description: "Does it.",
    input_schema: schema,
    output_schema: null,
    kind: "example",
    needs_handler: false,
    side_effect: "write",
    mode: "active",
    risk_level: "high",
    requires_confirmation: false,
    manifest_hash: "t1",
    capabilities: [],
    tags: [],
    deprecated: false,
    ...(title !== undefined && { governance: { display_name: title } }),
  };
}

/** Calls a tool, and returns its result in parts that tests compare. */
export async function call(
  client: Client,
  args: Readonly<Record<string, unknown>> = { id: "a" },
  name = doIt,
) {
  const answer = await client.callTool({ name, arguments: args });
  const { id, message, status, ...rest } = resultIn(answer.content);
  return { isError: answer.isError === true, id, message, status, ...rest, raw: answer };
}

/** Reads a result. Those of the server are JSON. */
export function resultIn(content: unknown): { readonly [name: string]: unknown } {
  // Every result has a text.
  const [first] = content as readonly { readonly text: string }[];
  try {
    return JSON.parse(first?.text ?? "") as { readonly [name: string]: unknown };
  } catch {
    return { text: first?.text };
  }
}

/** Serves tools of which `do-it` and `masked` need an approval, and `free` needs none. */
export function serveApprovals(setting: DeskSetting = {}) {
  const { by = "person", channels, title } = setting;
  const approval = { conditional: false, ttlMs: 3_600_000, by };
  const governedBy = (more: Partial<GovernedTool>): GovernedTool => ({ ...governedTool, ...more });
  const policy: ProjectPolicy = policyOf(
    {},
    {
      tools: {
        "desk/do-it": governedBy({ approval }),
        "desk/masked": governedBy({ approval }),
        "desk/free": governedBy({}),
      },
      ...(channels && { approvalChannels: channels }),
    },
  );
  const events: ToolEvent[] = [];
  const base = createMemoryStore();
  const saved: string[] = [];
  const store: GovernanceStore = new Proxy(base, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (name !== "saveApproval") return member.bind(target);
      return async (given: Parameters<GovernanceStore["saveApproval"]>[0]) => {
        const end = await target.saveApproval(given);
        if (end === "saved") saved.push(given.id);
        return end;
      };
    },
  });
  const governed = govern(policy, {
    store,
    events: (each) => void events.push(each),
    ...setting.options,
  });
  const send = vi.fn<Parameters<typeof exampleTool>[0]>(succeed);
  const toolOf = (name: string, more: Parameters<typeof exampleTool>[1] = {}) => {
    const contract = exampleTool(send, { name, ...more });
    const made = (params: Params, options?: CallOptions) => callTool(contract, params, options);
    return async () => made;
  };
  const server = createMcpServer({
    mcp: { version: 1, tools: {}, skills: [] },
    catalog: catalogOf(title),
    tools: {
      [doIt]: toolOf("do-it"),
      desk__masked: toolOf("masked", { maskedParams: [["secret"]] }),
      desk__free: toolOf("free"),
    },
    runtime: governed.runtime,
    caller: setting.caller ?? ada,
    auth: setting.auth === "tokens" ? auth : "none",
  });
  onTestFinished(() => server.close());
  return { ...governed, events, saved, send, server, store };
}

function catalogOf(title: string | undefined): Catalog {
  return {
    skills: [
      {
        name: "desk",
        description: "A desk.",
        body: "",
        file: "skills/desk/SKILL.md",
        prerequisites: {},
        tools: ["do-it", "masked", "free"].map((name) => catalogTool(name, title)),
      },
    ],
  };
}
