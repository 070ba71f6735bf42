/** `npx tsc --noEmit` checks this folder with everything else; so that `npm test` alone does too, it is compiled here. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Project, ts } from "ts-morph";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(folder).filter((name) => !name.endsWith(".test.ts"));

test("code that uses the generated modules type-checks where it should, and nowhere else", () => {
  const project = new Project({
    tsConfigFilePath: `${root}/tsconfig.json`,
    skipAddingFilesFromTsConfig: true,
  });
  const sources = files.map((name) => project.addSourceFileAtPath(folder + name));
  const faults = sources
    .flatMap((source) => source.getPreEmitDiagnostics())
    .map(({ compilerObject: fault }) => {
      const line = fault.file?.getLineAndCharacterOfPosition(fault.start ?? 0).line ?? 0;
      return `${line + 1}: ${ts.flattenDiagnosticMessageText(fault.messageText, " ")}`;
    });
  expect(faults).toEqual([]);
});
