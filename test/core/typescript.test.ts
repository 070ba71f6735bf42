import * as morph from "ts-morph";
import { expect, test } from "vitest";
import { ts } from "../../src/core/typescript.js";
import { Project } from "../../src/core/typescript-project.js";

test("the parser that is loaded alone is the one that type checks are made by", () => {
  expect(ts.createSourceFile).toBe(morph.ts.createSourceFile);
  expect(ts.version).toBe(morph.ts.version);
  const project = new Project({ useInMemoryFileSystem: true });
  const file = project.createSourceFile("any.ts", "export {};").compilerNode;
  expect(ts.isSourceFile(file)).toBe(true);
});
