import { describe, expect, test } from "vitest";
import { createRuntime } from "../../../src/runtime/index.js";
import type { CatalogTool } from "../../../src/runtime/model/catalog.js";
import { entryOf } from "../../../src/runtime/model/offered-entry.js";
import { readOffer } from "../../../src/runtime/model/offer-options.js";
import { skill, tool } from "./example-catalog.js";

const runtime = createRuntime({ ledger: false, inherit: false });

function offeredOf(changes: Partial<CatalogTool>) {
  const desk = skill("desk", { tools: [tool("do", changes)] });
  const options = readOffer("offerTools", { skills: [desk] }, { runtime });
  return entryOf({ skill: desk, tool: tool("do", changes) }, options).offered;
}

describe("a description that is too long", () => {
  const sentence = "This sentence has exactly fifty-one letters in a row. ";

  test("a long description is cut after a sentence, and goes on in the parameters", () => {
    const description = sentence.repeat(30).trim();
    const input_schema = { type: "object", description: "Own words." };
    const offered = offeredOf({ description, input_schema });
    expect(offered.description.length).toBeLessThanOrEqual(1024);
    const note = " … (The description of the parameters goes on.)";
    const head = offered.description.slice(0, -note.length);
    expect(head + note).toBe(offered.description);
    expect(head.endsWith("row.")).toBe(true);
    const rest = offered.input_schema["description"];
    expect(`${head} ${String(rest)}`).toBe(`${description}\n\nOwn words.`);
  });

  test.each(["x".repeat(3000), "😀".repeat(1500), `${" ".repeat(2000)}x`, "\n".repeat(5000)])(
    "a long description is cut between characters: %j",
    (description) => {
      const offered = offeredOf({ description });
      expect(offered.description.length).toBeLessThanOrEqual(1024);
      expect(offered.description.isWellFormed()).toBe(true);
    },
  );

  test("a description of 1,024 characters stays whole", () => {
    const description = "x".repeat(1024);
    expect(offeredOf({ description })).toMatchObject({ description });
  });
});

test("HTML in descriptions becomes plain text at every depth", () => {
  const property = { type: "string", description: "<p>An <i>id</i>.</p>", default: "<p>" };
  const offered = offeredOf({
    description: "<b>Does</b> it.",
    input_schema: { type: "object", properties: { a: { items: property } } },
  });
  expect(offered).toMatchObject({
    description: "Does it.",
    input_schema: { properties: { a: { items: { ...property, description: "An id." } } } },
  });
});

describe("the parameter that names a page", () => {
  const properties = { "page[number]": { type: "integer" }, limit: { type: "integer" } };
  const paged = {
    next_parameter: "next",
    page_parameter: "page[number]",
    input_names: { "page[number]": "page_number" },
  };

  test("the parameter that names a page is not offered", () => {
    const { input_schema } = offeredOf({ ...paged, input_schema: { type: "object", properties } });
    expect(Object.keys(input_schema["properties"] ?? {})).toEqual(["limit", "next"]);
  });

  test("a required parameter that names a page is offered", () => {
    const schema = { type: "object", properties, required: ["page[number]"] };
    const { input_schema } = offeredOf({ ...paged, input_schema: schema });
    expect(Object.keys(input_schema["properties"] ?? {})).toEqual(["page_number", "limit", "next"]);
  });
});
