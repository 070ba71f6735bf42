/** What a terminal tells all of its processes ends TypeScript's: it is started once more. */
import { API } from "typescript/unstable/sync";
import { expect, onTestFinished, test, vi } from "vitest";
import { findTypeFaults } from "../../../src/compiler/verify/check-types.js";

const file = { path: "a.ts", text: 'export const a: number = "a";\n' };
const settings = { outFolder: "/none", compilerOptions: {} };

/** TypeScript ends at so many first questions. */
function endsAt(questions: number) {
  const asked = vi.spyOn(API.prototype, "updateSnapshot");
  onTestFinished(() => asked.mockRestore());
  for (let at = 0; at < questions; at += 1)
    asked.mockImplementationOnce(() => {
      throw new Error("Unexpected EOF while reading from child process");
    });
  return asked;
}

test("a check whose process has ended is made again", async () => {
  const asked = endsAt(1);
  expect(await findTypeFaults([file], [file], settings)).toMatchObject([{ path: "a.ts" }]);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("a type check that ends twice causes an error", async () => {
  endsAt(2);
  await expect(findTypeFaults([file], [file], settings)).rejects.toThrow("Unexpected EOF");
});
