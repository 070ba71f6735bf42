import { posix } from "node:path";
import type { Report } from "../../core/report.js";
import { type SyntaxNode, textOf } from "../../core/syntax-node.js";
import { pathProblem } from "./project-path.js";

/** Matches a package's name and a path inside it, in lower case like npm's names. */
const specifier = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[A-Za-z0-9._~-]+)*$/;

/**
 * Reads a module in skillc.yaml: `./…` below it, or a package. Undefined, with a report, if it is
 * neither.
 */
export function moduleOf(node: SyntaxNode, report: Report): string | undefined {
  const written = textOf(node);
  if (written === undefined) {
    report.add({ code: "config/wrong-type", span: node.span, message: "a module must be text" });
    return undefined;
  }
  const path = posix.normalize(written);
  const isPath =
    written.startsWith("./") && pathProblem(written) === undefined && !path.endsWith(".");
  if (isPath && !path.endsWith("/")) return `./${path}`;
  if (specifier.test(written) && !written.split("/").includes("..")) return written;
  report.add({
    code: "config/module",
    span: node.span,
    message: "this is neither a path in the project nor a package",
    help: "write a path that starts with `./`, or a package's name",
  });
  return undefined;
}
