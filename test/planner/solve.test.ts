import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { countReads } from "../support/count-reads.js";
import { type Any, solved, type TestTool } from "./planner-project.js";

const text = { type: "string" };
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
});

/** Gives these values. */
const gives = (properties: JsonObject, required?: readonly string[]): TestTool => ({
  output: object(properties, required && [...required]),
});

/** Takes these parameters, all of them required. */
const takes = (input: JsonObject, effect: "read" | "write" = "read"): TestTool => ({
  effect,
  input,
  required: Object.keys(input),
});

/** Takes these parameters, none of them required. */
const mayTake = (input: JsonObject, effect: "read" | "write" = "read"): TestTool => ({
  effect,
  input,
});

describe("values that decide a parameter", () => {
  test("an input with the parameter's name decides it, in any spelling", () => {
    const { decided } = solved(
      { "a/find": takes({ customerID: text }) },
      { inputs: { customer_id: "c_1" } },
    );
    expect(decided).toEqual({ "1.customerID": "customer_id (name)" });
  });

  test("a property of an earlier output decides the parameter with its name", () => {
    const { decided } = solved({
      "a/design": gives({ endpoints: { type: "array" } }),
      "a/write": takes({ endpoints: { type: "array" } }),
    });
    expect(decided).toEqual({ "2.endpoints": "step_1.output.endpoints (name)" });
  });

  test("a property that may be absent decides too, because a fallback replaces it", () => {
    const { decided } = solved({
      "a/design": gives({ endpoints: { type: "array" } }, []),
      "a/write": takes({ endpoints: { type: "array" } }),
    });
    expect(decided).toEqual({ "2.endpoints": "step_1.output.endpoints (name)" });
  });

  test("`id` counts by its owner: the object around it, or what the tool gives", () => {
    const { decided } = solved({
      "a/get-order": gives({ id: text, customer: object({ id: text }) }),
      "a/find": takes({ order_id: text, customer_id: text }),
    });
    expect(decided).toEqual({
      "2.order_id": "step_1.output.id (name)",
      "2.customer_id": "step_1.output.customer.id (name)",
    });
  });

  test("`id` of a tool means the object that the tool acts on", () => {
    const { decided } = solved(
      { "a/cancel-order": takes({ id: text }, "write") },
      { inputs: { order_id: "o_1" } },
    );
    expect(decided).toEqual({ "1.id": "order_id (name)" });
  });

  test("a tool's name says what it gives only up to a preposition", () => {
    const { decided } = solved({
      "a/get-user-by-login": gives({ id: text }),
      "a/find": takes({ user_id: text }),
    });
    expect(decided).toEqual({ "2.user_id": "step_1.output.id (name)" });
  });

  test("a name of `param_aliases` decides if no value has the parameter's own name", () => {
    const search = { ...takes({ from: text }), aliases: { from: ["origin"] } };
    expect(solved({ "a/search": search }, { inputs: { origin: "ZRH" } }).decided).toEqual({
      "1.from": "origin (alias)",
    });
  });

  test("the only value of a format decides a parameter that is named after the format", () => {
    const email = { type: "string", format: "email" };
    const { decided } = solved({
      "a/get-user": gives({ contact: email }),
      "a/invite": takes({ email }, "write"),
    });
    expect(decided).toEqual({ "2.email": "step_1.output.contact (format)" });
  });

  test("a list of `[*].name` has the name of its items and of the property", () => {
    const { decided } = solved({
      "a/list": gives({ orders: { type: "array", items: object({ id: text }) } }),
      "a/print": takes({ order_ids: { type: "array", items: text } }),
    });
    expect(decided).toEqual({ "2.order_ids": "step_1.output.orders[*].id (name)" });
  });

  test("a value that a reading tool was given and gives back is no second one", () => {
    const { decided } = solved(
      {
        "a/get-payment": { ...takes({ order_id: text }), ...gives({ order_id: text }) },
        "a/cancel": takes({ order_id: text }, "write"),
      },
      { inputs: { order_id: "o_1" } },
    );
    expect(decided).toEqual({ "1.order_id": "order_id (name)", "2.order_id": "order_id (name)" });
  });

  test("a list decides an optional parameter of a tool that reads", () => {
    const { decided } = solved({
      "a/analyze": gives({ relations: { type: "array" } }),
      "a/design": mayTake({ relations: { type: "array" } }),
    });
    expect(decided).toEqual({ "2.relations": "step_1.output.relations (name)" });
  });
});

describe("values that decide nothing", () => {
  /** Ids of open parameters. */
  const openIn = (...args: Parameters<typeof solved>) => solved(...args).open;

  test("a value that has only the type of a parameter decides nothing", () => {
    const array = { type: "array" };
    expect(
      openIn({ "a/one": gives({ rules: array }), "a/two": takes({ entities: array }) }),
    ).toEqual(["2.entities"]);
  });

  test("two values with the name decide nothing", () => {
    const tools = { "a/one": gives({ token: text }), "a/two": gives({ token: text }) };
    expect(openIn({ ...tools, "a/use": takes({ token: text }) })).toEqual(["3.token"]);
  });

  test("an input and an output of a writing tool with one name decide nothing", () => {
    const move: TestTool = {
      ...takes({ folder_id: text }, "write"),
      ...gives({ folder_id: text }),
    };
    expect(
      openIn(
        { "a/move": move, "a/open": takes({ folder_id: text }) },
        { inputs: { folder_id: "f_1" } },
      ),
    ).toEqual(["2.folder_id"]);
  });

  test("a value decides nothing if another one with its name fits at times", () => {
    const tools = {
      "a/one": gives({ color_code: { type: "string", enum: ["red"] } }),
      "a/two": gives({ color_code: text }),
    };
    const wanted = { type: "string", enum: ["red", "blue"] };
    expect(openIn({ ...tools, "a/use": takes({ color_code: wanted }) })).toEqual(["3.color_code"]);
  });

  test("a value with the name that never fits does not count", () => {
    const tools = {
      "a/one": gives({ token: { type: "integer" } }),
      "a/two": gives({ token: text }),
    };
    expect(solved({ ...tools, "a/use": takes({ token: text }) }).decided).toEqual({
      "3.token": "step_2.output.token (name)",
    });
  });

  test("a value that may be null decides no parameter that may not", () => {
    expect(
      openIn({
        "a/one": gives({ token: { type: ["string", "null"] } }),
        "a/use": takes({ token: text }),
      }),
    ).toEqual(["2.token"]);
  });

  test.each([
    "id",
    "name",
    "status",
    "type",
    "value",
    "data",
    "text",
    "result",
    "items",
    "code",
    "to",
  ])("the name `%s` says nothing alone", (name) => {
    const tools = { "a/one": gives({ [name]: text }), "a/use": takes({ [name]: text }) };
    expect(openIn(tools)).toEqual([`2.${name}`]);
  });

  test("an attribute of one thing decides nothing, but an input with its name does", () => {
    const tools = {
      "a/get-customer": gives({ city: text, phone: text }),
      "a/search": takes({ city: text }),
    };
    expect(openIn(tools)).toEqual(["2.city"]);
    expect(
      solved({ "a/search": takes({ city: text }) }, { inputs: { city: "Lisbon" } }).decided,
    ).toEqual({ "1.city": "city (name)" });
  });

  test("a city decides if it is all that a tool gives", () => {
    const tools = { "a/find-airport": gives({ city: text }), "a/search": takes({ city: text }) };
    expect(solved(tools).decided).toEqual({ "2.city": "step_1.output.city (name)" });
  });

  test("a tool that changes a thing does not get an attribute that the thing has now", () => {
    const tools = {
      "a/get-issue": gives({ id: text, milestone: text }),
      "a/update-issue": takes({ issue_id: text, milestone: text }, "write"),
    };
    expect(solved(tools)).toMatchObject({
      decided: { "2.issue_id": "step_1.output.id (name)" },
      open: ["2.milestone"],
    });
  });

  test("a value decides no optional parameter of a tool that changes something", () => {
    const tools = {
      "a/find-account": gives({ ownerId: text }),
      "a/update-deal": mayTake({ owner_id: text }, "write"),
    };
    expect(openIn(tools)).toEqual(["2.owner_id"]);
  });

  test("an output decides no optional filter of a tool that reads", () => {
    const tools = {
      "a/get-user": gives({ team_id: text }),
      "a/list-tickets": mayTake({ team_id: text }),
    };
    expect(openIn(tools)).toEqual(["2.team_id"]);
  });

  test("an alias that says nothing alone decides nothing", () => {
    const use = { ...takes({ recipient: text }), aliases: { recipient: ["to"] } };
    expect(openIn({ "a/use": use }, { inputs: { to: "2027-02-05" } })).toEqual(["1.recipient"]);
  });

  test("a parent issue is not the issue, so its id decides nothing", () => {
    const tools = {
      "a/get-parent-issue": gives({ id: text }),
      "a/close": takes({ issue_id: text }, "write"),
    };
    expect(openIn(tools)).toEqual(["2.issue_id"]);
  });

  test("two values of a format decide nothing", () => {
    const email = { type: "string", format: "email" };
    const tools = { "a/one": gives({ boss: email, clerk: email }), "a/mail": takes({ email }) };
    expect(openIn(tools)).toEqual(["2.email"]);
  });

  test("a format of many things decides nothing", () => {
    const uuid = { type: "string", format: "uuid" };
    expect(openIn({ "a/one": gives({ run: uuid }), "a/two": takes({ uuid }) })).toEqual(["2.uuid"]);
  });
});

describe("optional parameters", () => {
  const notify = { "a/pay": mayTake({ notify_customer: { type: "boolean", default: true } }) };

  test("an optional parameter takes its default if nothing speaks of it", () => {
    expect(solved(notify)).toEqual({
      decided: { "1.notify_customer": "true (default)" },
      open: [],
      optional: ["1.notify_customer"],
    });
  });

  test.each([
    ["the goal", { goal: "Pay, and don't tell the customer" }],
    ["the step's description", { description: "Pay; support writes to customers" }],
    ["an input", { inputs: { wish: "No mail to the customer, please" } }],
  ])("an optional parameter is open if %s has a word of its name", (_, said) => {
    expect(solved(notify, said).open).toEqual(["1.notify_customer"]);
  });

  test("an optional parameter is open if a text has one of its values", () => {
    const log = { "a/log": mayTake({ stage: { enum: ["planned", "done"], default: "done" } }) };
    expect(solved(log, { goal: "Enter the planned call" }).open).toEqual(["1.stage"]);
  });

  test("an optional parameter without a default is left out if nothing speaks of it", () => {
    expect(solved({ "a/book": mayTake({ seat: text }) }, { goal: "Book it" })).toEqual({
      decided: {},
      open: [],
      optional: ["1.seat"],
    });
  });
});

test("a binding of the plan is taken as it stands, and a literal null counts", () => {
  const bindings = { owner: { source_type: "literal", default_value: null } };
  const tools = { "a/use": takes({ owner: text }) };
  expect(solved(tools, { inputs: { owner: "me" }, bindings }).decided).toEqual({
    "1.owner": "null (given)",
  });
});

test("a parameter, an input and a property called `__proto__` are names as all others", () => {
  const own = JSON.parse('{ "__proto__": { "type": "string" } }') as JsonObject;
  const inputs = JSON.parse('{ "__proto__": "x" }') as JsonObject;
  const tools = { "a/one": gives(own), "a/use": takes(own) };
  expect(solved(tools, { inputs })).toMatchObject({ decided: {}, open: ["2.__proto__"] });
});

/** Number of reads in schemas while a plan with so many steps is solved. */
function readsOf(count: number, toolCount: number): number {
  const list = { type: "array", items: object({ id: text, label: text }) };
  const tools = Object.fromEntries(
    Array.from({ length: toolCount }, (_, at) => [
      `a/get-order${at}`,
      { ...takes({ order_id: text }), ...gives({ id: text, lines: list, [`total_${at}`]: text }) },
    ]),
  );
  const { data, reads } = countReads<Any>({ tools: structuredClone(tools) });
  const steps = Array.from({ length: count }, (_, at) => ({
    id: String(at),
    tool: `get-order${at % toolCount}`,
  }));
  solved(data.tools, { steps });
  return reads();
}

test.each([
  ["one tool", 1, 1],
  ["a tool for each step", 250, 1000],
])(
  "a plan of 1,000 steps with %s reads schemas at most 5 times as often as one of 250",
  (_, few, many) => {
    expect(readsOf(1000, many)).toBeLessThan(5 * readsOf(250, few));
  },
);
