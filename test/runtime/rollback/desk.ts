/** A small project whose tools undo one another: orders that are made, cancelled and reopened. */
import { onTestFinished } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { governance, type GovernanceOptions } from "../../../src/runtime/governance/index.js";
import type { GovernedTool, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import type { LedgerCall } from "../../../src/runtime/ledger/ledger-call.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { queryStore } from "../../../src/runtime/ledger/query.js";
import type { AnyResult } from "../../../src/runtime/result.js";
import type { ToolRollback } from "../../../src/runtime/rollback/tool-rollback.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import { listed } from "../../support/listed.js";
import { type Contract, exampleTool, type Params, type Result } from "../example-tool.js";
import { governedTool } from "../governance/governed.js";

/** Names of the tools, each with the tool that undoes it. */
const tools = { create: "cancel", cancel: "reopen", reopen: undefined } as const;
export type Name = keyof typeof tools;

/** The key of governance in tests. */
export const key = Buffer.alloc(32, 7);

/** What the tools have done: `create a`, `cancel a`. */
export type Done = string[];

export interface DeskSetting {
  /** Changes of a tool's contract. */
  readonly contracts?: { readonly [N in Name]?: Partial<Contract> };
  /** Governs the calls. A tool without an entry has the usual one. */
  readonly policy?: { readonly [N in Name]?: Partial<GovernedTool> } & {
    readonly whole?: Partial<ProjectPolicy>;
  };
  readonly governance?: Partial<GovernanceOptions>;
  readonly runtime?: RuntimeOptions;
  /** Answers of a tool; a success by default. */
  readonly send?: (name: Name, id: string) => Promise<Result> | Result;
  readonly done?: Done;
}

export type Desk = ReturnType<typeof openDesk>;

/** Makes a runtime and its tools. Without `policy`, it has no governance. */
export function openDesk(setting: DeskSetting = {}) {
  const done = setting.done ?? [];
  const functionOf = (name: Name) => {
    const contract = contractOf(name, setting, done, (other) => functions[other]);
    return (params: Params, options?: CallOptions) => callTool(contract, params, options);
  };
  const functions: { readonly [N in Name]: ToolFunction } = {
    create: functionOf("create"),
    cancel: functionOf("cancel"),
    reopen: functionOf("reopen"),
  };
  const runtime = createRuntime({
    ledger: createMemoryLedger(),
    env: {},
    inherit: false,
    ...(setting.policy && { governance: governedBy(setting) }),
    ...setting.runtime,
  });
  onTestFinished(() => runtime.close());
  const calls = (): Promise<readonly LedgerCall[]> => listed(queryStore(runtime.ledger));
  return {
    done,
    runtime,
    calls,
    /** Loads the tools as `tools` of generated/index.ts does. */
    tools: Object.fromEntries(
      Object.entries(functions).map(([name, run]) => [`desk__${name}`, async () => run]),
    ),
    /** Calls a tool, and returns the call of the ledger that ended last. */
    async call(name: Name, id = "a", options: CallOptions = {}): Promise<LedgerCall> {
      await functions[name]({ id }, { runtime, ...options }).catch(() => {});
      const [last] = await calls();
      if (last === undefined) throw new Error("the ledger has no call");
      return last;
    },
  };
}

type ToolFunction = (params: Params, options?: CallOptions) => Promise<AnyResult>;

function contractOf(
  name: Name,
  { contracts, send }: DeskSetting,
  done: Done,
  functionOf: (name: Name) => ToolFunction,
): Contract {
  const undoneBy = tools[name];
  const rollback: ToolRollback<Params> | undefined = undoneBy && {
    strategy: "compensate",
    tool: `desk/${undoneBy}`,
    parameters: ({ id }) => ({ id }),
    call: (params, options) => functionOf(undoneBy)(params, options),
  };
  return {
    ...exampleTool(
      async (_, { id }) => {
        const result = (await send?.(name, id)) ?? ({ status: "success", data: { id } } as const);
        if (result.status === "success") done.push(`${name} ${id}`);
        return { result };
      },
      { name, ...(rollback && { rollback }) },
    ),
    ...contracts?.[name],
  };
}

function governedBy({ governance: options, policy = {} }: DeskSetting) {
  const entries = Object.keys(tools).map((name) => [
    `desk/${name}`,
    { ...governedTool, ...policy[name as Name] },
  ]);
  return governance({
    policy: {
      hash: "p1",
      strict: false,
      tools: Object.fromEntries(entries),
      quotas: [],
      obligations: [],
      ...policy.whole,
    },
    key,
    ...options,
  });
}
