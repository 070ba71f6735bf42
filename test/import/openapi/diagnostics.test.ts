import { expect, test } from "vitest";
import { importDiagnosticEntries } from "../../../src/import/diagnostics.js";
import { makeProject } from "../../cli/support/command-line.js";
import { importIn } from "./support.js";

test.each(Object.entries(importDiagnosticEntries))(
  "%s arises in its example, and not once it is mended",
  async (code, { example, fixed }) => {
    const isOfCheck = code === "import/out-of-date";
    const argv = isOfCheck ? ["api.yaml", "--check"] : ["api.yaml"];
    const { told } = await importIn(makeProject(example), argv);
    expect(told.map((each) => each.code)).toContain(code);
    const mended = makeProject(fixed);
    const first = await importIn(mended, ["api.yaml"]);
    expect(first.told).toEqual([]);
    expect((await importIn(mended, argv)).told).toEqual([]);
  },
);
