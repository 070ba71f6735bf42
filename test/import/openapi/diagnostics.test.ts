import { expect, test } from "vitest";
import { importDiagnosticEntries } from "../../../src/import/diagnostics.js";
import { makeProject } from "../../cli/support/command-line.js";
import { importFlowsAgain } from "../arazzo/support.js";
import { importAgain } from "../hub/support.js";
import { importIn } from "./support.js";

test.each(Object.entries(importDiagnosticEntries))(
  "%s arises in its example, and not once it is mended",
  async (code, { example, fixed }) => {
    const [source, make] = Object.hasOwn(example, "tools.json")
      ? (["tools.json", importAgain] as const)
      : Object.hasOwn(example, "flows.arazzo.yaml")
        ? (["flows.arazzo.yaml", importFlowsAgain] as const)
        : (["api.yaml", importIn] as const);
    const argv = code === "import/out-of-date" ? [source, "--check"] : [source];
    const { told } = await make(makeProject(example), argv);
    expect(told.map((each) => each.code)).toContain(code);
    const mended = makeProject(fixed);
    const first = await make(mended, [source]);
    expect(first.told).toEqual([]);
    expect((await make(mended, argv)).told).toEqual([]);
  },
);
