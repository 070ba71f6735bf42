import type { KindRegistry } from "../../bindings/registry.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";

/** What the bindings of all skills say of the same settings, and of the same places. */
export function checkBindingsTogether(
  skills: readonly SkillModel[],
  kinds: KindRegistry,
  report: Report,
): void {
  const addresses = new Map<string, First>();
  const encodings = new Map<string, First>();
  for (const skill of skills) {
    for (const tool of skill.tools) {
      const { config, type } = tool.binding;
      const kind = kinds.find(type);
      const within = report.within({ skill: skill.name, tool: tool.name });
      const toolId = `${skill.name}/${tool.name}`;
      for (const { name, of, span } of kind?.addresses?.(config) ?? [])
        compare(addresses, name, { is: of, span, toolId }, (first) =>
          within.add({
            code: "binding/setting-twice",
            span,
            message: `${quote(`\${${name}}`)} is the address of ${of} here, and of ${first.is} in ${quote(first.toolId)}`,
            help: "give each a setting of its own: one value can't be the address of both",
            related: [{ span: first.span, message: `of ${first.is}` }],
          }),
        );
      const published = kind?.publishes?.(config);
      if (published === undefined) continue;
      const { channel, encoding, shown, span } = published;
      compare(encodings, channel, { is: encoding, span, toolId }, (first) =>
        within.add({
          code: "binding/two-encodings",
          span,
          message: `messages to ${quote(shown)} are ${encoding} here, and ${first.is} in ${quote(first.toolId)}`,
          help: "let both have one `format`: whoever reads there expects one",
          related: [{ span: first.span, message: `${first.is} here` }],
        }),
      );
    }
  }
}

interface First {
  readonly is: string;
  readonly span: Span;
  readonly toolId: string;
}

function compare(
  seen: Map<string, First>,
  key: string,
  use: First,
  differs: (first: First) => void,
): void {
  const first = seen.get(key);
  if (first === undefined) seen.set(key, use);
  else if (first.is !== use.is) differs(first);
}
