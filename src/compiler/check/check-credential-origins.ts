import {
  type CredentialDestination,
  destinationsOf,
  isLiteralOrigin,
} from "../../kit/credential-destinations.js";
import { capabilitiesOf } from "../../bindings/capabilities.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { Written } from "../../core/governance-model.js";
import { groupBy } from "../../core/group-by.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ProjectTool } from "./project-tools.js";

/** A tool that sends a credential somewhere. */
interface CredentialUse extends CredentialDestination {
  readonly by: ProjectTool;
}

/**
 * Warns about suspicious credentials. A skill may name any environment variable, and decide where
 * to send the value. That is suspicious if the variable is also sent elsewhere, or if the
 * deployment's capabilities don't list the origin.
 *
 * @param capabilities those of skillc.yaml; undefined if it has none
 */
export function checkCredentialOrigins(
  tools: readonly ProjectTool[],
  capabilities: readonly Written<string>[] | undefined,
  kinds: KindRegistry,
  report: Report,
): void {
  const uses = tools.flatMap((by): readonly CredentialUse[] =>
    destinationsOf(capabilitiesOf(by.tool, by.id, kinds)).map((each) => ({ ...each, by })),
  );
  for (const ofOne of groupBy(uses, ({ credential }) => credential).values()) {
    for (const [first] of groupBy(ofOne, ({ origin }) => origin).values()) {
      if (first === undefined || !isLiteralOrigin(first.origin)) continue;
      const other = ofOne.find(({ origin }) => origin !== first.origin);
      const isNamed =
        capabilities === undefined || capabilities.some(({ value }) => names(value, first.origin));
      if (other !== undefined || !isNamed) reportOrigin(first, other, report);
    }
  }
}

/**
 * Checks if a capability covers the origin, such as `net.http:get https://api.example.com/orders`.
 */
function names(capability: string, origin: string): boolean {
  const place = capability.slice(capability.indexOf(" ") + 1);
  return place === origin || place.startsWith(`${origin}/`);
}

function reportOrigin(
  { by, credential, origin }: CredentialUse,
  other: CredentialUse | undefined,
  report: Report,
) {
  const use = by.tool.binding.credentials.find(({ name }) => name === credential);
  const place = other?.by.tool.binding.credentials.find(({ name }) => name === credential);
  const variable = quote(`\${${credential}}`);
  report.within({ skill: by.skill, tool: by.tool.name }).add({
    code: "credential/literal-origin",
    span: use?.span ?? by.tool.span,
    message: other
      ? `${variable} goes to ${quote(origin)} here, and to ${quote(other.origin)} in ${quote(other.by.id)}`
      : `${variable} goes to ${quote(origin)}, which no capability of skillc.yaml names`,
    help: "check that this origin may get the credential; give each origin a credential of its own, or let a setting choose the origin",
    ...(place && { related: [{ span: place.span, message: "the other origin gets it here" }] }),
  });
}
