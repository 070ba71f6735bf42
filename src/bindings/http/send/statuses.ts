import type { Validator } from "../../../runtime/executor.js";
import type { StatusBody } from "../contract.js";

/** What the statuses of answers mean to a tool. */
export interface Statuses {
  /** Whether the author named that status, by its code or its range. */
  isNamed(status: number): boolean;
  of(status: number): StatusMeaning;
}

interface StatusMeaning {
  readonly name: string;
  /** Whether the result carries `data`. */
  readonly isSuccess: boolean;
  /** False where there is never a body to look at. */
  readonly hasContent: boolean;
  /** What is known of its body alone. */
  readonly body: StatusBody | undefined;
}

/** Three digits, a range, or `default`. */
type Key = string;

/**
 * @param names by code, range (`4XX`) or `default`: of a status the nearest counts
 * @param bodies by the same keys
 */
export function statusesOf(
  names: { readonly [key: Key]: string },
  bodies: { readonly [key: Key]: StatusBody },
): Statuses {
  const byKey = new Map(Object.entries(names));
  const known = new Map(Object.entries(bodies));
  const withContent = new Set(
    [...byKey].filter(([key]) => !isWithoutContent(key)).map(([, name]) => name),
  );
  const succeeded = new Set(["success"]);
  for (const [key, name] of byKey) if (key.startsWith("2")) succeeded.add(name);
  const keyOf = (status: number): Key | undefined =>
    [String(status), `${Math.trunc(status / 100)}XX`].find((key) => byKey.has(key));
  const meaningOf = (status: number): StatusMeaning => {
    const is2xx = status >= 200 && status <= 299;
    const key = keyOf(status) ?? (is2xx ? undefined : "default");
    const given = key === undefined ? undefined : byKey.get(key);
    const name = given ?? (is2xx ? "success" : "error");
    const isSuccess = succeeded.has(name);
    // One name of several codes has one type.
    const isEmpty =
      isWithoutContent(String(status)) && name !== "success" && !withContent.has(name);
    const body = key === undefined ? undefined : known.get(key);
    return { name, isSuccess, hasContent: !isEmpty, body };
  };
  const meanings = new Map<number, StatusMeaning>();
  return {
    isNamed: (status) => keyOf(status) !== undefined,
    of(status) {
      let meaning = meanings.get(status);
      // A server has few: three digits at most.
      if (meaning === undefined) meanings.set(status, (meaning = meaningOf(status)));
      return meaning;
    },
  };
}

/** Answers that have no content (RFC 9110, 15.3.5 and 15.3.6). */
function isWithoutContent(key: Key): boolean {
  return key === "204" || key === "205";
}

/**
 * What is known of the bodies of one status.
 *
 * @typeParam Body what `schema` checks; where it is not given, what the contract's own does
 */
export function bodyOf<Body>(known: {
  readonly schema?: Validator<Body>;
  readonly find?: (body: Body) => unknown;
  readonly steps?: readonly (string | number)[];
}): StatusBody {
  return { schema: known.schema, find: known.find, steps: known.steps };
}
