import { describe, expect, test } from "vitest";
import { checkCatalogue } from "../../../src/compiler/check/catalogue.js";
import { compileUntyped } from "../whole/compile-untyped.js";

/** What needs skillc.yaml and git is tested in config-secrets.test.ts. */
const entries = Object.entries(checkCatalogue).filter(
  ([code]) => code !== "credential/secrets-not-ignored",
);

describe.each(entries)("%s", (code, entry) => {
  test("arises in its example, with its severity", async () => {
    const { diagnostics } = await compileUntyped(entry.example);
    const found = diagnostics.filter((each) => each.code === code);
    expect(found.map((each) => each.severity)).toContain(entry.severity);
    expect(diagnostics.filter((each) => each.severity === "error" && each.code !== code)).toEqual(
      [],
    );
  });

  test("does not arise once mended, nor does any other error", async () => {
    const { diagnostics } = await compileUntyped(entry.fixed);
    expect(diagnostics.filter((each) => each.code === code || each.severity === "error")).toEqual(
      [],
    );
  });
});
