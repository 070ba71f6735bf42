import * as morph from "ts-morph";
import { expect, test } from "vitest";
import { ts } from "../../src/core/typescript.js";

test("the parser that is loaded alone is the one that ts-morph has", () => {
  expect(ts.createSourceFile).toBe(morph.ts.createSourceFile);
  expect(ts.version).toBe(morph.ts.version);
});
