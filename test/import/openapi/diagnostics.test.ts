import { expect, test } from "vitest";
import { importDiagnosticEntries } from "../../../src/import/diagnostics.js";
import { makeProject } from "../../cli/support/command-line.js";
import { importAgain } from "../hub/support.js";
import { importIn } from "./support.js";

test.each(Object.entries(importDiagnosticEntries))(
  "%s arises in its example, and not once it is mended",
  async (code, { example, fixed }) => {
    const isHub = Object.hasOwn(example, "tools.json");
    const make = isHub ? importAgain : importIn;
    const source = isHub ? "tools.json" : "api.yaml";
    const argv = code === "import/out-of-date" ? [source, "--check"] : [source];
    const { told } = await make(makeProject(example), argv);
    expect(told.map((each) => each.code)).toContain(code);
    const mended = makeProject(fixed);
    const first = await make(mended, [source]);
    expect(first.told).toEqual([]);
    expect((await make(mended, argv)).told).toEqual([]);
  },
);
