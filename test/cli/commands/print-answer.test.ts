import { expect, test } from "vitest";
import { printAnswer } from "../../../src/cli/commands/print-answer.js";
import type { CommandContext } from "../../../src/cli/command-context.js";

async function printed(result: unknown, whole = false): Promise<string> {
  const texts: string[] = [];
  const stdout = { write: (text: string) => texts.push(text) };
  const context = { io: { stdout }, out: { isColorSupported: false } };
  await printAnswer(context as unknown as CommandContext, result, { whole });
  return texts.join("");
}

test("a stream is printed as a line for each item", async () => {
  async function* items() {
    yield { id: 1, text: "a\nb\u202e" };
    yield "two";
  }
  const text = await printed({ status: "success", data: items() });
  expect(text).toBe('{"id":1,"text":"a\\nb\\u202e"}\n"two"\n');
});

test("bytes are printed as their number, and with `--json` in full", async () => {
  const result = { status: "success", data: new Uint8Array([0, 255]) };
  const sha256 = "06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8";
  expect(JSON.parse(await printed(result)).data).toEqual({ size: 2, sha256 });
  expect(JSON.parse(await printed(result, true)).data).toEqual({ size: 2, sha256, base64: "AP8=" });
});
