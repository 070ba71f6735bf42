import { describe, expect, test, vi } from "vitest";
import { type Caller, withCaller } from "../../../src/runtime/caller.js";
import { createMemoryStore, governance } from "../../../src/runtime/governance/index.js";
import type { GovernedTool, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import { createFolderStore } from "../../../src/runtime/governance/store/folder/folder-store.js";
import type { GovernanceStore } from "../../../src/runtime/governance/store/store.js";
import { offerOne } from "../../../src/runtime/model/offer-entries.js";
import { type OfferOptions, readOffer } from "../../../src/runtime/model/offer-options.js";
import { offerKnowledge, offerTools } from "../../../src/runtime/model/offer-tools.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import type { JsonValue } from "../../../src/runtime/json/json.js";
import { skill, tool } from "../model/example-catalog.js";
import { governedTool } from "./governed.js";

const catalog = {
  skills: [skill("desk", { description: "A desk.", tools: [tool("read"), tool("write")] })],
};

const both = ["read", "write"];

function setUp(
  changes: Partial<GovernedTool> = {},
  more: Partial<ProjectPolicy> = {},
  store: GovernanceStore = createMemoryStore(),
) {
  const policy: ProjectPolicy = {
    hash: "p1",
    strict: false,
    quotas: [],
    obligations: [],
    tools: { "desk/read": governedTool, "desk/write": { ...governedTool, ...changes } },
    ...more,
  };
  const runtime = createRuntime({
    env: {},
    inherit: false,
    ledger: false,
    credentials: { SET: "x" },
    governance: governance({ policy, store }),
  });
  const offered = async (caller?: Caller, options: OfferOptions = {}) => {
    const all = { runtime, ...options, ...(caller && { caller }) };
    const names = (await offerTools(catalog, all)).map(({ name }) => name.slice("desk_".length));
    // Judging one name gives the same answer as the list.
    for (const name of both) {
      const one = await offerOne(catalog, `desk_${name}`, readOffer("offerTools", catalog, all));
      expect(one !== undefined).toBe(names.includes(name));
    }
    return names;
  };
  return { offered, runtime };
}

describe("tools that are offered under governance", () => {
  test("include each tool that nothing forbids", async () => {
    const { offered } = setUp();
    expect(await offered()).toEqual(both);
  });

  test.each<[string, Partial<GovernedTool>]>([
    ["of another version than the policy", { manifest: "another" }],
    ["that the policy has as deprecated", { deprecated: true }],
  ])("exclude a tool %s", async (_, changes) => {
    expect(await setUp(changes).offered()).toEqual(["read"]);
  });

  test("exclude a tool that the policy doesn't know", async () => {
    const { offered } = setUp({}, { tools: { "desk/read": governedTool } });
    expect(await offered()).toEqual(["read"]);
  });

  test("exclude a paused or deprecated tool, for the tenant whose state says so", async () => {
    for (const state of ["paused", "deprecated"] as const) {
      const { offered, runtime } = setUp();
      const change = { by: "ops", tenant: "acme" };
      await runtime.governance?.setToolState("desk/write", state, change);
      expect(await offered({ tenant: "acme" })).toEqual(["read"]);
      expect(await offered({ tenant: "other" })).toEqual(both);
      await runtime.governance?.setToolState("desk/write", state, { by: "ops" });
      await runtime.governance?.setToolState("desk/write", "enabled", change);
      // A tenant's own state goes before `deprecated` for all, and not before `paused`.
      expect(await offered({ tenant: "acme" })).toEqual(state === "paused" ? ["read"] : both);
      expect(await offered()).toEqual(["read"]);
    }
  });

  test("exclude a tool that its skill declares as paused, until somebody enables it", async () => {
    const { offered, runtime } = setUp({ state: "paused" });
    expect(await offered()).toEqual(["read"]);
    const change = { by: "ops", tenant: "acme" };
    await runtime.governance?.setToolState("desk/write", "enabled", change);
    expect(await offered({ tenant: "acme" })).toEqual(both);
    expect(await offered({ tenant: "other" })).toEqual(["read"]);
    await runtime.governance?.setToolState("desk/write", "enabled", { by: "ops" });
    expect(await offered()).toEqual(both);
  });

  test("include a tool for the one tenant that is excepted from a pause", async () => {
    const { offered, runtime } = setUp();
    const change = { by: "ops", exceptTenants: ["acme"] };
    await runtime.governance?.setToolState("desk/write", "paused", change);
    expect(await offered({ tenant: "acme" })).toEqual(both);
    expect(await offered({ tenant: "other" })).toEqual(["read"]);
    expect(await offered()).toEqual(["read"]);
  });

  test("require the scopes that their caller is granted, not those that it claims", async () => {
    const grants = [{ to: { role: "clerk" }, scopes: ["orders.write"] }];
    const { offered } = setUp({ scopes: ["orders.write"] }, { grants });
    const scopes = ["orders.write"];
    expect(await offered({ scopes })).toEqual(["read"]);
    expect(await offered({ scopes, roles: ["clerk"] })).toEqual(both);
    expect(await withCaller({ scopes, roles: ["clerk"] }, () => offered())).toEqual(both);
  });

  test("exclude each tool that no policy permits in strict mode, because a model makes the call", async () => {
    const { offered } = setUp({}, { strict: true });
    expect(await offered({ origin: "api" })).toEqual([]);
  });

  test("exclude a tool within a second after another process paused it", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const memory = createMemoryStore();
      const states = vi.fn(() => Promise.resolve(memory.states()));
      const shared: GovernanceStore = Object.assign(createMemoryStore(), {
        kind: "shared",
        setState: memory.setState.bind(memory),
        states,
      });
      const here = setUp({}, {}, shared);
      const there = setUp({}, {}, shared);
      expect(await there.offered()).toEqual(both);
      await here.runtime.governance?.setToolState("desk/write", "paused", { by: "ops" });
      vi.advanceTimersByTime(399);
      await there.offered();
      expect(states).toHaveBeenCalledTimes(1);
      vi.advanceTimersByTime(600);
      expect(await there.offered()).toEqual(["read"]);
      expect(states).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ["memory", () => createMemoryStore()],
    ["folder", () => createFolderStore()],
  ])("exclude a paused tool at once with a store of kind %s", async (_, open) => {
    const store = open();
    const { offered } = setUp({}, {}, store);
    expect(await offered()).toEqual(both);
    await store.setState({ tool: "desk/write", state: "paused", by: "ops" });
    expect(await offered()).toEqual(["read"]);
  });

  test("keep the last known states if the store can't be reached", async () => {
    const store = createMemoryStore();
    const { offered, runtime } = setUp({}, {}, store);
    await runtime.governance?.setToolState("desk/write", "paused", { by: "ops" });
    expect(await offered()).toEqual(["read"]);
    vi.spyOn(store, "states").mockImplementation(() => {
      throw new Error("away");
    });
    expect(await offered()).toEqual(["read"]);
  });

  test("limit the knowledge that is offered", async () => {
    const { runtime } = setUp({}, { strict: true });
    expect(await offerKnowledge(catalog, { runtime })).toBe("");
  });
});

describe("policies that are asked before there are arguments", () => {
  const action = (id: string) => `principal, action == Action::"desk/${id}", resource`;
  const withPolicies = (policies: Readonly<Record<string, string>>, strict = true) =>
    setUp({}, { strict, cedar: { schema: schemaOf("read", "write"), policies, approvals: {} } });

  test("offer a tool if they permit it for some arguments or for any", async () => {
    const { offered } = withPolicies({
      read: `permit(${action("read")});`,
      write: `permit(${action("write")}) when { context.args.id == "b" };`,
    });
    expect(await offered()).toEqual(both);
  });

  test("hide a tool if they forbid it for any arguments", async () => {
    const { offered } = withPolicies(
      {
        some: `forbid(${action("read")}) when { context.args.id == "b" };`,
        any: `forbid(${action("write")});`,
      },
      false,
    );
    expect(await offered()).toEqual(["read"]);
  });

  test("decide by origin, roles and scopes while the arguments are unknown", async () => {
    const { offered } = withPolicies({
      read: `permit(${action("read")}) when { principal in Role::"clerk" && context.origin == "llm" };`,
      write: `permit(${action("write")})
        when { context.scopes.contains("orders.write") }
        unless { context.args.id == "b" };`,
    });
    expect(await offered()).toEqual([]);
    expect(await offered({ roles: ["clerk"] })).toEqual(["read"]);
    expect(await offered({ scopes: ["orders.write"] })).toEqual(["write"]);
  });

  test("ignore texts that look like arguments, and the context as a whole", async () => {
    const { offered } = withPolicies(
      {
        text: `forbid(${action("read")}) when { context.origin == "context.args" };`,
        whole: `forbid(${action("write")}) when { {a: context} == {a: context} };`,
      },
      false,
    );
    expect(await offered()).toEqual(both);
  });

  test("know the groups of a tool", async () => {
    const { offered } = withPolicies({
      tagged: `permit(principal, action in Action::"tag:reads", resource);`,
    });
    expect(await offered()).toEqual(["read"]);
  });

  test("use the scopes that are granted to the caller", async () => {
    const policies = {
      all: `permit(principal, action, resource) when { context.scopes.contains("a") };`,
    };
    const cedar = { schema: schemaOf("read", "write"), policies, approvals: {} };
    const { offered } = setUp({}, { strict: true, cedar, grants: [] });
    expect(await offered({ scopes: ["a"] })).toEqual([]);
  });
});

function schemaOf(...tools: readonly string[]) {
  const args = { type: "Record", attributes: { id: { type: "String" } } };
  const text = { type: "String" };
  const texts = { type: "Set", element: text };
  const attributes = {
    args,
    origin: text,
    risk: text,
    effect: text,
    scopes: texts,
    capabilities: texts,
  };
  const appliesTo = {
    principalTypes: ["Caller"],
    resourceTypes: ["Tenant"],
    context: { type: "Record", attributes },
  };
  const memberOf = [{ id: "skill:desk" }];
  const ofTools = tools.map((each) => [
    `desk/${each}`,
    { appliesTo, memberOf: each === "read" ? [...memberOf, { id: "tag:reads" }] : memberOf },
  ]);
  const actions = {
    ...Object.fromEntries(ofTools),
    "skill:desk": {},
    "tag:reads": {},
  } as Record<string, JsonValue>; // written above
  const entityTypes = { Tenant: {}, Role: {}, Caller: { memberOfTypes: ["Role", "Tenant"] } };
  return { "": { entityTypes, actions } };
}
