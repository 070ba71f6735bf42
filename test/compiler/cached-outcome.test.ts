import { expect, test } from "vitest";
import type { BindingKind } from "../../src/kit/binding.js";
import type { KindSession } from "../../src/kit/kind-engine.js";
import { httpBinding } from "../../src/bindings/http/index.js";
import { createRegistry } from "../../src/bindings/registry.js";
import type { CompileInput } from "../../src/compiler/compilation.js";
import { compile } from "../../src/compiler/compile.js";
import { parseConfig } from "../../src/compiler/config/parse-config.js";
import { compileUnlessCached, type Outcome } from "../../src/compiler/cached-outcome.js";
import { createStopwatch } from "../../src/compiler/stopwatch.js";
import { createReport } from "../../src/core/report.js";
import { typeCheck } from "../support/compile.js";

const path = "skills/desk/SKILL.md";
const desk = `---
name: desk
description: Orders.
tools:
  get-order:
    description: Gets an order.
    order_id: { type: string, minLength: 1 }
    binding: { type: http, url: "\${ORDERS_URL}/orders/{order_id}" }
---
`;

/** A project that is compiled again and again with one cache, each time over what it wrote before. */
function createProject(given: Partial<CompileInput> = {}) {
  const cache = new Map<string, string>();
  const files = new Map([[path, desk]]);
  const output = new Map<string, string>();
  const compiled: string[] = [];
  const run = async (more: Partial<CompileInput> = {}): Promise<Outcome> => {
    const sources = [...files].map(([path, text]) => [path, { path, text }] as const);
    const outcome = await compileUnlessCached(
      (input) => {
        compiled.push(input.config.skills);
        return compile(input);
      },
      {
        project: { files: new Map(sources) },
        config: parseConfig(undefined, createReport({})),
        kinds: createRegistry(),
        style: {},
        typeCheck,
        previous: new Map(output),
        stopwatch: createStopwatch(() => 0),
        cache,
        ...given,
        ...more,
      },
    );
    for (const { path, text } of outcome.comparison.changed) output.set(path, text);
    return outcome;
  };
  return { files, output, compiled, run };
}

test("an unchanged project is not compiled again, and gives the same result", async () => {
  const { compiled, run } = createProject();
  const first = await run();
  const second = await run();
  expect(compiled).toHaveLength(1);
  expect(second).toMatchObject({
    diagnostics: first.diagnostics,
    packages: first.packages,
    counts: { skills: 1, tools: 1, compiled: 0, reused: 1 },
    comparison: { changed: [], stale: [], handEdited: [], foreign: [] },
    isKept: true,
  });
  expect(second.comparison.unchanged).toBe(first.files.length);
});

test("any change of a file, of the settings or of the output has the project compiled", async () => {
  const { compiled, files, output, run } = createProject();
  const first = await run();
  const module = "desk/get-order.ts";
  const text = output.get(module) ?? "";

  output.set(module, `${text}// By hand.\n`);
  expect((await run()).comparison).toMatchObject({ handEdited: [module] });
  expect(output.get(module)).toBe(text);

  output.delete(module);
  expect((await run()).comparison.added).toEqual([module]);

  const old = "desk/put-order.ts";
  output.set(old, text);
  expect((await run()).comparison.stale).toEqual([old]);
  output.delete(old);

  files.set("skills/desk/order.json", "{}");
  await run();
  files.delete("skills/desk/order.json");
  files.set(path, desk.replace("Gets an order", "Gets the order"));
  expect((await run()).comparison.changed.map((each) => each.path)).toContain("desk/catalog.ts");
  await run({ style: { singleQuote: true } });
  expect(compiled).toHaveLength(7);

  files.set(path, desk);
  await run();
  expect(compiled).toHaveLength(8);
  await run();
  expect(compiled).toHaveLength(8);
  expect(first.files.every(({ path, text }) => output.get(path) === text)).toBe(true);
});

test("a file of somebody else's beside the output changes nothing", async () => {
  const { compiled, output, run } = createProject();
  await run();
  output.set("README.md", "Ours.\n");
  expect((await run()).isKept).toBe(true);
  expect(compiled).toHaveLength(1);
});

test("a run with an error is not kept", async () => {
  const { compiled, files, run } = createProject();
  files.set(path, desk.replace("{order_id}", "{orderId}"));
  const codes = (outcome: Outcome) => outcome.diagnostics.map(({ code }) => code);
  expect(codes(await run())).toContain("http/unknown-parameter");
  expect(codes(await run())).toContain("http/unknown-parameter");
  expect(compiled).toHaveLength(2);
});

/** The HTTP kind, with an engine that adds nothing. */
function analyzedHttp(): BindingKind {
  const session: KindSession = {
    fingerprint: async () => "the same",
    analyze: async ({ binding: { config, credentials, references } }) => ({
      config,
      credentials,
      references,
    }),
    modules: async () => [],
    close: async () => undefined,
  };
  return { ...httpBinding, engine: { open: () => session } };
}

test("a run that asked an engine, or code of the user's own, is not kept", async () => {
  const engines = { ...createRegistry([analyzedHttp()]), isCustom: () => false };
  for (const kinds of [engines, { ...createRegistry(), isCustom: () => true }]) {
    const { compiled, run } = createProject({ kinds });
    expect((await run()).files).not.toEqual([]);
    expect((await run()).comparison.changed).toEqual([]);
    expect(compiled).toHaveLength(2);
  }
});
