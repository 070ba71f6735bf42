import { describe, expect, test } from "vitest";
import { missingFor } from "../../../src/runtime/model/offer-entries.js";
import { offerTools } from "../../../src/runtime/model/offer-tools.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { skill, tool } from "./example-catalog.js";

const runtime = createRuntime({ ledger: false, inherit: false, credentials: { SET: "x" } });

describe("the tools offered to a model", () => {
  test("belong to skills whose prerequisites are met, in the catalog's order", async () => {
    const skills = [
      skill("free", { tools: [tool("b"), tool("a")] }),
      skill("met", { tools: [tool("c")], prerequisites: { env: ["SET"] } }),
      skill("unmet", { tools: [tool("d")], prerequisites: { env: ["SET", "NOT_SET"] } }),
      skill("knowledge"),
    ];
    const offered = await offerTools({ skills }, runtime);
    expect(offered.map((each) => each.name)).toEqual(["desk_b", "desk_a", "desk_c"]);
  });

  test("do not include deprecated tools", async () => {
    const tools = [tool("old", { deprecated: true }), tool("older", { deprecated: "use new" })];
    const skills = [skill("desk", { tools: [...tools, tool("new")] })];
    const offered = await offerTools({ skills }, runtime);
    expect(offered.map((each) => each.name)).toEqual(["desk_new"]);
  });

  test("require their credentials or a handler", async () => {
    const served = createRuntime({
      ledger: false,
      inherit: false,
      credentials: { SET: "x" },
      handlers: { "desk/served": () => 1, "desk/instead": () => 1 },
    });
    const tools = [
      tool("ready"),
      tool("no-token", { capabilities: [{ capability: "a", credentials: ["SET", "NOT_SET"] }] }),
      tool("instead", { capabilities: [{ capability: "a", credentials: ["NOT_SET"] }] }),
      tool("served", { capabilities: [{ capability: "a", credentials: [] }], needs_handler: true }),
      tool("unserved", {
        capabilities: [{ capability: "a", credentials: [] }],
        needs_handler: true,
      }),
    ];
    const offered = await offerTools({ skills: [skill("desk", { tools })] }, served);
    expect(offered.map((each) => each.name)).toEqual(["desk_ready", "desk_instead", "desk_served"]);
  });

  test("belong to the named skills, in the catalog's order", async () => {
    const skills = ["a", "b", "c"].map((name) => skill(name, { tools: [tool(name)] }));
    const offered = await offerTools({ skills }, { runtime, skills: ["c", "a"] });
    expect(offered.map((each) => each.name)).toEqual(["desk_a", "desk_c"]);
    expect(await offerTools({ skills }, { runtime, skills: [] })).toEqual([]);
  });

  test("consist of name, description and input schema, without data of the server", async () => {
    const skills = [skill("desk", { tools: [tool("do")] })];
    expect(await offerTools({ skills }, runtime)).toEqual([
      {
        name: "desk_do",
        description: "Does do.",
        input_schema: { type: "object", title: "do", properties: {} },
      },
    ]);
  });
});

test("missingFor lists the unmet prerequisites of a skill", async () => {
  const prerequisites = { env: ["SET", "NOT_SET"], config: ["region"] };
  expect(await missingFor(skill("desk", { prerequisites }), runtime)).toEqual([
    { kind: "env", name: "NOT_SET" },
    { kind: "config", name: "region" },
  ]);
  expect(await missingFor(skill("desk"), runtime)).toEqual([]);
});

test("a skill whose prerequisite is met later is offered from then on", async () => {
  const env: Record<string, string> = {};
  const late = createRuntime({ ledger: false, env, directory: "/does/not/exist" });
  const skills = [
    skill("desk", {
      tools: [tool("do", { capabilities: [{ capability: "a", credentials: ["LATE"] }] })],
      prerequisites: { env: ["LATE"] },
    }),
  ];
  expect(await offerTools({ skills }, late)).toEqual([]);
  env["LATE"] = "now";
  expect(await offerTools({ skills }, late)).toHaveLength(1);
});

describe("the options of an offer", () => {
  const skills = [
    skill("desk", {
      tools: [
        tool("a", {
          input_schema: {
            $schema: "https://json-schema.org/draft/2020-12/schema",
            $id: "skillc:/a",
            type: "object",
          },
        }),
      ],
    }),
  ];

  test("omit `$schema` and `$id` if `schemaIds` is false", async () => {
    const [offered] = await offerTools({ skills }, { runtime, schemaIds: false });
    expect(offered?.input_schema).toEqual({ type: "object", properties: {} });
    const [usual] = await offerTools({ skills }, { runtime });
    expect(Object.keys(usual?.input_schema ?? {})).toEqual([
      "$schema",
      "$id",
      "type",
      "properties",
    ]);
  });

  test.each<[string, unknown, unknown]>([
    ["a list of names", { skills }, ["a"]],
    ["handlers", { skills }, { "desk/a": () => 1 }],
    ["an option that there isn't", { skills }, { runtime, schemaId: false }],
    ["a skill that is no list", { skills }, { runtime, skills: "desk" }],
    ["no runtime in its place", { skills }, { runtime: {} }],
    ["an empty list", { skills }, []],
    ["a catalog of no skills", { skills: null }, undefined],
    ["a catalog that is a list", [], undefined],
    ["tools for the catalog", { desk__a: () => 1 }, undefined],
    ["nothing", undefined, undefined],
  ])("%s is refused, in words", async (_, catalog, options) => {
    // As JavaScript calls it.
    const offer = offerTools(catalog as never, options as never);
    await expect(offer).rejects.toThrow(/argument of `offerTools` must be/);
  });

  test("offerTools rejects an unknown skill, and suggests a known one", async () => {
    // As JavaScript calls it.
    const offer = offerTools({ skills }, { runtime, skills: ["desks"] as never });
    await expect(offer).rejects.toThrow("the catalog has no skill `desks`; did you mean `desk`?");
  });
});
