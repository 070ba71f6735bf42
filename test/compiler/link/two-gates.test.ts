/**
 * 22 mistakes in `rollback`: skillc reports each at its place. 13 of them would be a type error in
 * the generated module too.
 */
import { expect, test } from "vitest";
import { placeOf } from "../../bindings/plan/compile/place-of.js";
import { compileFiles, typeCheck } from "../../support/compile.js";
import { programFaults } from "../../support/program-faults.js";
import { diagnose } from "../whole/compile-untyped.js";

interface Mistake {
  readonly what: string;
  /** `rollback` of the tool; `‹ ›` around the text that is reported. */
  readonly rollback: string;
  readonly code: string;
  /**
   * Parameters in the generated module, as a compiler without the check would write them; absent if
   * TypeScript sees nothing of the mistake.
   */
  readonly emitted?: string;
}

const mistakes: readonly Mistake[] = [
  {
    what: "an unknown field of the result",
    rollback: '{ tool: cancel-order, parameters: { order_id: "‹{result.order}›" } }',
    code: "rollback/unknown-field",
    emitted: "order_id: r.data.order",
  },
  {
    what: "an unknown parameter of the call",
    rollback: '{ tool: cancel-order, parameters: { order_id: "‹{number}›" } }',
    code: "rollback/unknown-parameter",
    emitted: "order_id: p.number",
  },
  {
    what: "a value of another type",
    rollback: '{ tool: cancel-order, parameters: { order_id: "‹{result.total}›" } }',
    code: "rollback/type-mismatch",
    emitted: "order_id: r.data.total",
  },
  {
    what: "a missing parameter",
    rollback: "{ tool: ‹cancel-order›, parameters: { reason: mistake } }",
    code: "rollback/missing-parameter",
    emitted: 'reason: "mistake"',
  },
  {
    what: "a parameter that the other tool doesn't have",
    rollback: '{ tool: cancel-order, parameters: { order_id: "{result.id}", ‹note›: late } }',
    code: "rollback/unknown-argument",
    emitted: 'order_id: r.data.id, note: "late"',
  },
  {
    what: "a value that may be absent",
    rollback: '{ tool: cancel-order, parameters: { order_id: "‹{result.reference}›" } }',
    code: "rollback/maybe-absent",
    emitted: "order_id: r.data.reference",
  },
  {
    what: "a fixed value that breaks a pattern",
    rollback: "{ tool: cancel-order, parameters: { order_id: ‹7b› } }",
    code: "rollback/literal-mismatch",
  },
  {
    what: "a tool that only reads",
    rollback: "‹find-order›",
    code: "rollback/only-reads",
  },
  {
    what: "a layer of a request",
    rollback: "{ strategy: ‹effects› }",
    code: "rollback/no-layer",
  },
  {
    what: "copies of what a service keeps",
    rollback: "{ strategy: ‹backup›, paths: [./orders] }",
    code: "rollback/no-backup",
  },
  {
    what: "a placeholder without quotes",
    rollback: "{ tool: cancel-order, parameters: { order_id: ‹{result.id}› } }",
    code: "rollback/bad-placeholder",
  },
  {
    what: "a value of another type in a list",
    rollback:
      '{ tool: cancel-order, parameters: { order_id: "{result.id}", tags: [late, "‹{result.total}›"] } }',
    code: "rollback/type-mismatch",
    emitted: 'order_id: r.data.id, tags: ["late", r.data.total]',
  },
  {
    what: "a property that an object does not have",
    rollback:
      '{ tool: cancel-order, parameters: { order_id: "{result.id}", by: { name: "{sku}", ‹nmae›: ann } } }',
    code: "rollback/unknown-argument",
    emitted: 'order_id: r.data.id, by: { name: p.sku, nmae: "ann" }',
  },
  {
    what: "a missing property of an object",
    rollback:
      '{ tool: cancel-order, parameters: { order_id: "{result.id}", by: ‹{ desk: "{sku}" }› } }',
    code: "rollback/type-mismatch",
    emitted: "order_id: r.data.id, by: { desk: p.sku }",
  },
  {
    what: "a value that may be absent in an object",
    rollback:
      '{ tool: cancel-order, parameters: { order_id: "{result.id}", by: { name: "‹{result.reference}›" } } }',
    code: "rollback/maybe-absent",
    emitted: "order_id: r.data.id, by: { name: r.data.reference }",
  },
  {
    what: "a fixed value in an object with a wrong type",
    rollback:
      '{ tool: cancel-order, parameters: { order_id: "{result.id}", by: { name: "{sku}", desk: ‹7› } } }',
    code: "rollback/literal-mismatch",
    emitted: "order_id: r.data.id, by: { name: p.sku, desk: 7 as const }",
  },
  {
    what: "too many items",
    rollback:
      '{ tool: cancel-order, parameters: { order_id: "{result.id}", tags: ‹["{sku}", b, c]› } }',
    code: "rollback/type-mismatch",
  },
  {
    what: "a placeholder without quotes in a list",
    rollback:
      '{ tool: cancel-order, parameters: { order_id: "{result.id}", tags: [‹{sku}›, "{sku}"] } }',
    code: "rollback/bad-placeholder",
  },
  {
    what: "a placeholder in the name of a property",
    rollback:
      '{ tool: cancel-order, parameters: { order_id: "{result.id}", by: { name: "{sku}", ‹"{sku}"›: x } } }',
    code: "rollback/bad-placeholder",
  },
  {
    what: "an unknown field of the caller",
    rollback: '{ tool: cancel-order, parameters: { order_id: "‹{caller.team}›" } }',
    code: "rollback/unknown-root-field",
    emitted: "order_id: caller.team",
  },
  {
    what: "the caller as a whole",
    rollback: '{ tool: cancel-order, parameters: { order_id: "‹{caller}›" } }',
    code: "rollback/unknown-root-field",
    emitted: "order_id: caller",
  },
  {
    what: "a setting",
    rollback: '{ tool: cancel-order, parameters: { order_id: "‹${ORDER}›" } }',
    code: "rollback/bad-placeholder",
  },
];

function filesOf(rollback: string): Readonly<Record<string, string>> {
  const text = `tools_schema:
  create-order:
    description: Creates an order.
    parameters: { type: object, required: [sku], properties: { sku: { type: string } } }
    returns:
      type: object
      required: [id, total]
      properties: { id: { type: string, pattern: "^ord" }, total: { type: integer }, reference: { type: string, pattern: "^ord" } }
    rollback: ${rollback}
    binding: { type: http, method: POST, url: "https://orders.example.com/orders", body_template: { sku: "{sku}" } }
  cancel-order:
    description: Cancels an order.
    parameters:
      type: object
      required: [order_id]
      additionalProperties: false
      properties: { order_id: { type: string, pattern: "^ord" }, reason: { enum: [mistake, late] }, tags: { type: array, maxItems: 2, items: { type: string } }, by: { type: object, required: [name], properties: { name: { type: string }, desk: { type: string } } } }
    rollback: { strategy: none, reason: nobody can reopen an order }
    binding: { type: http, method: POST, url: "https://orders.example.com/orders/{order_id}/cancel", body_template: { reason: "{reason}", tags: "{tags}", by: "{by}" } }
  find-order:
    description: Finds an order.
    parameters: { type: object, required: [order_id], properties: { order_id: { type: string } } }
    binding: { type: http, method: GET, url: "https://orders.example.com/orders/{order_id}" }
`;
  return {
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Looks after orders.\n---\n",
    "skills/desk/metadata.yaml": text,
  };
}

const path = "skills/desk/metadata.yaml";
const sound =
  '{ tool: cancel-order, parameters: { order_id: "{result.id}", reason: mistake, tags: ["{caller.tenant}", "{sku}"] } }';

/** Type errors in the module of `create-order`, with other code in place of the parameters. */
async function typeErrors(emitted: string): Promise<readonly string[]> {
  const { files } = await compileFiles(filesOf(sound));
  const written = 'order_id: r.data.id, reason: "mistake" as const, tags: [caller.tenant, p.sku]';
  const { outFolder } = typeCheck;
  const modules = files.map(({ path: below, text }) => {
    const one = text.replace(
      /\s*order_id: r\.data\.id,\s*reason: "mistake" as const,\s*tags: \[caller\.tenant, p\.sku\],?\s*/,
      written,
    );
    return [`${outFolder}/${below}`, one.replace(written, emitted)] as const;
  });
  const changed = modules.find(([name]) => name.endsWith("/create-order.ts"));
  expect(changed?.[1]).toContain(emitted);
  const faults = programFaults(new Map(modules), typeCheck.compilerOptions, outFolder);
  return [...faults.values()].flat().map(({ says }) => says);
}

test.each(mistakes)("skillc reports at its place: $what", async ({ code, rollback }) => {
  const marked = filesOf(rollback)[path] ?? "";
  const files = filesOf(rollback.replaceAll(/[‹›]/g, ""));
  const { diagnostics } = await diagnose(files);
  const [before = "", text = ""] = marked.split(/[‹›]/);
  expect(diagnostics.map((each) => [each.code, placeOf(each.span, files)])).toContainEqual([
    code,
    `${path}:${before.split("\n").length} ${text}`,
  ]);
});

test.each(
  mistakes.flatMap(({ emitted, what }) => (emitted === undefined ? [] : [{ emitted, what }])),
)("TypeScript finds too: $what", async ({ emitted }) => {
  expect(await typeErrors(emitted)).toHaveLength(1);
});

test("TypeScript accepts the parameters that skillc accepts", async () => {
  const nested = 'tags: [p.sku, "x"], by: { name: caller.tenant, desk: `${r.data.total}` }';
  expect(await typeErrors(`order_id: r.data.id, reason: "late", ${nested}`)).toEqual([]);
});

test("TypeScript finds 13 of the 22 mistakes", () => {
  expect(mistakes).toHaveLength(22);
  expect(mistakes.filter(({ emitted }) => emitted !== undefined)).toHaveLength(13);
});
