import { describe, expect, test } from "vitest";
import { resolveDiagnosticEntries } from "../../../src/compiler/resolve/diagnostics.js";
import { resolveProject } from "./skill-project.js";

describe.each(Object.entries(resolveDiagnosticEntries))("%s", (code, entry) => {
  test("arises in its example, with its severity", async () => {
    const { diagnostics } = await resolveProject(entry.example);
    const found = diagnostics.filter((each) => each.code === code);
    expect(found.map((each) => each.severity)).toContain(entry.severity);
    const errors = diagnostics.filter((each) => each.severity === "error" && each.code !== code);
    expect(errors).toEqual([]);
  });

  test("does not arise once mended, nor does any other error", async () => {
    const { diagnostics } = await resolveProject(entry.fixed);
    expect(diagnostics.filter((each) => each.code === code || each.severity === "error")).toEqual(
      [],
    );
  });
});
