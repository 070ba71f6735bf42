import { describe, expect, test } from "vitest";
import { catalog } from "../../../generated/index.js";
import { offerKnowledge } from "../../../src/runtime/model/offer-tools.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { skill, tool } from "./example-catalog.js";

const runtime = createRuntime({ ledger: false, inherit: false, credentials: { SET: "x" } });

/** The skills that a text speaks of. */
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^# Skill: (.*)$/gm)].map(([, name = ""]) => name);

describe("the knowledge offered to a model", () => {
  test("consists of the text of SKILL.md under name and description, after an introduction", async () => {
    const offered = await offerKnowledge(catalog, { runtime, skills: ["refund-policy"] });
    expect(offered).toBe(`\
These are your skills: instructions from the people who built this application, one section for each skill. \
The names of a skill's tools begin with the skill's name and two underscores.

# Skill: refund-policy

When and how to refund a customer. Read it before promising money back.

# Refunds

- Unopened goods: full refund within 30 days of delivery.
- Damaged goods: full refund or replacement, the customer's choice, with a photograph.
- Digital goods: none once downloaded.
- Above 500 EUR a person decides; say so, and hand the conversation over.`);
  });

  test("leaves out skills whose prerequisites are not met or whose tools can't be called", async () => {
    const skills = [
      skill("knowledge"),
      skill("some", {
        tools: [
          tool("a"),
          tool("b", { capabilities: [{ capability: "a", credentials: ["NOT_SET"] }] }),
        ],
      }),
      skill("none", {
        tools: [tool("c", { capabilities: [{ capability: "a", credentials: ["NOT_SET"] }] })],
      }),
      skill("unmet", { tools: [tool("d")], prerequisites: { env: ["NOT_SET"] } }),
      skill("unmet-knowledge", { prerequisites: { env: ["NOT_SET"] } }),
    ];
    expect(namesIn(await offerKnowledge({ skills }, runtime))).toEqual(["knowledge", "some"]);
  });

  test("contains the named skills, in the catalog's order", async () => {
    const skills = ["a", "b", "c"].map((name) => skill(name));
    const offered = await offerKnowledge({ skills }, { runtime, skills: ["c", "a"] });
    expect(namesIn(offered)).toEqual(["a", "c"]);
  });

  test("contains nothing if no skill is available", async () => {
    expect(await offerKnowledge({ skills: [] }, runtime)).toBe("");
  });

  test("contains no empty lines for missing descriptions and texts", async () => {
    const offered = await offerKnowledge({ skills: [skill("bare", { body: " \n" })] }, runtime);
    expect(offered).toMatch(/\n\n# Skill: bare$/);
  });

  test("reports an invalid catalog under its own function name", async () => {
    // As JavaScript calls it.
    const offer = offerKnowledge({ desk__a: () => 1 } as never);
    await expect(offer).rejects.toThrow(
      /^the first argument of `offerKnowledge` must be the `catalog`/,
    );
  });
});
