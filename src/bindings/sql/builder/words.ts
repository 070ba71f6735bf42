import { type Chain, type ChainType, type Template, unknownType } from "./chain.js";

/** SQL text with chains where the values of a template will stand. */
export type Words = readonly (string | Chain)[];

/**
 * Words from a template literal: the fixed text is ours; a hole holds a chain or other words. An author's names and constants come in through
 * `quoted` and the deparser only.
 */
export function words(
  fixed: TemplateStringsArray,
  ...holes: readonly (Chain | Words)[]
): readonly (string | Chain)[] {
  return fixed.flatMap((text, index) => {
    const hole = holes[index];
    return hole === undefined ? [text] : [text, ...(isWords(hole) ? hole : [hole])];
  });
}

function isWords(value: Chain | Words): value is Words {
  return Array.isArray(value);
}

/** Several words, `separator` between them. */
export function joinWords(all: readonly Words[], separator: string): Words {
  return all.flatMap((each, index) => (index === 0 ? each : [separator, ...each]));
}

/** A name as PostgreSQL quotes it: what Kysely prints for the same name. */
export function quoted(name: string): Words {
  return [`"${name.replaceAll('"', '""')}"`];
}

export function quotedList(names: readonly string[]): Words {
  return joinWords(names.map(quoted), ", ");
}

/** A Kysely `sql` template of these words; templates within become part of it. */
export function template(all: Words, type: ChainType = unknownType): Template {
  const strings = [""];
  const values: Chain[] = [];
  const add = (text: string) => strings.push((strings.pop() ?? "") + text);
  for (const each of flat(all)) {
    if (typeof each === "string") add(each);
    else {
      values.push(each);
      strings.push("");
    }
  }
  return { kind: "template", type, strings, values };
}

/** The words of a chain: those of a template are taken apart. */
export function wordsOf(chain: Chain): Words {
  if (chain.kind !== "template") return [chain];
  return chain.strings.flatMap((text, index) => {
    const value = chain.values[index];
    return value === undefined ? [text] : [text, ...wordsOf(value)];
  });
}

function flat(all: Words): Words {
  return all.flatMap((each) => (typeof each === "string" ? [each] : wordsOf(each)));
}
