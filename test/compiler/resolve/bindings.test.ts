import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { type BindingKind, defineBinding } from "../../../src/kit/binding.js";
import { bindingSchema } from "../../../src/kit/common-keys.js";
import { handlerBinding } from "../../../src/bindings/handler/index.js";
import { createRegistry } from "../../../src/bindings/registry.js";
import { desk, faults, resolveProject } from "./skill-project.js";

const get = ["type: http", "method: GET", "url: https://orders.example.com/{order_id}"];
const post = ["type: http", "method: POST", "url: https://orders.example.com/"];

/** One tool with a binding of these lines: the first stands in line 9. */
function bound(...lines: readonly string[]) {
  const binding = lines.map((line) => `      ${line}`);
  return desk(
    "tools:",
    "  get:",
    "    description: Get it.",
    "    order_id: string",
    "    binding:",
    ...binding,
  );
}

async function only(...lines: readonly string[]) {
  const outcome = await resolveProject(bound(...lines));
  expect(faults(outcome)).toEqual([]);
  return outcome.skills[0]?.tools[0]?.binding;
}

test("a binding has the defaults of its effect", async () => {
  expect(await only(...get)).toMatchObject({
    type: "http",
    mode: "active",
    timeoutMs: 5000,
    effect: "read",
    naturallyIdempotent: false,
    retry: { maxAttempts: 3, backoffMs: 1000, backoffMultiplier: 2 },
    config: { url: { origin: { origin: "https://orders.example.com" } } },
  });
  expect(await only(...post)).toMatchObject({ effect: "write", retry: { maxAttempts: 1 } });
});

test("a binding keeps its author's settings", async () => {
  const lines = [
    ...get,
    "mode: shadow",
    "timeout_ms: 300",
    "retry: { max_attempts: 5, backoff_ms: 0, backoff_multiplier: 1.5 }",
  ];
  expect(await only(...lines)).toMatchObject({
    mode: "shadow",
    timeoutMs: 300,
    retry: { maxAttempts: 5, backoffMs: 0, backoffMultiplier: 1.5 },
  });
});

test("a tool without a binding is a handler, tried once and without a limit in time", async () => {
  const { skills } = await resolveProject(desk("tools:", "  get:", "    description: Get it."));
  expect(skills[0]?.tools[0]?.binding).toMatchObject({
    type: "handler",
    effect: "write",
    timeoutMs: 0,
    retry: { maxAttempts: 1 },
  });
});

test("a binding of type `handler` keeps its author's settings", async () => {
  const said = ["type: handler", "mode: shadow", "timeout_ms: 300", "idempotency: natural"];
  expect(await only(...said)).toMatchObject({
    type: "handler",
    effect: "write",
    mode: "shadow",
    timeoutMs: 300,
    naturallyIdempotent: true,
    retry: { maxAttempts: 3 },
  });
});

describe("the key `effect`", () => {
  const repeated = { effect: "read", retry: { maxAttempts: 3 } };
  const once = { effect: "write", retry: { maxAttempts: 1 } };
  const get = ["type: http", "method: GET", "url: https://orders.example.com/"];

  test.each([
    ["a POST that asks is repeated as reads are", [...post, "effect: read"], repeated],
    ["a handler that looks something up, too", ["type: handler", "effect: read"], repeated],
    ["without a limit in time", ["type: handler", "effect: read"], { timeoutMs: 0 }],
    ["a GET that acts is not repeated, whatever HTTP says", [...get, "effect: write"], once],
    ["a GET is a read without a word", [...get, "effect: read"], repeated],
    ["a POST is a write without a word", [...post, "effect: write"], once],
  ])("decides the effect of a call: %s", async (_, lines, expected) => {
    expect(await only(...lines)).toMatchObject(expected);
  });

  test("the risk level that is not given follows from it", async () => {
    const outcome = await resolveProject(bound(...post, "effect: read"));
    expect(outcome.skills[0]?.tools[0]?.riskLevel).toBe("low");
  });

  test("a GET that acts may be repeated when something makes that harmless", async () => {
    const key = "idempotency: { header: Idempotency-Key }";
    expect(
      faults(await resolveProject(bound(...get, "effect: write", "retry: { max_attempts: 2 }"))),
    ).toEqual([expect.stringContaining("error retry/unsafe-write: ")]);
    expect(await only(...get, "effect: write", key)).toMatchObject({ retry: { maxAttempts: 3 } });
  });
});

describe("a kind of a user's own", () => {
  const effectOf = async (kind: BindingKind, line: string) => {
    const outcome = await resolveProject(bound("type: own", line), createRegistry([kind]));
    expect(faults(outcome)).toEqual([]);
    return outcome.skills[0]?.tools[0]?.binding.effect;
  };

  test("uses `effect` if the kind allows the key", async () => {
    const own = defineBinding({ ...handlerBinding, type: "own" });
    expect(await effectOf(own, "effect: read")).toBe("read");
  });

  test("may have a key of that name for something else", async () => {
    const { declaresEffect: _, ...rest } = handlerBinding;
    const schema = { properties: { effect: { enum: ["read", "fade"] } } };
    const own = defineBinding({ ...rest, type: "own", schema });
    expect(await effectOf(own, "effect: read")).toBe("write");
  });
});

describe("a write tried more than once", () => {
  test("must be harmless to repeat", async () => {
    expect(faults(await resolveProject(bound(...post, "retry: { max_attempts: 3 }")))).toEqual([
      "SKILL.md:12:30-31 error retry/unsafe-write: a retry could repeat this write, and nothing says that a repeat is harmless " +
        "(set `max_attempts: 1`, or declare with `idempotency` why a repeat is harmless)",
    ]);
  });

  test.each([
    ["by the author's word", [...post, "idempotency: natural"], true],
    ["by a header", [...post, "idempotency: { header: Idempotency-Key }"], false],
    ["by the protocol", ["type: http", "method: PUT", "url: https://orders.example.com/"], false],
  ])("may be so %s", async (_, lines, naturallyIdempotent) => {
    expect(await only(...lines)).toMatchObject({ naturallyIdempotent, retry: { maxAttempts: 3 } });
    expect(await only(...lines, "retry: { max_attempts: 9 }")).toMatchObject({
      retry: { maxAttempts: 9 },
    });
  });
});

describe("a binding with a mistake", () => {
  test.each([
    [
      ["type: htpp"],
      "9:13-17",
      "unknown-type: there is no binding type `htpp` (did you mean `http`? the types are `command`, `file`, `handler`, `http`, `plan`, `queue`, `sql`)",
    ],
    [
      ["type: grpc"],
      "9:13-17",
      "reserved-type: the binding type `grpc` is reserved (gRPC bindings are planned; until then give the tool a handler)",
    ],
    [
      ["type: grpc"],
      "9:13-17",
      "reserved-type: the binding type `grpc` is reserved (gRPC bindings are planned; until then give the tool a handler)",
    ],
    [
      ["type: handler", "effect: reads"],
      "10:15-20",
      "wrong-value: `effect` must be `read` or `write` (did you mean `read`?)",
    ],
    [
      ["type: sql", "connection: ${DB}", "query: SELECT 1 AS one", "effect: read"],
      "12:7-13",
      "unknown-key: `effect` is not a key of a binding of type `sql` (did you mean `read_only`?)",
    ],
    [
      ["type: http", "method: POST", "url: https://a.example/{order_id}", "read_only: true"],
      "12:7-16",
      "unknown-key: `read_only` is not a key of a binding of type `http` (did you mean `effect`?)",
    ],
    [
      ["type: 1"],
      "9:13-14",
      "wrong-type: `type` must be text (the types are `command`, `file`, `handler`, `http`, `plan`, `queue`, `sql`)",
    ],
    [
      ["method: GET"],
      "8:5-12",
      "missing-key: `type` is missing from the binding (the types are `command`, `file`, `handler`, `http`, `plan`, `queue`, `sql`)",
    ],
    [
      ["type: http", "metod: GET", "url: https://a.example/{order_id}"],
      "10:7-12",
      "unknown-key: `metod` is not a key of a binding of type `http` (did you mean `method`?)",
    ],
    [
      ["type: http", "method: GET"],
      "8:5-12",
      "missing-key: `url` is missing from a binding of type `http` (add `url: …`)",
    ],
    [
      [...get, 'timeout_ms: "500"'],
      "12:19-24",
      "wrong-type: `timeout_ms` must be a whole number, not text (write `500` without quotes)",
    ],
    [[...get, "timeout_ms: 0"], "12:19-20", "wrong-value: `timeout_ms` must be at least 1"],
    [
      [...get, "timeout_ms: 86400001"],
      "12:19-27",
      "wrong-value: `timeout_ms` must be at most 86400000",
    ],
    [[...get, "retry: 3"], "12:14-15", "wrong-type: `retry` must be a mapping, not a whole number"],
    [
      [...get, "retry: { max_attempts: 11 }"],
      "12:30-32",
      "wrong-value: `max_attempts` must be at most 10",
    ],
    [
      [...get, "retry: { max_attempts: 1.5 }"],
      "12:30-33",
      "wrong-type: `max_attempts` must be a whole number, not a number with a fraction",
    ],
    [
      [...get, "retry: { backoff_multiplier: 0.5 }"],
      "12:36-39",
      "wrong-value: `backoff_multiplier` must be at least 1",
    ],
    [
      [...get, "mode: shadwo"],
      "12:13-19",
      "wrong-value: `mode` must be `active` or `shadow` (did you mean `shadow`?)",
    ],
    [
      [...get, "idempotency: naturl"],
      "12:20-26",
      "wrong-value: `idempotency` must be `natural` or a mapping (did you mean `natural`?)",
    ],
    [
      [...get, "idempotency: { heder: Key }"],
      "12:22-27",
      "unknown-key: `heder` is not a key of `idempotency` (did you mean `header`?)",
    ],
    [
      [...get, "response_mapping: { path: 1 }"],
      "12:33-34",
      "wrong-type: `path` must be text, not a whole number (put quotes around it)",
    ],
  ])("causes an error at the smallest place: %j", async (lines, place, finding) => {
    expect(faults(await resolveProject(bound(...lines)))).toEqual([
      `SKILL.md:${place} error binding/${finding}`,
    ]);
  });

  test("shows every fault in one run, those of the kind too", async () => {
    const lines = [...get, "timeout_ms: 5s", "retry: { attempts: 3 }", "query: { a: '{b' }"];
    expect(faults(await resolveProject(bound(...lines))).map((line) => line.split(" ")[2])).toEqual(
      ["binding/wrong-type:", "binding/unknown-key:", "http/lone-brace:"],
    );
  });
});

test.each(createRegistry().all.map((kind) => [kind.type, kind] as const))(
  "the schema of a whole binding of type %s is a JSON Schema, and always the same object",
  (_, kind) => {
    const schema = bindingSchema(kind);
    expect(new Ajv2020().validateSchema(schema)).toBe(true);
    expect(bindingSchema(kind)).toBe(schema);
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  },
);
