/**
 * Splits a file of policies, or a condition, before Cedar parses it. Finds the end of each policy,
 * and checks if Cedar can parse it safely. Cedar's parser and checks are recursive: text that is
 * nested too deep crashes them, and all later calls fail.
 */

/** A policy in a text, with UTF-16 offsets. */
export interface PolicyText {
  /** Offset of the first character that is neither space nor comment. */
  readonly start: number;
  /** Offset after the `;`, or the end of the text if there is none. */
  readonly end: number;
  /** Range of `permit` or `forbid`; the whole first line if there is neither. */
  readonly head: { readonly start: number; readonly end: number };
  /** Offset at which the policy becomes too deep; undefined if it does not. */
  readonly tooDeep?: number;
}

/**
 * Maximum weight of one policy. A level of brackets takes as much stack as three operators.
 * Measured with cedar-wasm 4.13: it crashes at 361 operators in a row or 122 levels if the stack is
 * otherwise empty, and at somewhat more than 180 operators if it isn't.
 */
const most = 120;
const bracket = 3;
/** Maximum length of a policy, in UTF-16 units. */
const longest = 64 * 1024;

const token =
  /\/\/[^\n]*|"(?:[^"\\]|\\[^])*(?:"|$)|[A-Za-z_][A-Za-z0-9_]*|\d+|[([{]|[)\]}]|;|,|&&|\|\||[<>=!]=|::|[^\s\ufeff]/g;

/** Tokens that nest everything before or after them. */
const spine = /^(?:&&|\|\||if|when|unless)$/;
/** Tokens that nest only inside one operand of those above. */
const operator = /^(?:[<>=!]=|::|[-<>!+*.]|has|in|is|like)$/;
const effects: ReadonlySet<string> = new Set(["permit", "forbid"]);

/** Splits a text into its policies, in order, including invalid ones. */
export function splitPolicies(text: string): readonly PolicyText[] {
  const policies: PolicyText[] = [];
  let open = startPolicy();
  for (const { found, index } of tokensOf(text)) {
    open.take(found, index);
    if (found !== ";") continue;
    policies.push(open.end(index + 1, text));
    open = startPolicy();
  }
  return open.isEmpty() ? policies : [...policies, open.end(text.length, text)];
}

/** Offset at which a condition becomes too deep; undefined if it does not. */
export function tooDeepAt(condition: string): number | undefined {
  const scale = createScale();
  for (const { found, index } of tokensOf(condition)) if (scale.weigh(found) > most) return index;
  return condition.length > longest ? longest : undefined;
}

/** The tokens of a text, without comments. */
export function* tokensOf(text: string) {
  for (const { 0: found, index } of text.matchAll(token))
    if (!found.startsWith("//")) yield { found, index };
}

/** One policy while its tokens are read. */
function startPolicy() {
  const scale = createScale();
  let start: number | undefined;
  let head: PolicyText["head"] | undefined;
  let tooDeep: number | undefined;
  let previous = "";
  return {
    isEmpty: () => start === undefined,
    take(found: string, index: number): void {
      start ??= index;
      // An annotation may have such a name too.
      if (previous !== "@" && effects.has(found))
        head ??= { start: index, end: index + found.length };
      if (scale.weigh(found) > most) tooDeep ??= index;
      previous = found;
    },
    end(end: number, text: string): PolicyText {
      const from = start ?? end;
      const [line = ""] = /^[^\r\n]*/.exec(text.slice(from, end)) ?? [];
      const at = tooDeep ?? (end - from > longest ? from : undefined);
      return {
        start: from,
        end,
        head: head ?? { start: from, end: from + line.length },
        ...(at !== undefined && { tooDeep: at }),
      };
    },
  };
}

/** Computes the nesting weight at each token of an expression. */
function createScale(): { weigh(found: string): number } {
  const levels: Level[] = [{ spine: 0, operand: 0 }];
  let weight = 0;
  const set = (own: Level): void => {
    const { operand, spine: nested } = levels.at(-1) ?? own;
    weight += own.spine + own.operand - nested - operand;
    levels[levels.length - 1] = own;
  };
  return {
    weigh(found) {
      const own = levels.at(-1) ?? { spine: 0, operand: 0 };
      if ("([{".includes(found)) {
        levels.push({ spine: 0, operand: 0 });
        set({ spine: bracket, operand: 0 });
      } else if (")]}".includes(found)) {
        set({ spine: 0, operand: 0 });
        if (levels.length > 1) levels.pop();
        const around = levels.at(-1) ?? own;
        // `a["b"]["c"]` also nests.
        set({ ...around, operand: around.operand + 1 });
      } else if (found === ",") set({ spine: levels.length > 1 ? bracket : 0, operand: 0 });
      else if (spine.test(found)) set({ spine: own.spine + 1, operand: 0 });
      else if (operator.test(found)) set({ ...own, operand: own.operand + 1 });
      return weight;
    },
  };
}

/** Nesting inside one pair of brackets. */
interface Level {
  readonly spine: number;
  /** Nesting in the last operand of the spine. */
  readonly operand: number;
}
