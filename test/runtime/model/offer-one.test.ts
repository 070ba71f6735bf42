import { describe, expect, test } from "vitest";
import type { CatalogTool } from "../../../src/runtime/model/catalog.js";
import { offerEntries, offerOne } from "../../../src/runtime/model/offer-entries.js";
import { type OfferOptions, readOffer } from "../../../src/runtime/model/offer-options.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { skill, tool } from "./example-catalog.js";

const runtime = createRuntime({ ledger: false, inherit: false, credentials: { SET: "x" } });

const tools = [
  tool("ready"),
  tool("risky", { risk_level: "high" }),
  tool("old", { deprecated: true }),
  tool("no-token", { capabilities: [{ capability: "a", credentials: ["NOT_SET"] }] }),
  tool("unserved", { needs_handler: true }),
  tool("paged", { next_parameter: "next" }),
];
const skills = [
  skill("desk", { tools }),
  skill("unmet", { tools: [tool("far")], prerequisites: { env: ["NOT_SET"] } }),
  skill("other", { tools: [tool("other", { tags: ["public"] })] }),
];

describe("offerOne", () => {
  test.each<[string, OfferOptions]>([
    ["no options", {}],
    ["a filter", { risk: "low", tags: ["internal"] }],
    ["some skills", { skills: ["other"] }],
    ["schemas without ids", { schemaIds: false }],
  ])("offers a tool exactly if the list does, with %s", async (_, given) => {
    const options = readOffer("offerTools", { skills }, { runtime, ...given });
    const listed = await offerEntries({ skills }, options);
    expect(listed.length).toBeGreaterThan(0);
    for (const { model_name: name } of skills.flatMap((each) => each.tools))
      expect(await offerOne({ skills }, name, options)).toEqual(
        listed.find(({ offered }) => offered.name === name),
      );
  });

  test.each(["desk_unknown", "", "__proto__", "toString"])(
    "offers nothing for %j",
    async (name) => {
      const options = readOffer("offerTools", { skills }, runtime);
      expect(await offerOne({ skills }, name, options)).toBeUndefined();
    },
  );

  test("judges no other tool, and makes the index of a catalog once", async () => {
    const reads: string[] = [];
    const watched = (each: CatalogTool): CatalogTool =>
      new Proxy(each, {
        get(target, key, receiver) {
          reads.push(`${target.name}.${String(key)}`);
          return Reflect.get(target, key, receiver) as unknown;
        },
      });
    const catalog = {
      skills: [skill("desk", { tools: ["a", "b", "c"].map((each) => watched(tool(each))) })],
    };
    const options = readOffer("offerTools", catalog, runtime);
    await offerOne(catalog, "desk_b", options);
    const others = reads.filter((each) => !each.startsWith("b."));
    expect(others).toEqual(["a.model_name", "c.model_name"]);
    reads.length = 0;
    expect((await offerOne(catalog, "desk_b", options))?.tool.id).toBe("desk/b");
    expect(reads.filter((each) => !each.startsWith("b."))).toEqual([]);
  });
});
