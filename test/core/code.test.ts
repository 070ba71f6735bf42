import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import {
  code,
  ident,
  join,
  jsDoc,
  literal,
  nothing,
  printCode,
  statements,
  statementsOf,
  toolDoc,
} from "../../src/core/code.js";

/** Names of the tags that TypeScript finds in the documentation of the first statement. */
function tagsOf(comment: string): readonly string[] {
  const file = ts.createSourceFile(
    "a.ts",
    `${comment}export const a = 1;`,
    ts.ScriptTarget.ESNext,
    true,
  );
  expect(file.statements).toHaveLength(1);
  return file.statements.flatMap((each) => ts.getJSDocTags(each).map((tag) => tag.tagName.text));
}

describe("documentation", () => {
  test.each([
    ["a line's beginning", "@deprecated"],
    ["the middle of a line", "This is not @deprecated at all."],
    ["a later line", "Orders.\n  @deprecated"],
    ["a list", "* @deprecated\n- @deprecated"],
    ["a comment in it", "// @ts-ignore\n/// @deprecated"],
    ["a comment's end", "*/ @deprecated /*"],
    ["a tab", "a\t@deprecated"],
    ["a control character", "a\u0001@deprecated"],
  ])("contains no tag from %s", (_, text) => {
    expect(tagsOf(printCode(jsDoc(text)))).toEqual([]);
    expect(tagsOf(printCode(toolDoc(text, text)))).toEqual(["throws", "deprecated"]);
    const deprecation = { since: text, use: text, reason: text };
    expect(tagsOf(printCode(toolDoc(text, deprecation)))).toEqual(["throws", "deprecated"]);
  });

  test.each([
    [{}, "@deprecated"],
    [{ since: "2.0" }, "@deprecated since 2.0"],
    [{ use: "refund" }, "@deprecated use refund"],
    [{ reason: "It was slow.", use: "refund" }, "@deprecated It was slow; use refund"],
    [{ since: "2.0", reason: "It was slow." }, "@deprecated since 2.0: It was slow"],
  ])("contains the author's words on a deprecated tool: %j", (deprecation, line) => {
    expect(printCode(toolDoc("", deprecation))).toContain(` * ${line}\n`);
  });

  test("keeps addresses as they are", () => {
    expect(printCode(jsDoc("Mail desk@example.com."))).toBe("/** Mail desk@example.com. */\n");
  });

  test("does not exist for an invisible text", () => {
    expect(printCode(jsDoc("\u200b", " \n ", undefined))).toBe("");
    expect(printCode(toolDoc("\ufeff", false))).toBe(
      "/** @throws ToolError when there is no answer to return */\n",
    );
  });

  test("contains no half of a character, which a file can't contain", () => {
    expect(printCode(jsDoc("a\ud800b"))).toBe("/** a\ufffdb */\n");
  });
});

test("a literal escapes invisible characters", () => {
  expect(printCode(literal("a\u202eb\u{e0041}\u2028"))).toBe('"a\\u202eb\\udb40\\udc41\\u2028"');
});

test("an author's text never becomes code", () => {
  expect(() => ident("a b")).toThrow("not an identifier");
  // @ts-expect-error a string is no Code
  expect(() => code`const a = ${"process.exit(1)"};`).toThrow("only Code may be printed");
  expect(() => code`${JSON.parse('{"pieces":[{"text":"process.exit(1)"}]}')}`).toThrow(
    "only Code may be printed",
  );
});

test("a rope may have any number of pieces", () => {
  const items = Array.from({ length: 200_000 }, (_, index) => literal(index));
  const list = code`[${join(items, code`, `)}]`;
  expect(printCode(list)).toHaveLength(JSON.stringify(items.map((_, at) => at)).length + 199_999);
});

test("statements come out of a module as they went in, without empty ones", () => {
  const first = code`const a = ${literal({ text: "\n\n" })};\n`;
  const second = code`export const b = a;\n`;
  const whole = statements([first, nothing, second]);
  expect(printCode(whole)).toBe(`${printCode(first)}\n\n${printCode(second)}`);
  expect(statementsOf(whole)).toEqual([first, second]);
  expect(statementsOf(first)).toEqual([first]);
});
