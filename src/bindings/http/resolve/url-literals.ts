import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { lookUp, propertyNames } from "../../../schema/look-up.js";
import { plainWord } from "../../../schema/other-words.js";
import { nameIn } from "../../../kit/values/check-literal.js";
import { isScalar } from "../../../kit/values/check-value.js";

/** A part of the URL without placeholders: a segment of the path, or a value of the query. */
export interface UrlLiteral {
  readonly text: string;
  readonly span: Span;
  /** Name of the query's entry; absent for a segment. */
  readonly key?: string;
  /**
   * Set for a segment after a placeholder, because it names a part of a resource: `/{id}/email`.
   */
  readonly isPart?: true;
}

/** How the rest of the binding uses the tool's parameters. */
interface ParameterUse {
  readonly parameters: SchemaModel;
  /** Names of the parameters that a placeholder sends. */
  readonly sent: ReadonlySet<string>;
  /** True if the body sends all other parameters. */
  readonly sendsRest: boolean;
}

/**
 * Warns about a literal that its author meant as a placeholder: `:id`, `<id>`, or the name alone.
 * The service would get the literal, and an implicit body would send the parameter. If nothing
 * sends the parameter, another check reports it.
 */
export function checkUrlLiterals(
  literals: readonly UrlLiteral[],
  { parameters, sendsRest, sent }: ParameterUse,
  report: Report,
): void {
  const names = propertyNames(parameters, []).filter((name) => sendsRest || sent.has(name));
  const known = new Map(names.map((name) => [plainWord(name), name]));
  for (const name of names) known.set(name, name);
  for (const literal of literals) {
    const name = meantBy(literal, known, sent);
    if (name === undefined || !lookUp(parameters, [name]).types.some(isScalar)) continue;
    const text = `\`${shown(literal.text)}\``;
    report.add({
      code: "http/literal-parameter",
      span: literal.span,
      message: sent.has(name)
        ? `${text} is text here, not the parameter \`${shown(name)}\``
        : `${text} is text here, so the parameter \`${shown(name)}\` goes into the body`,
      help: `write \`{${shown(name)}}\``,
    });
  }
}

/** @param known names of parameters by themselves and by their plain words */
function meantBy(
  { isPart, key, text }: UrlLiteral,
  known: ReadonlyMap<string, string>,
  sent: ReadonlySet<string>,
): string | undefined {
  // `{{id}}` is literal text in braces.
  const written = /^\{([\w-]+)\}$/.exec(text)?.[1] ?? nameIn(text);
  const found = known.get(written) ?? known.get(plainWord(written));
  if (found === undefined || written !== text) return found;
  // Without a notation, the author may mean the text: `/openid/keys` with a parameter `openId`.
  if (found !== text) return undefined;
  if (key !== undefined) return key === text ? found : undefined;
  return isPart !== true && !sent.has(found) && identifier.test(found) ? found : undefined;
}

/**
 * Matches names of parameters that identify a resource. Such a name is rarely a segment. Other
 * names often are: `/users/{id}/password` with a parameter `password`.
 */
const identifier = /(?:^|[^a-z])(?:id|uuid|guid)$|[a-z](?:Id|ID|Uuid|UUID|Guid|GUID)$/;
