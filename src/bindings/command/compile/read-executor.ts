import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import { type SyntaxNode, textOf } from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { type Executor, executors } from "./model.js";

/** Words that other runners use for the executors. */
const otherWords: Readonly<Record<string, Executor>> = {
  bubblewrap: "sandbox",
  bwrap: "sandbox",
  local: "host",
  none: "host",
  shell: "host",
  subprocess: "host",
  container: "docker",
  podman: "docker",
};

/** Reads the executor; undefined, with a report, if there is none of that name. */
export function readExecutor(
  node: SyntaxNode | undefined,
  report: Report,
): { readonly name: Executor; readonly span?: Span } | undefined {
  if (node === undefined) return { name: "sandbox" };
  const written = textOf(node) ?? "";
  const name = executors.find((each) => each === written);
  if (name !== undefined) return { name, span: node.span };
  report.add({
    code: "command/executor",
    span: node.span,
    ...(/^k8s|^kubernetes/i.test(written)
      ? {
          message: `the executor ${quote(written)} is reserved: skillc can't start jobs of Kubernetes yet`,
          help: "write `sandbox`, `host` or `docker`; or give the tool a handler that starts the job",
        }
      : {
          message: `there is no executor ${quote(written)}`,
          help: helpFor(written),
        }),
  });
  return undefined;
}

function helpFor(written: string): string {
  const meant = Object.entries(otherWords).find(([word]) => word === written.toLowerCase())?.[1];
  const all = `the executors are ${executors.map(quote).join(", ")}`;
  return meant === undefined
    ? (didYouMean(written, executors) ?? all)
    : `did you mean ${quote(meant)}? ${all}`;
}
