import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesOf, misfits, repository } from "../../support/answers-fit.js";

const cases = readdirSync(join(repository, "test/cases")).filter((name) => !/faults/.test(name));
const own = ["skills", "skillc.yaml", "examples/warehouse/schema.sql"];

describe("results of tools", () => {
  test("fit the published schema in the examples", async () => {
    expect(await misfits(filesOf(".", own))).toEqual([]);
  });

  test.each(cases)("fit the published schema, also after obligations: %s", async (name) => {
    const files = filesOf(`test/cases/${name}`, ["skills", "skillc.yaml", "db"]);
    expect(await misfits(files)).toEqual([]);
  });
});
