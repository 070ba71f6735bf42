import { describe, expect, it } from "vitest";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { parseSkill } from "../../../src/compiler/parse/parse-skill.js";
import { createReport } from "../../../src/core/report.js";
import { textOf, toJson, valueOf } from "../../../src/core/syntax-node.js";

function skill(text: string, metadata?: string) {
  const report = createReport(parseDiagnosticEntries);
  const file = { path: "skills/desk/SKILL.md", text };
  const metadataFile =
    metadata === undefined ? undefined : { path: "skills/desk/metadata.json", text: metadata };
  const syntax = parseSkill("skills/desk", file, metadataFile, report);
  const { frontMatter, body, metadata: read } = syntax ?? {};
  return {
    syntax,
    front: frontMatter && toJson(frontMatter),
    body: body?.text,
    metadata: read && toJson(read.root),
    codes: report.diagnostics().map((each) => each.code),
    report,
  };
}

describe("parseSkill", () => {
  it.each([
    ["plain", "---\nname: desk\n---\n# Body\n", "# Body\n"],
    ["CRLF", "---\r\nname: desk\r\n---\r\n# Body\r\n", "# Body\r\n"],
    ["byte order mark", "\ufeff---\nname: desk\n---\n# Body", "# Body"],
    ["blanks after the marks", "---  \nname: desk\n---\t\n# Body", "# Body"],
    ["closed by dots", "---\nname: desk\n...\n# Body", "# Body"],
    ["no body", "---\nname: desk\n---", ""],
    ["rules in the body", "---\nname: desk\n---\na\n\n---\n\nb: [\n", "a\n\n---\n\nb: [\n"],
  ])("reads front matter and body: %s", (_, text, body) => {
    expect(skill(text)).toMatchObject({ front: { name: "desk" }, body, codes: [] });
    const span = skill(text).syntax?.body.span;
    expect(text.slice(span?.start, span?.end)).toBe(body);
  });

  it.each([
    ["a literal block", "a: |\n  x\n  ---\n  y\n", "x\n---\ny\n"],
    ["a folded block", "a: >\n  ---\n", "---\n"],
    ["a quoted value", 'a: "x\n  ---\n  y"\n', "x --- y"],
    ["a plain value", "a: x\n  --- y\n", "x --- y"],
    ["a longer line", "a: |\n  x\nb: ---\n", "x\n"],
    ["a comment", "a: x # ---\n#---\n", "x"],
  ])("does not end the front matter at `---` inside %s", (_, lines, value) => {
    const { front, body } = skill(`---\n${lines}---\nbody\n`);
    expect([front, body]).toEqual([expect.objectContaining({ a: value }), "body\n"]);
  });

  it("ends the front matter at the first `---` in column one, as YAML does, and reports what that cuts off", () => {
    const { codes, syntax } = skill('---\na: "x\n---\ny"\n---\n');
    expect([codes, syntax]).toEqual([["parse/invalid-yaml"], undefined]);
  });

  it("reports places in the file, not in the front matter", () => {
    const text = "\ufeff---\r\nname: desk\r\ndescription: Täst 😀 {x}\r\n---\r\n";
    const node = valueOf(skill(text).syntax?.frontMatter, "description");
    expect(text.slice(node?.span.start, node?.span.end)).toBe("Täst 😀 {x}");
  });

  it.each([
    ["none", "# Body\n", ["parse/no-front-matter"], "# Body\n"],
    ["an empty file", "", ["parse/no-front-matter"], ""],
    ["only comments", "---\n# nothing\n---\nBody", ["parse/no-front-matter"], "Body"],
    ["an empty one", "---\n---\nBody", ["parse/no-front-matter"], "Body"],
    [
      "a heading with a colon",
      "Desk: rules\n---\nBody",
      ["parse/no-front-matter"],
      "Desk: rules\n---\nBody",
    ],
    ["a key, and no rule", "name: x\n\nBody", ["parse/no-front-matter"], "name: x\n\nBody"],
    ["a rule below the first line", "\n---\n\nBody", ["parse/no-front-matter"], "\n---\n\nBody"],
  ])("warns about a file without front matter: %s", (_, text, codes, body) => {
    expect(skill(text)).toMatchObject({ codes, body, front: undefined });
    expect(skill(text).report.errorCount()).toBe(0);
  });

  it.each([
    ["without an end", "---\nname: desk\n\n# Body\n", "parse/unclosed-front-matter", "---"],
    ["ended by a longer line", "---\nname: desk\n----\n", "parse/unclosed-front-matter", "---"],
    ["with old line ends", "---\rname: desk\r---\r", "parse/unclosed-front-matter", "---"],
    ["below a blank line", "\n---\nname: desk\n---\n", "parse/late-front-matter", "---"],
    [
      "without a beginning",
      "name: desk\ntools: {}\n---\n# B\n",
      "parse/unopened-front-matter",
      "name",
    ],
    [
      "without a beginning, below a blank line",
      "\ufeff\r\n tools:\r\n  a: {}\r\n---\r\n",
      "parse/unopened-front-matter",
      "tools",
    ],
    ["that is a list", "---\n- a\n---\n", "parse/front-matter-not-a-mapping", "- a\n"],
    ["that is text", "---\nhello\n---\n", "parse/front-matter-not-a-mapping", "hello"],
    ["of two documents", "---\na: b\n--- # c\nd: e\n---\n", "parse/multiple-documents", "---"],
  ])("rejects front matter %s", (_, text, code, place) => {
    const { syntax, report } = skill(text);
    const [found] = report.diagnostics();
    expect([syntax, found?.code]).toEqual([undefined, code]);
    expect(text.slice(found?.span.start, found?.span.end)).toBe(place);
  });

  it("reads metadata.json beside it, whatever it contains", () => {
    const text = "---\nname: desk\n---\n";
    expect(skill(text, '{"tools": {}}').metadata).toEqual({ tools: {} });
    expect(skill(text, "[1]").metadata).toEqual([1]);
    expect(skill(text, "{").codes).toEqual(["parse/invalid-json"]);
  });

  it("reports faults of both files in one run", () => {
    expect(skill("---\na: b: c\n---\n", "{,}").codes.toSorted()).toEqual([
      "parse/invalid-json",
      "parse/invalid-yaml",
    ]);
  });

  it("reads a description from a block scalar", () => {
    const { syntax } = skill("---\ndescription: |-\n  One.\n\n  Two.\n---\n");
    expect(textOf(valueOf(syntax?.frontMatter, "description"))).toBe("One.\n\nTwo.");
  });
});
