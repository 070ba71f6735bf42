import { resolve } from "node:path";
import {
  type CedarEngine,
  judge,
  judgedTest,
  pathSets,
  type Judgement,
  openCedar,
  RefusedValue,
  withDefaults,
} from "@skillc/runtime/internal/governance";
import type { GovernedTool, ProjectPolicy } from "@skillc/runtime/governance";
import { policyTestFiles } from "../../compiler/config/policy-files.js";
import { projectPolicy } from "../../compiler/emit/policy.js";
import { parseYaml } from "../../compiler/parse/parse-yaml.js";
import { getOwn } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { createReport, inSourceOrder, type Report } from "../../core/report.js";
import {
  type ExpectedDecision,
  type PolicyTest,
  readPolicyTests,
} from "../../policy/policy-tests.js";
import { defaultsOf } from "../../schema/defaults.js";
import { readingOnly } from "../cache/file-cache.js";
import type { CommandContext } from "../command-context.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import {
  hasErrors,
  printDiagnostics,
  printDiagnosticsJson,
} from "../diagnostics/print-diagnostics.js";
import { plural } from "../diagnostics/summary.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { wantsColour, widthOf } from "../io.js";
import { colorsOf, printable, renderTable } from "../ledger/console-style.js";
import { type OpenProject, openProject } from "../project/open-project.js";
import type { CompiledProject } from "../project/compile-project.js";
import { compileWithProgress } from "./compile-with-progress.js";
import { createSession } from "./generate-once.js";

export interface PolicyTestOptions {
  /** Minimum coverage, in percent. */
  readonly minCoverage?: number;
  readonly json?: true;
}

/** A test case and the decision. */
interface Outcome {
  readonly test: PolicyTest;
  readonly decision: ExpectedDecision;
  readonly decidedBy: readonly string[];
  readonly passed: boolean;
}

/** A policy or condition of an approval, and the number of test cases that it decided. */
interface Covered {
  readonly id: string;
  readonly cases: number;
}

/** Decides the calls in `policies/*.test.yaml` as the runtime would, without making them. */
export async function policyTest(
  context: CommandContext,
  options: PolicyTestOptions,
): Promise<ExitCode> {
  const open = await openProject(context.directory);
  const cache = readingOnly(createSession(context.io).cacheFor(open));
  const compiled = await compileWithProgress(context, open, { cache });
  if (hasErrors(compiled.diagnostics)) return tell(context, compiled, options, [], []);
  const policy = policyOf(open, compiled);
  const report = createReport(allDiagnosticEntries(open.kinds?.registry));
  const tests = readTests(open, compiled, policy, report);
  const outcomes = await decideAll({ policy, directory: open.root, report }, tests);
  for (const outcome of outcomes) if (!outcome.passed) reportFailure(outcome, report);
  const diagnostics = inSourceOrder([...compiled.diagnostics, ...report.diagnostics()]);
  return tell(
    context,
    { ...compiled, diagnostics },
    options,
    outcomes,
    coverageOf(policy, outcomes),
  );
}

/** @throws CommandFailure if there is nothing to test */
function policyOf(open: OpenProject, { compilation }: CompiledProject): ProjectPolicy {
  const governance = compilation?.governance;
  const kinds = open.kinds?.registry;
  const policy =
    compilation &&
    kinds &&
    projectPolicy({
      skills: compilation.lowered.map((each) => ({ lowered: each })),
      kinds,
      ...(governance && { governance }),
    });
  if (policy !== undefined) return policy;
  throw CommandFailure.input(
    "this project has no policies and no governance",
    `write policies into \`${open.config.policies}/\`, as files that end in .cedar`,
  );
}

function readTests(
  open: OpenProject,
  { compilation }: CompiledProject,
  { cedar }: ProjectPolicy,
  report: Report,
): readonly PolicyTest[] {
  const files = policyTestFiles(open.project, open.config);
  if (files.length === 0)
    throw CommandFailure.input(
      `there are no tests in \`${open.config.policies}/\``,
      "write cases into files that end in .test.yaml",
    );
  const skills = (compilation?.lowered ?? []).map(({ skill }) => skill);
  const policies = Object.keys(cedar?.policies ?? {});
  return files.flatMap((file) => {
    const root = parseYaml(file, { start: 0, end: file.text.length }, report);
    return root === undefined ? [] : readPolicyTests(root, { skills, policies, report });
  });
}

/** Policy and data that decide the tests. */
interface PolicyTestContext {
  readonly policy: ProjectPolicy;
  /** Path of the project's folder. */
  readonly directory: string;
  readonly report: Report;
}

async function decideAll(
  deciding: PolicyTestContext,
  tests: readonly PolicyTest[],
): Promise<readonly Outcome[]> {
  const { cedar } = deciding.policy;
  const engine = cedar && (await openCedar(cedar));
  const outcomes: Outcome[] = [];
  for (const test of tests) {
    const outcome = decide(deciding, test, engine);
    if (outcome !== undefined) outcomes.push(outcome);
  }
  return outcomes;
}

/** Undefined, which is reported, for a call that is refused before it is decided about. */
function decide(
  { directory, policy, report }: PolicyTestContext,
  test: PolicyTest,
  engine: CedarEngine | undefined,
): Outcome | undefined {
  const { caller, tool, toolId } = test;
  const defaults = defaultsOf(tool.parameters);
  const filled = defaults === undefined ? test.args : withDefaults(test.args, defaults);
  try {
    const args = judgedTest(filled, tool.files, directory);
    const used = test.paths.map((each) => ({ path: resolve(directory, each) }));
    const call = { toolId, args, caller, paths: pathSets(used, directory) };
    const judgement = judge(policy, toolOf(policy, toolId), call, engine);
    const decision = decisionOf(judgement);
    const { decidedBy } = judgement;
    return { test, decision, decidedBy, passed: isAsExpected(test, decision, decidedBy) };
  } catch (error) {
    if (!(error instanceof RefusedValue)) throw error;
    report.add({
      code: "policy-test/arguments",
      span: test.span,
      message: `${quote(error.pointer)} of ${quote(toolId)} ${error.message}`,
      help: "the runtime rejects such a call before it asks any policy",
    });
    return undefined;
  }
}

function toolOf({ tools }: ProjectPolicy, id: string): GovernedTool {
  const tool = getOwn(tools, id);
  if (tool === undefined) throw new Error(`${id} is not in the policy`);
  return tool;
}

function decisionOf(judgement: Judgement): ExpectedDecision {
  if (judgement.kind === "refused") return "deny";
  return judgement.needsApproval ? "approval" : "allow";
}

function isAsExpected(
  { decision: expected, policies }: PolicyTest,
  decision: ExpectedDecision,
  decidedBy: readonly string[],
): boolean {
  if (expected.value !== decision) return false;
  const wanted = new Set(policies?.value ?? decidedBy);
  return wanted.size === new Set(decidedBy).size && decidedBy.every((id) => wanted.has(id));
}

const words: { readonly [Decision in ExpectedDecision]: string } = {
  allow: "allowed",
  deny: "denied",
  approval: "allowed with an approval",
};

function reportFailure({ decidedBy, decision, test }: Outcome, report: Report): void {
  const { decision: expected, policies } = test;
  const isOther = expected.value !== decision;
  const by = decidedBy.map(quote).join(", ");
  report.add({
    code: "policy-test/failed",
    span: isOther ? expected.span : (policies ?? expected).span,
    message: `${quote(test.name)}: the call is ${words[decision]}, by ${by}`,
    help: isOther
      ? `fix the policy, or write \`decision: ${decision}\``
      : `fix the policies, or write \`policies: [${decidedBy.map((id) => JSON.stringify(id)).join(", ")}]\``,
  });
}

function coverageOf({ cedar }: ProjectPolicy, outcomes: readonly Outcome[]): readonly Covered[] {
  const policies = Object.keys(cedar?.policies ?? {}).map((id) => ({
    id,
    cases: outcomes.filter(({ decidedBy }) => decidedBy.includes(id)).length,
  }));
  const conditions = Object.keys(cedar?.approvals ?? {}).map((toolId) => ({
    id: `approval of ${toolId}`,
    cases: outcomes.filter(
      ({ decision, test }) => test.toolId === toolId && decision === "approval",
    ).length,
  }));
  return [...policies, ...conditions];
}

/**
 * Share of policies and conditions that decided a case, in percent, rounded down: 100 means all.
 */
function percentOf(covered: readonly Covered[]): number {
  if (covered.length === 0) return 100;
  return Math.floor((100 * covered.filter(({ cases }) => cases > 0).length) / covered.length);
}

function tell(
  context: CommandContext,
  compiled: CompiledProject,
  { json, minCoverage = 0 }: PolicyTestOptions,
  outcomes: readonly Outcome[],
  covered: readonly Covered[],
): ExitCode {
  const { err, io, out } = context;
  const percent = percentOf(covered);
  const isFailed = hasErrors(compiled.diagnostics);
  if (json === true) {
    const cases = outcomes.map(({ decidedBy, decision, passed, test }) => ({
      file: test.span.file,
      name: test.name,
      tool: test.toolId,
      passed,
      expected: test.decision.value,
      decision,
      decidedBy,
    }));
    printDiagnosticsJson(context, compiled, { cases, coverage: { percent, policies: covered } });
    return isFailed || percent < minCoverage ? exitCode.inputErrors : exitCode.fine;
  }
  printDiagnostics(context, compiled, "brief");
  if (covered.length > 0 && outcomes.length > 0)
    io.stdout.write(`${coverageTable(context, covered)}\n\n`);
  if (!isFailed)
    io.stdout.write(
      `${out.green("✓")} ${plural(outcomes.length, "case")} as expected; ${percent} % of the policies decided one\n`,
    );
  if (percent >= minCoverage) return isFailed ? exitCode.inputErrors : exitCode.fine;
  if (!isFailed)
    io.stderr.write(
      `${err.red("✗")} ${percent} % is less than \`--min-coverage ${minCoverage}\`\n`,
    );
  return exitCode.inputErrors;
}

function coverageTable({ io }: CommandContext, covered: readonly Covered[]): string {
  const colors = colorsOf({ color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) });
  const rows = covered.map(({ cases, id }) => [
    cases === 0 ? colors.yellow(printable(id, 80)) : printable(id, 80),
    cases === 0 ? colors.yellow("none") : String(cases),
  ]);
  return renderTable([{ head: "policy" }, { head: "cases", align: "right" }], rows, colors);
}
