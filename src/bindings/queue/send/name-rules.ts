/**
 * A broker's rules for a kind of name, as data. The compiler and the runtime apply the same rules.
 */
export interface NameRule {
  /** Noun with article: `a topic`. */
  readonly what: string;
  /** True if the name is a destination. A routing key only narrows one. */
  readonly isPlace: boolean;
  /** Set if an empty name is valid. */
  readonly mayBeEmpty?: true;
  /** Separator of a name's tokens: `.`. Patterns of subscribers and permissions match tokens. */
  readonly separator?: string;
  /** Maximum size in UTF-8 bytes. */
  readonly maxBytes?: number;
  readonly characters?: {
    /** Matches a character that is not allowed. */
    readonly foreign: RegExp;
    /** Completes "must …" in messages: `hold only letters and digits`. */
    readonly must: string;
    /**
     * JSON Schema formats whose texts always contain a forbidden character, and a description of
     * that character.
     */
    readonly foreignFormats: ReadonlyMap<string, string>;
  };
  readonly complete?: readonly CompleteNameRule[];
}

/** A rule for the complete name, whose parts may be valid on their own. */
export interface CompleteNameRule {
  readonly refused: RegExp;
  /** Problem of the name: `it ends with a dot`. */
  readonly problem: string;
  /** Describes a name that a parameter must not produce: `of nothing but dots`. */
  readonly mustNot: string;
}

/** Rules by the fields of a target that hold names. */
export type NameRules = Readonly<Record<string, NameRule>>;

/** The names in the targets of one provider. */
export interface TargetNames {
  /** @param target target of a publication, as far as it is known */
  readonly rulesOf: (target: object) => NameRules;
  /** The field whose text becomes the subject in a schema registry. */
  readonly registrySubject: string;
}

/**
 * Returns the characters that a value beside other text must not contain, so that it stays one
 * token: the name's separator, and whatever separates the value from another value.
 *
 * @param parts literal texts of the name; undefined for a value
 */
export function separatorsIn(
  { separator = "" }: NameRule,
  parts: readonly (string | undefined)[],
): string {
  if (parts.length < 2) return "";
  const between = parts.slice(parts.indexOf(undefined), parts.lastIndexOf(undefined)).join("");
  return separator + between.replace(/[\p{L}\p{N}]/gu, "");
}

/** Finds a separator in a value that must be one token. */
export function separatorWithin(text: string, separators: string): string | undefined {
  return [...separators].find((each) => text.includes(each));
}

/** Finds a character that the rule does not allow. */
export function foreignCharacter({ characters }: NameRule, text: string): string | undefined {
  return characters?.foreign.exec(text)?.[0];
}

export function isTooLong({ maxBytes = Infinity }: NameRule, text: string): boolean {
  return Buffer.byteLength(text) > maxBytes;
}

/** Finds the rule that a complete name breaks although its characters are allowed. */
export function brokenCompleteRule(
  { complete }: NameRule,
  text: string,
): CompleteNameRule | undefined {
  return complete?.find(({ refused }) => refused.test(text));
}
