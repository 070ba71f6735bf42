/**
 * Reads the policies of a project before Cedar parses them: those of `policies/*.cedar`, and one
 * for each condition of an approval. Each has a text, and a mapping from offsets in the text to the
 * author's file.
 */
import type { Report } from "../core/report.js";
import type { SkillModel } from "../core/skill-model.js";
import type { SourceFile } from "../core/source-file.js";
import type { Span } from "../core/span.js";
import { spanWithin } from "../core/syntax-node.js";
import { toolsOf } from "./cedar-schema.js";
import { splitPolicies, tooDeepAt } from "./split-policies.js";

export interface PolicySource {
  /** Text in Cedar's language. */
  readonly text: string;
  /** Returns the span of a range of the text. */
  readonly spanOf: (start: number, end: number) => Span;
  /** Span of the beginning, for problems of the whole policy. */
  readonly head: Span;
  readonly report: Report;
}

export interface FilePolicy extends PolicySource {
  /** Id from the policy's place, if it declares none: `policies/refunds.cedar#2`. */
  readonly placeId: string;
}

export interface Condition extends PolicySource {
  readonly toolId: string;
}

/** Maximum number of policies, because each is checked against every tool. */
const maxPolicies = 2000;

/** Reads the policies of all files, except for those that Cedar can't read. */
export function filePolicies(files: readonly SourceFile[], report: Report): readonly FilePolicy[] {
  const all = files.flatMap(({ path, text }) =>
    splitPolicies(text).flatMap(({ end, head, start, tooDeep }, index): readonly FilePolicy[] => {
      const spanOf = (from: number, to: number): Span => ({
        file: path,
        start: start + from,
        end: start + to,
      });
      const own = text.slice(start, end);
      if (tooDeep !== undefined) {
        reportTooDeep(spanOf(tooDeep - start, tooDeep - start + 1), report);
        return [];
      }
      return [
        {
          text: own,
          spanOf,
          head: { file: path, ...head },
          report,
          placeId: `${path}#${index + 1}`,
        },
      ];
    }),
  );
  const beyond = all[maxPolicies];
  if (beyond === undefined) return all;
  report.add({
    code: "policy/too-large",
    span: beyond.head,
    message: `there are ${all.length} policies; at most ${maxPolicies} are allowed`,
    help: 'let one policy cover many tools: `action in Action::"tag:orders"`, `["a", "b"].contains(…)`',
  });
  return [];
}

function reportTooDeep(span: Span, report: Report): void {
  report.add({
    code: "policy/too-large",
    span,
    message: "the policy is nested too deep, or too long, for Cedar to read",
    help: "split it into several policies: every policy that applies counts",
  });
}

/**
 * Converts each condition of an approval to a policy that permits a call if the call needs the
 * approval.
 */
export function conditionsOf(skills: readonly SkillModel[], open: Report): readonly Condition[] {
  return toolsOf(skills).flatMap(({ id, skill, tool }): readonly Condition[] => {
    const when = tool.governance?.approval?.when;
    if (when === undefined) return [];
    const report = open.within({ skill: skill.name, tool: tool.name });
    const node = { kind: "scalar", ...when } as const;
    const tooDeep = tooDeepAt(when.value);
    if (tooDeep !== undefined) {
      reportTooDeep(spanWithin(node, tooDeep, tooDeep + 1), report);
      return [];
    }
    const before = `permit(principal, action == Action::${JSON.stringify(id)}, resource) when {\n`;
    return [
      {
        toolId: id,
        // The line break ends a comment at the end of the condition.
        text: `${before}${when.value}\n};`,
        // A range outside of the condition concerns the whole condition.
        spanOf(start, end) {
          const from = start - before.length;
          const to = Math.min(end - before.length, when.value.length);
          if (from < 0 || from > when.value.length) return when.span;
          return spanWithin(node, from, Math.max(from, to));
        },
        head: when.span,
        report,
      },
    ];
  });
}
