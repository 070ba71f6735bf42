import { expect, test } from "vitest";
import { compileFiles } from "../../../support/compile.js";
import { planFiles } from "./plan-files.js";

const tools = `  log-in:
    description: Logs in.
    parameters: { type: object, required: [password], properties: { password: { type: string } } }
`;

async function secretsOf(source: string): Promise<readonly string[]> {
  const { diagnostics } = await compileFiles(
    planFiles(`- { id: a, tool: log-in, bindings: { password: ${source} } }`, {
      parameters: "id: { type: string }, password: { type: string }",
      tools,
    }),
  );
  return diagnostics.map(({ code }) => code).filter((code) => code.startsWith("credential/"));
}

test.each(["password", "{ source: password }", "state.inputs.password", "caller.subject"])(
  "the path %s under a sensitive name is no secret",
  async (source) => {
    expect(await secretsOf(source)).toEqual([]);
  },
);

test("a text that is no path under a sensitive name is a secret", async () => {
  expect(await secretsOf("hunter2hunter2")).toEqual(["credential/plaintext-secret"]);
});
