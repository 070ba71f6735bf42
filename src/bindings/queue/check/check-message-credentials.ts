import type { Report } from "../../../core/report.js";
import type { ValueNode } from "../../values/model.js";
import { templatesBelow } from "../../values/templates-in.js";

/** What is in a message stays with all who can read the queue, and is encoded before any credential is opened. */
export function checkMessageCredentials(message: ValueNode, report: Report): void {
  for (const part of templatesBelow(message).flatMap(({ parts }) => parts)) {
    if (part.kind !== "credential") continue;
    report.add({
      code: "queue/credential-in-message",
      span: part.span,
      message: `\`\${${part.name}}\` stands in a message, which all who read the queue see`,
      help: "put a setting into `headers_mapping`; a credential belongs to `connection` alone",
    });
  }
}
