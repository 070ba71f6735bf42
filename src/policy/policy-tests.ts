/** Tests of policies: files with cases, each a call and its expected decision. */
import { type Caller, ownCaller } from "@skillc/runtime/internal/governance";
import type { Written } from "../core/governance-model.js";
import type { JsonObject, JsonValue } from "../core/json.js";
import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { SkillModel, ToolModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import {
  entryOf,
  nodeAt,
  type ScalarNode,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../core/syntax-node.js";
import { checkShape, type ShapeTerms } from "../schema/check-shape.js";
import { valueChecker } from "../schema/check-value.js";
import { placeAt } from "../schema/place-at.js";
import { didYouMeanOrListed } from "../schema/suggestion.js";
import { toolsOf } from "./cedar-schema.js";

const decisions = ["allow", "deny", "approval"] as const;
export type ExpectedDecision = (typeof decisions)[number];

export interface PolicyTest {
  readonly name: string;
  /** Span of the name. */
  readonly span: Span;
  readonly caller: Caller | undefined;
  readonly toolId: string;
  readonly tool: ToolModel;
  /** Valid arguments, as a caller passes them. */
  readonly args: JsonValue;
  /** Files and folders that the call uses, relative to the project's folder or absolute. */
  readonly paths: readonly string[];
  readonly decision: Written<ExpectedDecision>;
  /** Policies that are expected to decide; absent if the case doesn't name any. */
  readonly policies?: Written<readonly string[]>;
}

/** Tools and policies that tests may refer to. */
interface TestContext {
  readonly skills: readonly SkillModel[];
  /** Ids of all policies. */
  readonly policies: readonly string[];
  readonly report: Report;
}

/** Deciders other than policies. */
const otherDeciders = ["implicit-permit", "no-permit", "engine", "scopes"] as const;

const text = { type: "string", minLength: 1 } as const;
const texts = { type: "array", items: text } as const;

/** Schema of a file `policies/*.test.yaml`. */
const policyTestSchema = {
  type: "object",
  additionalProperties: false,
  required: ["cases"],
  properties: {
    cases: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "tool", "decision"],
        properties: {
          name: text,
          caller: {
            type: "object",
            additionalProperties: false,
            properties: {
              tenant: text,
              subject: text,
              roles: texts,
              scopes: texts,
              origin: { enum: ["llm", "api", "system"] },
            },
          },
          tool: text,
          arguments: { type: "object" },
          paths: texts,
          decision: { enum: decisions },
          policies: texts,
        },
      },
    },
  },
} as const satisfies JsonObject;

const terms: ShapeTerms = {
  subject: "a file of tests",
  unknownKey: "policy-test/unknown-key",
  missingKey: "policy-test/missing-key",
  wrongType: "policy-test/wrong-type",
  wrongValue: "policy-test/wrong-value",
};

/** Reads the cases of a file. Reports and omits invalid ones. */
export function readPolicyTests(root: SyntaxNode, context: TestContext): readonly PolicyTest[] {
  if (!checkShape(root, policyTestSchema, context.report, terms)) return [];
  const cases = valueOf(root, "cases");
  if (cases?.kind !== "list") return [];
  reportNamesTwice(cases.items, context.report);
  return cases.items.flatMap((node) => readCase(node, context) ?? []);
}

function reportNamesTwice(cases: readonly SyntaxNode[], report: Report): void {
  const first = new Map<string, Span>();
  for (const node of cases) {
    const name = textOf(valueOf(node, "name")) ?? "";
    const span = valueOf(node, "name")?.span ?? node.span;
    const other = first.get(name);
    if (other === undefined) first.set(name, span);
    else
      report.add({
        code: "policy-test/name-twice",
        span,
        message: `another case has the name ${quote(name)} too`,
        help: "give each case a name of its own",
        related: [{ span: other, message: "the other is here" }],
      });
  }
}

function readCase(node: SyntaxNode, context: TestContext): PolicyTest | undefined {
  const { report } = context;
  const errorsBefore = report.errorCount();
  const [name, toolName, decision] = ["name", "tool", "decision"].map((key) => valueOf(node, key));
  const found = toolNamed(toolName, context);
  const caller = readCaller(valueOf(node, "caller"), report);
  const policies = readPolicies(valueOf(node, "policies"), context);
  const args = valueOf(node, "arguments");
  const paths = entryOf(node, "paths");
  const passed = args === undefined ? {} : toJson(args);
  if (found !== undefined) checkArguments(passed, args ?? toolName ?? node, found, report);
  if (paths !== undefined && found !== undefined && found.tool.binding.paths === undefined)
    report.add({
      code: "policy-test/unknown-key",
      span: paths.key.span,
      message: `${quote(found.id)} names no files, so no policy reads \`paths\``,
      help: "remove `paths`",
    });
  if (found === undefined || decision === undefined || report.errorCount() > errorsBefore)
    return undefined;
  return {
    name: textOf(name) ?? "",
    span: name?.span ?? node.span,
    caller,
    toolId: found.id,
    tool: found.tool,
    args: passed,
    paths: textsIn(paths?.value),
    // The schema allows no other words.
    decision: { value: textOf(decision) as ExpectedDecision, span: decision.span },
    ...(policies && { policies }),
  };
}

function toolNamed(node: SyntaxNode | undefined, { report, skills }: TestContext) {
  const id = textOf(node) ?? "";
  const tools = toolsOf(skills);
  const found = tools.find((each) => each.id === id);
  if (found === undefined && node !== undefined)
    report.add({
      code: "policy-test/unknown-tool",
      span: node.span,
      message: `the project has no tool ${quote(id)}`,
      help:
        didYouMeanOrListed(
          id,
          tools.map((each) => each.id),
          "the tools are",
        ) ?? "no skill has a tool",
    });
  return found;
}

/** Parses a caller as the runtime does. */
function readCaller(node: SyntaxNode | undefined, report: Report): Caller | undefined {
  if (node === undefined) return undefined;
  try {
    // The schema has checked the fields, and `ownCaller` checks each value.
    return ownCaller(toJson(node) as Caller);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    report.add({
      code: "policy-test/caller",
      span: node.span,
      message: `the runtime rejects this caller: ${error.message}`,
    });
    return undefined;
  }
}

function scalarsIn(node: SyntaxNode | undefined): readonly ScalarNode[] {
  return node?.kind === "list" ? node.items.filter((each) => each.kind === "scalar") : [];
}

function textsIn(node: SyntaxNode | undefined): readonly string[] {
  return scalarsIn(node).map((each) => textOf(each) ?? "");
}

function readPolicies(
  node: SyntaxNode | undefined,
  { policies, report }: TestContext,
): Written<readonly string[]> | undefined {
  if (node?.kind !== "list") return undefined;
  const known = [...policies, ...otherDeciders];
  const items = scalarsIn(node);
  for (const item of items) {
    const id = textOf(item) ?? "";
    if (known.includes(id)) continue;
    report.add({
      code: "policy-test/unknown-policy",
      span: item.span,
      message: `no policy has the id ${quote(id)}`,
      help: didYouMeanOrListed(
        id,
        known,
        'a policy\'s id is `@id("…")`, or else its file and number; there is',
      ),
    });
  }
  return { value: textsIn(node), span: node.span };
}

function checkArguments(
  value: JsonValue,
  node: SyntaxNode,
  { id, tool }: { readonly id: string; readonly tool: ToolModel },
  report: Report,
): void {
  for (const { message, path } of valueChecker(tool.parameters)(value)) {
    const at = nodeAt(node, path);
    report.add({
      code: "policy-test/arguments",
      span: (at ?? node).span,
      message: `${path.length === 0 ? "the arguments" : quote(path.join("."))} of ${quote(id)} ${message}`,
      help: "the runtime rejects such a call before it asks any policy",
      ...relatedParameter(tool, path),
    });
  }
}

function relatedParameter({ parameters }: ToolModel, [name]: readonly string[]) {
  const span = name === undefined ? undefined : placeAt(parameters, `/properties/${name}`);
  return span && { related: [{ span, message: "it is declared here" }] };
}
