/**
 * What a broker takes for a name, as data: modules are generated and calls are made by the same
 * rules.
 */
export interface NameRule {
  /** `a topic` */
  readonly what: string;
  /** Whether it says where messages go; a routing key only says more of them. */
  readonly isPlace: boolean;
  /** Whether nothing is a name too. */
  readonly mayBeEmpty?: true;
  /** What parts a name into tokens, which subscribers and permissions name by patterns: `.` */
  readonly separator?: string;
  /** Of UTF-8. */
  readonly maxBytes?: number;
  readonly characters?: {
    /** One that no such name has. */
    readonly foreign: RegExp;
    /** What a name holds, or doesn't: ``hold only letters and digits`` */
    readonly must: string;
    /**
     * Formats of JSON Schema whose texts always have in them what no name has, and what that is.
     */
    readonly foreignFormats: ReadonlyMap<string, string>;
  };
  readonly complete?: readonly CompleteNameRule[];
}

/** Names that are none, though each part of them may stand in one. */
export interface CompleteNameRule {
  readonly refused: RegExp;
  /** Why: `it ends with a dot` */
  readonly problem: string;
  /** What a parameter must not make of it: `of nothing but dots` */
  readonly mustNot: string;
}

/** By the fields of a target that hold names. */
export type NameRules = Readonly<Record<string, NameRule>>;

/** The names in the targets of one provider. */
export interface TargetNames {
  /** @param target of a publication, or as much of it as is known */
  readonly rulesOf: (target: object) => NameRules;
  /** The field whose text a schema registry keeps the message's schema under. */
  readonly registrySubject: string;
}

/**
 * The characters that a value beside other text may not hold, so that it stays one token: the name's
 * separator, and whatever separates the value from another one.
 *
 * @param parts of the name; undefined for a value
 */
export function separatorsIn(
  { separator = "" }: NameRule,
  parts: readonly (string | undefined)[],
): string {
  if (parts.length < 2) return "";
  const between = parts.slice(parts.indexOf(undefined), parts.lastIndexOf(undefined)).join("");
  return separator + between.replace(/[\p{L}\p{N}]/gu, "");
}

/** The separator in a value that is to be one token. */
export function separatorWithin(text: string, separators: string): string | undefined {
  return [...separators].find((each) => text.includes(each));
}

/** The character in a text that no such name has. */
export function foreignCharacter({ characters }: NameRule, text: string): string | undefined {
  return characters?.foreign.exec(text)?.[0];
}

export function isTooLong({ maxBytes = Infinity }: NameRule, text: string): boolean {
  return Buffer.byteLength(text) > maxBytes;
}

/** The rule by which a text of the right characters is no name. */
export function brokenCompleteRule(
  { complete }: NameRule,
  text: string,
): CompleteNameRule | undefined {
  return complete?.find(({ refused }) => refused.test(text));
}
