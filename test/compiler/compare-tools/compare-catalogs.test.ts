/** The version that each kind of change requires of a tool, in skills that are compiled like users' skills. */
import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/bindings/registry.js";
import { compileCatalog } from "../../../src/compiler/compile-catalog.js";
import {
  type CatalogComparison,
  compareCatalogs,
  type ComparedCatalog,
  type ToolComparison,
} from "../../../src/compiler/compare-tools/compare-catalogs.js";
import type { Difference } from "../../../src/compiler/compare-tools/difference.js";
import { toolFields } from "../../../src/compiler/compare-tools/fields.js";
import { changeRules } from "../../../src/compiler/compare-tools/rules.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { createStopwatch } from "../../../src/compiler/stopwatch.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/core/json.js";
import { createReport } from "../../../src/core/report.js";
import { sharedSqlBinding } from "../../support/shared-sql.js";

interface Skill {
  readonly tool?: JsonObject;
  readonly front?: string;
  readonly sql?: boolean;
}

const parameters: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: {
    id: { type: "string", maxLength: 10 },
    limit: { type: "integer", minimum: 1, maximum: 50, default: 20 },
  },
};

const returns: JsonObject = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "string" }, note: { type: "string" } },
};

const binding: JsonObject = {
  type: "http",
  method: "GET",
  url: "${ORDERS_URL}/orders/{id}?limit={limit}",
};

const tool: JsonObject = { description: "Looks up an order.", parameters, returns, binding };

/** Of an object of the tool, with some of its keys in another way. */
function withKeys(object: JsonValue | undefined, keys: JsonObject): JsonObject {
  return { ...(isJsonObject(object) ? object : {}), ...keys };
}

async function catalogOf({ tool: own = tool, front = "" }: Skill): Promise<ComparedCatalog> {
  const kinds = createRegistry([sharedSqlBinding]);
  const report = createReport({});
  const skill = `---\nname: desk\ndescription: Orders.\n${front}---\nAsk for the number.\n`;
  const files: Readonly<Record<string, string>> = {
    "skills/desk/SKILL.md": skill,
    "skills/desk/metadata.json": JSON.stringify({ tools_schema: { "get-order": own } }),
    "db/schema.sql":
      "create table orders (id text primary key, note text); create table notes (id text primary key, note text);",
  };
  const config = parseConfig(
    { path: "skillc.yaml", text: "databases:\n  SHOP_URL: { schema: [db/schema.sql] }\n" },
    report,
  );
  const { catalog, diagnostics } = await compileCatalog({
    project: {
      files: new Map(Object.entries(files).map(([path, text]) => [path, { path, text }])),
    },
    config,
    kinds,
    stopwatch: createStopwatch(() => 0),
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  return catalog;
}

async function compared(old: Skill, now: Skill): Promise<CatalogComparison> {
  // Through text, as a catalog.json is read.
  const [before, after] = await Promise.all([catalogOf(old), catalogOf(now)]);
  return compareCatalogs(
    JSON.parse(JSON.stringify(before)) as ComparedCatalog,
    JSON.parse(JSON.stringify(after)) as ComparedCatalog,
  );
}

function onlyTool({ skills }: CatalogComparison): ToolComparison {
  const [only, ...others] = skills.flatMap(({ tools }) => tools);
  if (only === undefined || others.length > 0) throw new Error("not one tool");
  return only;
}

/** Rules of which a change was seen. */
const shown = new Set<string>();

const short = ({ at, rule, verdict }: Difference) => `${verdict} ${rule}${at && ` ${at}`}`;

const sqlTool = (query: string, more: JsonObject = {}): JsonObject => ({
  description: "Looks up an order.",
  parameters: {
    type: "object",
    additionalProperties: false,
    required: ["id"],
    properties: { id: { type: "string" } },
  },
  binding: { type: "sql", connection: "${SHOP_URL}", query },
  ...more,
});

describe("the verdict on each kind of change", () => {
  const properties = (more: JsonObject, required: readonly string[] = ["id"]): JsonObject => ({
    ...tool,
    parameters: {
      ...parameters,
      required,
      properties: withKeys(parameters["properties"], more),
    },
    binding: withKeys(binding, { url: "${ORDERS_URL}/orders/{id}?limit={limit}&x={x}" }),
  });
  const parameter = (name: string, schema: JsonObject): JsonObject => ({
    ...tool,
    parameters: withKeys(parameters, {
      properties: withKeys(parameters["properties"], { [name]: schema }),
    }),
  });
  const result = (more: JsonObject): JsonObject => ({ ...tool, returns: withKeys(returns, more) });
  const bound = (more: JsonObject): JsonObject => ({ ...tool, binding: withKeys(binding, more) });
  const closed = { ...returns, additionalProperties: false };

  test.each<[what: string, old: JsonObject, now: JsonObject, found: readonly string[]]>([
    [
      "a required parameter more breaks every caller",
      tool,
      properties({ x: { type: "string" } }, ["id", "x"]),
      ["major parameter-required /x"],
    ],
    [
      "an optional parameter more breaks nobody",
      tool,
      properties({ x: { type: "string" } }),
      ["minor parameter-added /x"],
    ],
    [
      "a parameter less breaks those who pass it",
      properties({ x: { type: "string" } }),
      tool,
      ["major parameter-removed /x"],
    ],
    [
      "a parameter that takes fewer values breaks who passes the others",
      tool,
      parameter("id", { type: "string", maxLength: 5 }),
      ["major parameter-narrower /id"],
    ],
    [
      "a parameter that takes more values breaks nobody",
      tool,
      parameter("limit", { type: "integer", minimum: 1, maximum: 100, default: 20 }),
      ["minor parameter-wider /limit"],
    ],
    [
      "a parameter of another type is narrower, and said once",
      tool,
      parameter("id", { type: "integer" }),
      ["major parameter-narrower /id"],
    ],
    [
      "another default changes what the same call does",
      tool,
      parameter("limit", { type: "integer", minimum: 1, maximum: 50, default: 10 }),
      ["major parameter-default /limit"],
    ],
    [
      "a parameter's description is words",
      tool,
      parameter("id", { type: "string", maxLength: 10, description: "The number." }),
      ["patch parameter-text /id"],
    ],
    [
      "an optional parameter that is required now breaks who leaves it out",
      parameter("limit", { type: "integer", minimum: 1, maximum: 50 }),
      {
        ...tool,
        parameters: withKeys(parameters, {
          required: ["id", "limit"],
          properties: withKeys(parameters["properties"], {
            limit: { type: "integer", minimum: 1, maximum: 50 },
          }),
        }),
      },
      ["major parameter-required /limit"],
    ],
    [
      "a result that may be null surprises its readers",
      tool,
      result({ properties: { id: { type: ["string", "null"] }, note: { type: "string" } } }),
      ["major result-wider /id"],
    ],
    [
      "a result of fewer values surprises nobody",
      tool,
      result({ properties: { id: { type: "string", maxLength: 4 }, note: { type: "string" } } }),
      ["minor result-narrower /id"],
    ],
    [
      "a property that may be missing now surprises its readers",
      tool,
      result({ required: [] }),
      ["major result-wider /id"],
    ],
    [
      "a property more in an open result surprises nobody",
      tool,
      result({ properties: withKeys(returns["properties"], { at: { type: "string" } }) }),
      ["minor result-added /at"],
    ],
    [
      "a property more in a closed result is more than was promised",
      { ...tool, returns: closed },
      {
        ...tool,
        returns: withKeys(closed, {
          properties: withKeys(returns["properties"], { at: { type: "string" } }),
        }),
      },
      ["major result-wider /at"],
    ],
    [
      "a property less in a result is missed by its readers",
      tool,
      result({ properties: { id: { type: "string" } } }),
      ["major result-removed /note"],
    ],
    [
      "a read that writes is another promise, and a higher risk",
      { ...tool, binding: withKeys(binding, { method: "POST", effect: "read" }) },
      { ...tool, binding: withKeys(binding, { method: "POST" }) },
      ["major effect-write", "major risk-raised"],
    ],
    [
      "a place more that a call may reach has to be allowed",
      tool,
      bound({ url: "${ORDERS_URL}/archive/{id}?limit={limit}" }),
      ["major reach-added", "minor reach-removed"],
    ],
    [
      "a credential that goes to an origin of the skill's choice is to be agreed to",
      bound({ url: "https://orders.example.com/orders/{id}?limit={limit}" }),
      bound({
        url: "https://orders.example.com/orders/{id}?limit={limit}",
        headers: { "X-Key": "${AWS_SECRET_ACCESS_KEY}" },
      }),
      ["major credential-added", "major credential-sent"],
    ],
    [
      "a place within what was allowed is no other",
      bound({ url: "${ORDERS_URL}/{id}?limit={limit}" }),
      tool,
      ["minor reach-removed"],
    ],
    [
      "a parameter that may lead out of its place reaches the whole origin",
      tool,
      bound({ path: { id: { value: "{id}", allow_dot_segments: true } } }),
      ["major reach-added"],
    ],
    [
      "a parameter that may lead out of its place is a difference below an origin too",
      bound({ url: "${ORDERS_URL}/{id}?limit={limit}" }),
      bound({
        url: "${ORDERS_URL}/{id}?limit={limit}",
        path: { id: { value: "{id}", allow_dot_segments: true } },
      }),
      ["major reach-added"],
    ],
    [
      "a parameter that leads nowhere else any more reaches less",
      bound({
        url: "${ORDERS_URL}/{id}?limit={limit}",
        path: { id: { value: "{id}", allow_dot_segments: true } },
      }),
      bound({ url: "${ORDERS_URL}/{id}?limit={limit}" }),
      ["minor reach-removed"],
    ],
    [
      "a credential more has to be set",
      tool,
      bound({ headers: { Authorization: "Bearer ${ORDERS_TOKEN}" } }),
      ["major credential-added"],
    ],
    [
      "a credential less needs nothing",
      bound({ headers: { Authorization: "Bearer ${ORDERS_TOKEN}" } }),
      tool,
      ["minor credential-removed"],
    ],
    [
      "a table more has to be granted",
      sqlTool("SELECT id FROM orders WHERE id = :id"),
      sqlTool(
        "SELECT orders.id FROM orders JOIN notes ON notes.id = orders.id WHERE orders.id = :id",
      ),
      ["major table-added"],
    ],
    [
      "a column more of the same table is allowed already",
      sqlTool("SELECT id FROM orders WHERE id = :id"),
      sqlTool("SELECT id, note FROM orders WHERE id = :id"),
      ["minor column-changed"],
    ],
    ["a higher risk stops callers", tool, { ...tool, risk_level: "high" }, ["major risk-raised"]],
    ["a lower risk stops nobody", { ...tool, risk_level: "high" }, tool, ["minor risk-lowered"]],
    [
      "confirmation holds callers up",
      tool,
      { ...tool, requires_confirmation: true },
      ["major confirmation-added"],
    ],
    ["a description is words", tool, { ...tool, description: "Finds one." }, ["patch description"]],
    [
      "another name of a parameter changes no call",
      { ...tool, param_aliases: { id: ["number"] } },
      { ...tool, param_aliases: { id: ["number", "order_id"] } },
      ["patch aliases-changed"],
    ],
    ["a tag more selects more", tool, { ...tool, tags: ["orders"] }, ["minor tag-added"]],
    ["a tag less selects less", { ...tool, tags: ["orders"] }, tool, ["major tag-removed"]],
    ["deprecation is announced", tool, { ...tool, deprecated: true }, ["minor deprecated-set"]],
    [
      "another time limit is inside the binding",
      tool,
      bound({ timeout_ms: 99 }),
      ["patch within-binding"],
    ],
    [
      "shadow sends nothing",
      bound({ method: "POST" }),
      bound({ method: "POST", mode: "shadow" }),
      ["major mode-changed"],
    ],
    [
      "a kind of another name has other faults",
      tool,
      { description: tool["description"] ?? "", parameters, returns },
      [
        "minor credential-removed",
        "major reach-added",
        "minor reach-removed",
        "major kind-changed",
        "major handler-needed",
        "major effect-write",
        "major risk-raised",
      ],
    ],
  ])("depends on the kind: %s", async (_, old, now, expected) => {
    const found = onlyTool(await compared({ tool: old }, { tool: now }));
    for (const { rule } of found.differences) shown.add(rule);
    expect(found.differences.map(short).toSorted()).toEqual(expected.toSorted());
  });
});

describe("the verdict on a change of governance", () => {
  const of = (governance: JsonObject | null, more: JsonObject = {}): ComparedCatalog => ({
    skills: [{ name: "desk", tools: [{ id: "desk/a", ...more, governance }] }],
  });
  const limits = (more: JsonObject): JsonObject => ({ limits: more });

  test.each<[what: string, old: JsonObject | null, now: JsonObject | null, found: string[]]>([
    ["a scope more", null, { scopes: ["a.read"] }, ["major scope-added"]],
    ["a scope less", { scopes: ["a.read"] }, {}, ["minor scope-removed"]],
    ["approval where there was none", {}, { approval: {} }, ["major approval-stricter"]],
    ["no approval any more", { approval: {} }, null, ["minor approval-dropped"]],
    [
      "the condition of the approval changed",
      { approval: { when: "true" } },
      { approval: { when: "false" } },
      ["major approval-stricter"],
    ],
    [
      "another time of approval",
      { approval: { when: "true", ttl: "1m" } },
      { approval: { when: "true", ttl: "2m" } },
      ["minor approval-time"],
    ],
    [
      "the caller may approve in person",
      { approval: { when: "true" } },
      { approval: { when: "true", by: "person" } },
      ["major approval-by-person"],
    ],
    [
      "the caller may no longer approve in person",
      { approval: { by: "person" } },
      { approval: {} },
      ["major approval-by-other"],
    ],
    [
      "another condition, time and approver",
      { approval: { when: "true", ttl_ms: 1 } },
      { approval: { when: "false", ttl_ms: 2, by: "person" } },
      ["major approval-stricter", "major approval-by-person", "minor approval-time"],
    ],
    [
      "a limit where there was none",
      {},
      limits({ concurrent: 4 }),
      ["major limit-lower /concurrent"],
    ],
    [
      "a lower limit",
      limits({ concurrent: 4 }),
      limits({ concurrent: 3 }),
      ["major limit-lower /concurrent"],
    ],
    [
      "a higher limit",
      limits({ concurrent: 4 }),
      limits({ concurrent: 5 }),
      ["minor limit-higher /concurrent"],
    ],
    ["no limit any more", limits({ concurrent: 4 }), {}, ["minor limit-higher /concurrent"]],
    ["a higher cost", {}, limits({ cost: 2 }), ["major limit-lower /cost"]],
    ["a lower cost", limits({ cost: 3 }), limits({ cost: 2 }), ["minor limit-higher /cost"]],
    ["keys where there were none", {}, { idempotency: "keyed" }, ["major idempotency-changed"]],
    ["turns where there were none", {}, { concurrency: "serial" }, ["minor serial-added"]],
    ["no turns any more", { concurrency: "serial" }, {}, ["major serial-dropped"]],
    ["a declared pause", {}, { state: "paused" }, ["major pause-declared"]],
    ["no declared pause any more", { state: "paused" }, {}, ["minor pause-dropped"]],
    ["a model alone", {}, { models: ["claude-*"] }, ["major model-removed"]],
    ["all models again", { models: ["claude-*"] }, {}, ["minor model-added"]],
    ["a model more", { models: ["a"] }, { models: ["a", "b"] }, ["minor model-added"]],
    ["all capabilities again", { capabilities: ["x:y z"] }, {}, ["major capability-wider"]],
    ["a capability alone", {}, { capabilities: ["x:y z"] }, ["minor capability-narrower"]],
    ["another name to show", {}, { display_name: "Refund" }, ["patch description"]],
    ["a key that is not known", {}, { colour: "red" }, ["major unknown-field"]],
  ])("depends on the kind: %s", (_, old, now, expected) => {
    const { differences } = onlyTool(compareCatalogs(of(old), of(now)));
    for (const { rule } of differences) shown.add(rule);
    expect(differences.map(short)).toEqual(expected);
  });

  test("a change of the approver counts as such if a confirmation asks for the approval", () => {
    const confirms = { requires_confirmation: true };
    const [old, now] = [of(null, confirms), of({ approval: { by: "person" } }, confirms)];
    const rulesOf = (one: ComparedCatalog, other: ComparedCatalog) =>
      onlyTool(compareCatalogs(one, other)).differences.map(short);
    expect(rulesOf(old, now)).toEqual(["major approval-by-person"]);
    expect(rulesOf(now, old)).toEqual(["major approval-by-other"]);
  });

  test("a catalog of an earlier skillc without the key equals one with an empty key", () => {
    const without: ComparedCatalog = { skills: [{ name: "desk", tools: [{ id: "desk/a" }] }] };
    expect(compareCatalogs(without, of(null, { tags: [], deprecated: false })).skills).toEqual([]);
  });
});

describe("the keys of a generated catalog", () => {
  test("each have a rule for a tool", async () => {
    const { skills } = await catalogOf({ tool: { ...tool, version: "1.0.0" } });
    const keys = skills.flatMap(({ tools }) => tools.flatMap((each) => Object.keys(each)));
    expect(keys).toContain("version");
    const known = new Set([...Object.keys(toolFields), "governance"]);
    expect(keys.filter((each) => !known.has(each))).toEqual([]);
  });

  test("each have a rule for a skill", async () => {
    const { skills } = await catalogOf({});
    const changed = skills.map((each) =>
      Object.fromEntries(
        Object.entries(each).map(([key, value]) => [
          key,
          key === "name" || key === "tools"
            ? value
            : isJsonObject(value)
              ? {}
              : `${String(value)}!`,
        ]),
      ),
    );
    const found = compareCatalogs(
      { skills },
      { skills: changed as unknown as ComparedCatalog["skills"] },
    );
    const rules = found.skills.flatMap(({ differences }) => differences.map(({ rule }) => rule));
    expect(rules).toContain("skill-text");
    shown.add("skill-text");
    expect(rules).not.toContain("unknown-field");
  });

  test("count as a breaking change if they are unknown", () => {
    const of = (more: JsonObject): ComparedCatalog => ({
      skills: [{ name: "desk", tools: [{ id: "desk/a", ...more }] }],
    });
    const { differences } = onlyTool(compareCatalogs(of({ colour: 1 }), of({ colour: 2 })));
    expect(differences.map(short)).toEqual(["major unknown-field"]);
    expect(differences[0]?.field).toBe("colour");
  });

  test("count as unknown if they are named like a property of Object", () => {
    const of = (more: JsonObject): ComparedCatalog => ({
      skills: [{ name: "desk", tools: [{ id: "desk/a", ...more }] }],
    });
    const { differences } = onlyTool(compareCatalogs(of({}), of({ constructor: 2 })));
    expect(differences.map(short)).toEqual(["major unknown-field"]);
  });
});

describe("skills", () => {
  test("a skill with a new prerequisite needs a major version", async () => {
    const env = "prerequisites: { env: [ORDERS_KEY] }\n";
    const { skills, verdict } = await compared({}, { front: env });
    expect(skills[0]?.differences.map(short)).toEqual(["major prerequisite-added"]);
    const back = await compared({ front: env }, {});
    expect(back.skills[0]?.differences.map(short)).toEqual(["minor prerequisite-removed"]);
    for (const each of [...skills, ...back.skills])
      for (const { rule } of each.differences) shown.add(rule);
    expect(verdict).toBe("major");
  });

  test("a removed skill removes its tools too", async () => {
    const before = await catalogOf({});
    const { skills } = compareCatalogs(before, { skills: [] });
    for (const { differences } of [...skills, ...skills.flatMap(({ tools }) => tools)])
      for (const { rule } of differences) shown.add(rule);
    expect(skills.map(({ change, verdict }) => [change, verdict])).toEqual([["removed", "major"]]);
    expect(skills[0]?.tools.map(({ id, change }) => [id, change])).toEqual([
      ["desk/get-order", "removed"],
    ]);
  });

  test("a new tool needs a minor version of its skill", async () => {
    const now = await catalogOf({});
    const before = { skills: now.skills.map((each) => ({ ...each, tools: [] })) };
    const found = compareCatalogs(before, now);
    expect(found.verdict).toBe("minor");
    for (const { differences } of found.skills.flatMap(({ tools }) => tools))
      for (const { rule } of differences) shown.add(rule);
    const whole = compareCatalogs({ skills: [] }, now).skills;
    for (const { differences } of whole) for (const { rule } of differences) shown.add(rule);
  });

  test("accepts a raised version without a visible change, which may have a hidden reason", async () => {
    const of = (version: string): Skill => ({ tool: { ...tool, version } });
    const found = onlyTool(await compared(of("1.0.0"), of("1.0.1")));
    expect(found.version.isEnough).toBe(true);
    expect(found.differences).toMatchObject([
      { rule: "within-binding", what: expect.stringContaining("may have changed") as string },
    ]);
  });

  test("reports no difference between equal skills", async () => {
    expect(await compared({}, {})).toEqual({ verdict: null, skills: [], tooLow: [] });
  });
});

describe("the verdict on changes of a tool's other keys", () => {
  const reach = (capability: string, more: JsonObject = {}): JsonValue => [
    { capability, credentials: [], ...more },
  ];
  const noWayBack: JsonValue = { strategy: "none", reason: "nobody can unsend an e-mail" };
  const table = (columns: readonly string[], more: JsonObject = {}): JsonValue =>
    reach("sql:read ${SHOP_URL} public.orders", { relation: "table", columns, ...more });

  test.each<[field: string, old: JsonValue, now: JsonValue, found: readonly string[]]>([
    ["side_effect", "write", "read", ["minor effect-read"]],
    ["needs_handler", true, false, ["minor handler-dropped"]],
    ["next_parameter", null, "next", ["minor pages-added"]],
    ["next_parameter", "next", null, ["major pages-removed"]],
    ["requires_confirmation", true, false, ["minor confirmation-removed"]],
    ["deprecated", "use another", false, ["minor deprecated-lifted"]],
    ["deprecated", false, { since: "1.2.0" }, ["minor deprecated-set"]],
    ["caller", [], ["tenant"], ["major caller-needed"]],
    ["caller", ["tenant"], [], ["minor caller-dropped"]],
    ["rollback", { strategy: "backup" }, noWayBack, ["major rollback-lost"]],
    ["rollback", { strategy: "compensate", tool: "desk/b" }, null, ["major rollback-lost"]],
    ["rollback", null, { strategy: "effects" }, ["minor rollback-gained"]],
    ["rollback", noWayBack, { strategy: "effects" }, ["minor rollback-gained"]],
    ["rollback", { strategy: "backup" }, { strategy: "effects" }, ["minor rollback-changed"]],
    ["rollback", null, noWayBack, ["patch rollback-reason"]],
    ["model_name", "desk__a", "desk__b", ["major name-changed"]],
    ["function", "a", "b", ["major name-changed"]],
    ["capabilities", table([]), [], ["minor table-removed"]],
    ["capabilities", table([]), table([], { behind: ["v"] }), ["patch table-otherwise"]],
    [
      "capabilities",
      reach("x:read a"),
      reach("x:read a", { credentials: ["K"] }),
      ["major credential-added"],
    ],
    [
      "capabilities",
      [...reach1("x:read a", ["K"]), ...reach1("x:read b", [])],
      [...reach1("x:read a", ["K"]), ...reach1("x:read b", ["K"])],
      ["major credential-added"],
    ],
    ["output_schema", null, { type: "string" }, ["minor result-narrower"]],
    ["output_schema", { type: "string" }, null, ["major result-wider"]],
    ["output_schema", { type: "string" }, { type: "string", title: "Id" }, ["patch result-text"]],
    [
      "input_schema",
      { type: "object", properties: { a: {} } },
      { type: "object", properties: {} },
      ["major parameter-removed /a"],
    ],
    [
      "input_schema",
      { type: "object", properties: {} },
      { type: "object", properties: { a: { type: "string" } } },
      ["minor parameter-added /a"],
    ],
    [
      "input_schema",
      { type: "object", properties: { a: { $ref: "#/$defs/t" } }, $defs: { t: tree("x") } },
      { type: "object", properties: { a: { $ref: "#/$defs/u" } }, $defs: { u: tree("x", "u") } },
      [],
    ],
    [
      "input_schema",
      { type: "object", properties: { a: { $ref: "#/$defs/t" } }, $defs: { t: tree("x") } },
      { type: "object", properties: { a: { $ref: "#/$defs/t" } }, $defs: { t: tree("y") } },
      [
        "major parameter-removed /a/x",
        "minor parameter-added /a/y",
        "major parameter-narrower /a/next/x",
        "minor parameter-wider /a/next/y",
      ],
    ],
  ])("%s: %j, then %j", (field, old, now, expected) => {
    const of = (value: JsonValue): ComparedCatalog => ({
      skills: [{ name: "desk", tools: [{ id: "desk/a", [field]: value }] }],
    });
    const tools = compareCatalogs(of(old), of(now)).skills.flatMap((each) => each.tools);
    const found = tools.flatMap(({ differences }) => differences.map(short));
    expect(found.toSorted()).toEqual([...expected].toSorted());
    for (const each of found) shown.add(each.split(" ")[1] ?? "");
  });
});

function reach1(capability: string, credentials: readonly string[]): readonly JsonValue[] {
  return [{ capability, credentials }];
}

/** An object that holds one of its own sort. */
function tree(name: string, self = "t"): JsonObject {
  const properties = { [name]: { type: "string" }, next: { $ref: `#/$defs/${self}` } };
  return { type: "object", additionalProperties: false, properties };
}

// Vitest runs a file's tests in their order.
test("each rule has a change above", () => {
  expect(Object.keys(changeRules).filter((each) => !shown.has(each))).toEqual([]);
});
