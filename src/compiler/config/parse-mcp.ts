import type { JsonObject } from "../../core/json.js";
import type { McpAuthSettings, McpCaller, McpSettings } from "../../core/project.js";
import { amountOf, duration, faultOf } from "../../core/quantities.js";
import type { Report } from "../../core/report.js";
import { type MapNode, type SyntaxNode, textOf, toJson, valueOf } from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import { mcpKeySchema, usualMcp } from "./mcp-schema.js";
import { moduleOf } from "./module-path.js";

/**
 * Parses `mcp:`, the settings of the MCP server. Undefined if the key is absent. An invalid part is
 * reported and replaced by its default.
 */
export function parseMcp(node: SyntaxNode | undefined, report: Report): McpSettings | undefined {
  if (node === undefined) return undefined;
  const fits = checkShape(node, mcpKeySchema, report, {
    subject: "`mcp`",
    unknownKey: "config/unknown-key",
    missingKey: "config/missing-key",
    wrongType: "config/wrong-type",
    wrongValue: "config/wrong-value",
  });
  if (!fits || node.kind !== "map") return usualMcp;
  const [app, auth, caller] = ["app", "auth", "caller"].map((key) => valueOf(node, key));
  const module = app && moduleOf(app, report);
  const chars = numberOf(valueOf(node, "max_result_chars"));
  return {
    ...(module !== undefined && { app: module }),
    ...(caller?.kind === "map" && { caller: callerOf(caller) }),
    // The schema has checked the form.
    ...(auth && { auth: toJson(auth) as McpAuthSettings & JsonObject }),
    answerWithinMs: timeOf(valueOf(node, "answer_within"), report) ?? usualMcp.answerWithinMs,
    maxResultChars: chars ?? usualMcp.maxResultChars,
  };
}

function callerOf(node: MapNode): McpCaller {
  const [tenant, subject] = [textOf(valueOf(node, "tenant")), textOf(valueOf(node, "subject"))];
  const [roles, scopes] = [textsOf(valueOf(node, "roles")), textsOf(valueOf(node, "scopes"))];
  return {
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
    ...(roles && { roles }),
    ...(scopes && { scopes }),
  };
}

function textsOf(node: SyntaxNode | undefined): readonly string[] | undefined {
  return node?.kind === "list" ? node.items.flatMap((each) => textOf(each) ?? []) : undefined;
}

function numberOf(node: SyntaxNode | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

/** The schema has checked the form; only a number that is too large remains. */
function timeOf(node: SyntaxNode | undefined, report: Report): number | undefined {
  if (node?.kind !== "scalar") return undefined;
  const time = amountOf(duration, node.value);
  if (time !== undefined) return time;
  const { help, problem } = faultOf(duration, node.value);
  const message = `\`answer_within\` ${problem}`;
  report.add({ code: "config/wrong-value", span: node.span, message, help });
  return undefined;
}
