/** Compares a tool's governance with the effect of its calls. */
import { covers } from "@skillc/runtime/internal";
import type { BindingKind } from "../../kit/binding.js";
import { capabilitiesOf, capabilityProblem } from "../../bindings/capabilities.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { GovernanceModel, Written } from "../../core/governance-model.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";

export interface GovernedContext {
  /** Id of the tool: `skill/tool`. */
  readonly toolId: string;
  readonly kind: BindingKind;
  readonly kinds: KindRegistry;
  readonly report: Report;
}

/** @param tool a tool with `governance`, or any tool of a governed project */
export function checkGovernance(tool: ToolModel, context: GovernedContext): void {
  const { kind, report } = context;
  const { governance } = tool;
  const doubts = tool.binding.effect === "write" ? doubtsOfWrite(tool, kind) : [];
  // skillc can't see the effect of a handler, which may only read.
  const isGuess = kind.needsHandler && tool.binding.effectSpan === undefined;
  for (const doubt of doubts) report.add(isGuess ? unknownEffect(doubt) : doubt);
  if (governance === undefined) return;
  checkCapabilities(tool, governance, context);
  checkLimits(tool, governance, context);
}

/** Problems of a writing tool whose settings only fit a read. */
function doubtsOfWrite(tool: ToolModel, kind: BindingKind): readonly UnratedDiagnostic[] {
  const { binding, governance, riskLevel, riskSpan, span } = tool;
  const related = [{ span: binding.effectSpan ?? binding.span, message: whatWrites(tool, kind) }];
  const found: UnratedDiagnostic[] = [];
  if (riskLevel === "low" && kind.checksRisk !== true)
    found.push({
      code: "governance/low-risk",
      span: riskSpan ?? span,
      message: `${quote(tool.name)} counts as a write, but its risk level is \`low\``,
      help: `write \`risk_level: medium\` or more${orRead(kind)}`,
      related,
    });
  const scopes = governance?.scopes ?? [];
  const [first] = scopes;
  // Together with another scope, a reading scope may cover what the tool also reads.
  if (first !== undefined && scopes.every(({ value }) => onlyReads(value)))
    found.push({
      code: "governance/reading-scope",
      span: first.span,
      message: `the scope ${quote(first.value)} is for reading, but ${quote(tool.name)} writes`,
      help: `require a scope for writing: ${quote(writingScope(first.value))}${orRead(kind)}`,
      related,
    });
  return found;
}

function whatWrites({ binding }: ToolModel, kind: BindingKind): string {
  if (binding.effectSpan !== undefined) return "this declares a write";
  return kind.needsHandler ? "skillc cannot see what the handler does" : "its binding writes";
}

function orRead({ declaresEffect }: BindingKind): string {
  return declaresEffect === true
    ? "; if a call changes nothing, write `effect: read` in the binding"
    : "";
}

/** Checks for a scope that sounds like reading: `orders.read`, `read:orders`, `orders:view`. */
function onlyReads(scope: string): boolean {
  const words = scope.toLowerCase().split(/[.:/]/);
  return [words[0], words.at(-1)].some((word) => readingWords.has(word ?? ""));
}

const readingWords: ReadonlySet<string> = new Set(["read", "view", "readonly"]);

function writingScope(scope: string): string {
  return scope.replace(
    /^(?:read|view|readonly)(?=[.:/])|(?<=[.:/])(?:read|view|readonly)$/i,
    "write",
  );
}

function unknownEffect(doubt: UnratedDiagnostic): UnratedDiagnostic {
  return {
    ...doubt,
    code: "governance/unknown-effect",
    help: "if the handler changes nothing, write `binding: { type: handler, effect: read }`; otherwise write `effect: write`",
  };
}

function checkCapabilities(
  tool: ToolModel,
  { capabilities: declared, span }: GovernanceModel,
  { kind, kinds, report, toolId }: GovernedContext,
): void {
  if (declared === undefined) return;
  const problems = declared.map(({ value, span: at }): UnratedDiagnostic | undefined => {
    const problem = capabilityProblem(value, kinds);
    return (
      problem && {
        code: "governance/bad-capability",
        span: at,
        message: `${quote(value)} ${problem.message}`,
        help: problem.help,
      }
    );
  });
  const wrong = problems.filter((each) => each !== undefined);
  for (const each of wrong) report.add(each);
  // For a handler, only the author knows its reach.
  if (wrong.length > 0 || kind.needsHandler) return;
  const reached = capabilitiesOf(tool, toolId, kinds).map(({ capability }) => capability);
  const exceeding = reached.filter((each) => !declared.some(({ value }) => covers(value, each)));
  const related = (message: string) => [{ span: tool.binding.span, message }];
  for (const each of exceeding)
    report.add({
      code: "governance/narrow-capability",
      span: nearest(each, declared)?.span ?? span,
      message: `the binding needs ${quote(each)}, which the declared capabilities don't cover`,
      help: `declare ${quote(each)}, or change the binding so that it needs less`,
      related: related("the binding"),
    });
  // A superfluous capability is then usually a mistyped one of those above: report it only once.
  if (exceeding.length > 0) return;
  for (const { span: at, value } of declared) {
    if (reached.some((each) => covers(each, value))) continue;
    report.add({
      code: "governance/wide-capability",
      span: at,
      message: `${quote(value)} allows more than the binding needs`,
      help: `write ${reached.map(quote).join(", ")}, or remove \`capabilities\`: then the tool has exactly what the binding needs`,
      related: related("the binding"),
    });
  }
}

/** Finds the declared capability that the author most likely intended to cover it. */
function nearest(
  capability: string,
  declared: readonly Written<string>[],
): Written<string> | undefined {
  const purpose = (text: string) => text.slice(0, text.indexOf(":"));
  return declared.find(({ value }) => purpose(value) === purpose(capability)) ?? declared[0];
}

function checkLimits(
  { binding }: ToolModel,
  { concurrency, limits }: GovernanceModel,
  { kind, report }: GovernedContext,
): void {
  const { bytesOut, concurrent } = limits;
  const cap = kind.answerCap?.(binding.config);
  if (bytesOut !== undefined && cap !== undefined && bytesOut.value > cap.bytes)
    report.add({
      code: "governance/limit-never-met",
      span: bytesOut.span,
      message: `\`bytes_out\` allows ${bytesOut.value} bytes, but the binding accepts at most ${cap.bytes}`,
      help: "lower `bytes_out`, or raise the limit of the binding",
      related: [{ span: cap.span ?? binding.span, message: limitedBy(cap.span) }],
    });
  if (concurrency !== undefined && concurrent !== undefined && concurrent.value > 1)
    report.add({
      code: "governance/serial-and-concurrent",
      span: concurrent.span,
      message: `\`concurrent\` allows ${concurrent.value} calls at once, but \`concurrency: serial\` allows one`,
      help: "remove one of the two",
      related: [{ span: concurrency.span, message: "this allows one call at a time" }],
    });
}

function limitedBy(said: Span | undefined): string {
  return said === undefined ? "the binding, by its default" : "the binding's own limit";
}
