import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { HttpConfig } from "../model.js";

/** A credential over plain HTTP can be read on the way. Of an origin that is a `${NAME}` only the runtime knows the scheme. */
export function checkClearText(tool: ToolModel, { url }: HttpConfig, report: Report): void {
  const { origin } = url;
  const [credential] = tool.binding.credentials;
  if (origin.kind !== "literal" || credential === undefined) return;
  // What stands in for an origin at fault is no URL.
  if (!origin.origin.startsWith("http://") || isLoopback(new URL(origin.origin).hostname)) return;
  report.add({
    code: "http/credential-in-clear",
    span: origin.span,
    message: `${quote(`\${${credential.name}}`)} goes over plain HTTP: whoever is on the way can read it`,
    help: "write `https://`",
    related: [{ span: credential.span, message: "the credential" }],
  });
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
