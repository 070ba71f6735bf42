/** Names that must not decide what a write changes. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { solved, type TestTool } from "./planner-project.js";

const id = { type: "integer" };
const text = { type: "string" };

function read(input: JsonObject, output: JsonObject): TestTool {
  const required = Object.keys(output);
  const answer = { type: "object", required, properties: output };
  return { input, required: Object.keys(input), output: answer };
}

function write(input: JsonObject, aliases: TestTool["aliases"] = {}): TestTool {
  return { effect: "write", input, required: Object.keys(input), output: {}, aliases };
}

describe("a write", () => {
  test.each([
    ["get-card", "move-card", "card_id", "list_id"],
    ["card-get", "card-move", "card_id", "list_id"],
    ["get-issue", "assign-issue", "issue_id", "assignee_id"],
    ["get-issue", "reassign", "issue_id", "assignee_id"],
    ["get-page", "move-page", "page_id", "parent_id"],
    ["get-account", "transfer-ownership", "account_id", "owner_id"],
    ["get-project", "rename-project", "project_id", "slug"],
    ["get-task", "create-subtask", "task_id", "due_date"],
  ])("the answer of `%s` does not decide what `%s` makes of it", (get, change, own, other) => {
    const tools = {
      [`t/${get}`]: read({ [own]: text }, { id: text, [other]: text }),
      [`t/${change}`]: write({ [own]: text, [other]: text }),
    };
    expect(solved(tools, { inputs: { [own]: "a" } }).open).toContain(`2.${other}`);
  });

  test.each([
    ["get-order", "refund-payment", "order_id", "payment_id"],
    ["get-user", "send-sms", "user_id", "phone_number"],
    ["get-file", "update-file", "file_id", "sha"],
  ])("the answer of `%s` decides which thing `%s` changes", (get, change, own, other) => {
    const tools = {
      [`t/${get}`]: read({ [own]: text }, { [other]: text }),
      [`t/${change}`]: write({ [other]: text }),
    };
    const { decided } = solved(tools, { inputs: { [own]: "a" } });
    expect(decided[`2.${other}`]).toBe(`step_1.output.${other} (name)`);
  });

  test("a list of everything that was found does not decide what is changed", () => {
    const items = { type: "object", required: ["id"], properties: { id } };
    const tools = {
      "t/list-orders": { output: { type: "array", items } },
      "t/cancel-orders": write({ order_ids: { type: "array", items: id } }),
    };
    expect(solved(tools, { goal: "cancel the late orders" }).open).toEqual(["2.order_ids"]);
  });

  test("one value does not decide two parameters by their aliases", () => {
    const aliases = { from: ["account_id"], onto: ["account_id"] };
    const tools = {
      "t/get-user": read({}, { account_id: id }),
      "t/transfer": write({ from: id, onto: id }, aliases),
    };
    expect(solved(tools).open).toEqual(["2.from", "2.onto"]);
  });
});
