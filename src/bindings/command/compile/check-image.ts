import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";

/** Warns about an image without a digest: a tag may name another image tomorrow. */
export function checkImage(
  { name, span }: { readonly name: string; readonly span: Span },
  report: Report,
): void {
  if (/@sha256:[0-9a-f]{64}$/.test(name)) return;
  report.add({
    code: "command/image-tag",
    span,
    message: `${quote(name)} names an image without its digest, so another image may run tomorrow`,
    help: `write the digest: \`docker image inspect --format '{{index .RepoDigests 0}}' ${name.replace(/\s.*/s, "")}\` shows it`,
  });
}
