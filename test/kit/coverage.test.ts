import { describe, expect, it } from "vitest";
import { checkCoverage, restOfParameters } from "../../src/kit/coverage.js";
import { referenceDiagnosticEntries } from "../../src/kit/reference-diagnostics.js";
import { createReport } from "../../src/core/report.js";
import { httpTool } from "../bindings/support/http-tool.js";

const properties =
  "id: { type: string }, customer: { type: object, properties: { name: { type: string }, home: { type: [object, 'null'], properties: { city: { type: string } } } } }, " +
  "labels: { type: object, additionalProperties: { type: string } }, lines: { type: array }, mixed: { type: [string, object] }, free: { type: object }";

/** Line 1 the parameters, line 2 `unused`, line 6 a query of these values. */
function faults(values: readonly string[], unused: readonly string[] = []) {
  return httpTool(
    [
      `parameters: { type: object, properties: { ${properties} } }`,
      `unused: [${unused.join(", ")}]`,
      "binding:",
      "  method: GET",
      "  url: https://a.example/",
      `  query: { q: [${values.map((value) => `"${value}"`).join(", ")}] }`,
    ].join("\n"),
  ).lines;
}

const others = ["labels", "lines", "mixed", "free"];

describe("a placeholder", () => {
  it("names a parameter, or a field of one, at any depth", () => {
    expect(
      faults(["{id}", "{customer.home.city}", "{labels.any}"], ["lines", "mixed", "free"]),
    ).toEqual([]);
  });

  it.each<[value: string, line: string]>([
    [
      "{idd}",
      "6:17 http/unknown-parameter [{idd}] `idd` is not a parameter of `handle-order` (did you mean `id`?)",
    ],
    [
      "{Customer}",
      "6:17 http/unknown-parameter [{Customer}] `Customer` is not a parameter of `handle-order` (did you mean `customer`?)",
    ],
    [
      "{customer.nam}",
      "6:17 http/unknown-parameter [{customer.nam}] `customer` declares no field `nam` (did you mean `name`?)",
    ],
    [
      "{customer.age}",
      "6:17 http/unknown-parameter [{customer.age}] `customer` declares no field `age` (its fields are `name`, `home`)",
    ],
    [
      "{customer.home.zip}",
      "6:17 http/unknown-parameter [{customer.home.zip}] `customer.home` declares no field `zip` (its fields are `city`)",
    ],
    [
      "{id.length}",
      "6:17 http/unknown-parameter [{id.length}] `id` may be text, which has no fields (write `{id}` for the value itself)",
    ],
    [
      "{lines.0}",
      "6:17 http/unknown-parameter [{lines.0}] `lines` may be an array, which has no fields (write `{lines}` for the value itself)",
    ],
    [
      "{mixed.x}",
      "6:17 http/unknown-parameter [{mixed.x}] `mixed` may be text, which has no fields (write `{mixed}` for the value itself)",
    ],
    [
      "{free.x}",
      "6:17 http/unknown-parameter [{free.x}] `free` declares no field `x` (declare it under `properties`)",
    ],
    [
      "{constructor}",
      "6:17 http/unknown-parameter [{constructor}] `constructor` is not a parameter of `handle-order` (its parameters are `id`, `customer`, `labels`, `lines`, `mixed`, `free`)",
    ],
    [
      "{'a': 1}",
      "6:17 http/unknown-parameter [{'a': 1}] `'a': 1` is not a parameter of `handle-order` (for literal braces write `{{` and `}}`)",
    ],
  ])("names none in %s", (value, line) => {
    const unused = ["id", "customer", ...others].filter((name) => !value.startsWith(`{${name}.`));
    expect(faults([value], unused)).toEqual([line]);
  });
});

describe("a parameter", () => {
  it("counts as used if a field of it is used", () => {
    expect(faults(["{id}", "{customer.name}"], others)).toEqual([]);
  });

  it("reaches the request or is listed as unused", () => {
    expect(faults(["{customer.name}"], others)).toEqual([
      "1:47 http/unused-parameter [{ type: string }] `id` has no effect: the binding never uses it (write `{id}` where it belongs, or `unused: [id]` beside `binding`)",
    ]);
  });

  it("does not count as unused if a misspelling of it is reported", () => {
    const lines = faults(["{ID}"], others);
    expect(lines.map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
      "1:75 http/unused-parameter [{",
      "6:17 http/unknown-parameter [{ID}]",
    ]);
    expect(lines[0]).toContain("`customer` has no effect");
  });
});

describe("the key `unused`", () => {
  it("may not contain a parameter that is used", () => {
    expect(faults(["{id}", "{customer.name}"], ["id", ...others])).toEqual([
      "2:10 http/not-unused [id] `id` is listed as unused, but the binding uses it (remove it from `unused`)",
    ]);
  });

  it("may not contain an unknown name", () => {
    expect(faults(["{id}", "{customer.name}"], ["label", ...others])).toEqual([
      "2:10 http/unknown-unused [label] `label` is not a parameter of `handle-order` (did you mean `labels`?)",
    ]);
  });
});

describe("every kind", () => {
  const { tool } = httpTool(
    "parameters: { type: object, properties: { a: { type: string }, b: { type: string }, c: { type: string } } }\n" +
      "unused: [c]\nbinding:\n  method: POST\n  url: https://a.example/{a}\n",
  );
  if (tool === undefined) throw new Error();
  const references = [{ path: ["a"], span: tool.span }];

  it("names its own codes", () => {
    const report = createReport(referenceDiagnosticEntries("queue", () => ({})));
    checkCoverage(tool, { kind: "queue", references, whole: true, sendsRest: false }, report);
    expect(report.diagnostics()).toMatchObject([
      { code: "queue/unused-parameter", severity: "error" },
    ]);
  });

  it("reports no missing parameter if it sends the rest, or if an error hides its uses", () => {
    const report = createReport(referenceDiagnosticEntries("queue", () => ({})));
    checkCoverage(tool, { kind: "queue", references, whole: true, sendsRest: true }, report);
    checkCoverage(tool, { kind: "queue", references, whole: false, sendsRest: false }, report);
    expect(report.diagnostics()).toEqual([]);
  });

  it("sends every parameter that is neither used nor listed as unused as the rest", () => {
    expect(restOfParameters(tool, references)).toEqual(["b"]);
  });
});
