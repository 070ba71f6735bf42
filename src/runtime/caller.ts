/**
 * Identifies who makes a call. An application can set the caller in three places: for everything
 * that runs inside a function (`withCaller`), for one call (`CallOptions.caller`), or for all calls
 * of a runtime (`RuntimeOptions.caller`). The most specific caller counts.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** The possible origins of a call: a model, a program's own code, or the system itself. */
export const origins = ["llm", "api", "system"] as const;
/** Who asked for a call: a model (`llm`), a program (`api`), or the system itself (`system`). */
export type Origin = (typeof origins)[number];

/** The tenant, person or service on whose behalf a call is made. */
export interface Caller {
  /** Customer, organization or account that the call is for. */
  readonly tenant?: string;
  /** Person or service that makes the call. */
  readonly subject?: string;
  /** Permissions of the caller, as the application knows them. Policies can narrow them further. */
  readonly scopes?: readonly string[];
  /** Roles of the caller, for policies. */
  readonly roles?: readonly string[];
  /** Who asked for the call. `dispatchTool` sets `llm`. */
  readonly origin?: Origin;
  /** Trace that the calls belong to. The ledger records it. */
  readonly trace?: string;
}

/** Fields of a caller that bindings may use as `{caller.…}`. Each value is text. */
export const callerFields = ["tenant", "subject", "origin", "trace"] as const;
export type CallerField = (typeof callerFields)[number];

/**
 * The caller as a binding's code reads it. The code reads only the fields that its contract lists
 * (`ToolContract.caller`).
 */
export type BoundCaller = Required<Pick<Caller, CallerField>>;

const nobody: Caller = Object.freeze({});

/** Returns the caller of a call, for a binding that reads some of its fields. */
export function boundCaller({
  caller = nobody,
}: {
  readonly caller?: Caller | undefined;
}): BoundCaller {
  // Validation rejected the call if a field that the contract lists was missing. The compiler
  // generates both the list and the code that reads it.
  return caller as BoundCaller;
}

/** Maximum number of characters in a tenant, subject, scope, role or trace. */
export const longestName = 256;
/** Maximum number of scopes, and of roles, of one caller. */
const maxNames = 1000;

/** Copies made in this module. They are valid and frozen, so they are not checked again. */
const own = new WeakSet<Caller>([nobody]);

const callers = new AsyncLocalStorage<Caller>();

/**
 * Runs a function on behalf of a caller. Every call that the function makes, also after an `await`,
 * gets this caller.
 *
 * @returns the function's return value
 * @throws TypeError if the caller is not valid
 */
export function withCaller<Returned>(caller: Caller, run: () => Returned): Returned {
  return callers.run(ownCaller(caller), run);
}

/** Returns the caller set by the nearest `withCaller`; undefined outside of `withCaller`. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}

/** Maps a copied caller to the same caller with origin `llm`. */
const models = new WeakMap<Caller, Caller>();

/**
 * Returns the same caller with origin `llm`.
 *
 * @throws TypeError if the caller is not valid
 */
export function calledByModel(caller: Caller = nobody): Caller {
  // The application may change its object later, so the cache uses the frozen copy as its key.
  const copy = ownCaller(caller);
  if (copy.origin === "llm") return copy;
  let asked = models.get(copy);
  if (asked === undefined) models.set(copy, (asked = ownCaller({ ...copy, origin: "llm" })));
  return asked;
}

/**
 * Validates a caller and returns a frozen copy, which the application can't change during a call.
 *
 * @throws TypeError if a name could be mistaken for another one: it is empty or too long, has
 * control or invisible characters or surrounding spaces, or is not in Unicode form NFC; also if
 * there are too many scopes or roles, or an unknown field
 */
export function ownCaller(given: Caller): Caller {
  if (own.has(given)) return given;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(
      "a caller must be an object: `{ tenant, subject, scopes, roles, origin, trace }`",
    );
  const { origin, roles, scopes, subject, tenant, trace, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new TypeError(`a caller can't have the field \`${unknown.slice(0, 64)}\``);
  if (origin !== undefined && !origins.includes(origin))
    throw new TypeError('`origin` of a caller must be "llm", "api" or "system"');
  const caller: Caller = Object.freeze({
    ...named("tenant", tenant),
    ...named("subject", subject),
    ...named("trace", trace),
    ...(origin !== undefined && { origin }),
    ...listed("scopes", scopes),
    ...listed("roles", roles),
  });
  own.add(caller);
  return caller;
}

function named(field: string, value: unknown): { readonly [field: string]: string } {
  return value === undefined ? {} : { [field]: requireName(field, value) };
}

function listed(field: string, values: unknown): { readonly [field: string]: readonly string[] } {
  if (values === undefined) return {};
  if (!Array.isArray(values) || values.length > maxNames)
    throw new TypeError(`\`${field}\` of a caller must be a list of at most ${maxNames} texts`);
  const names = values.map((each: unknown) => requireName(field, each));
  return { [field]: Object.freeze([...new Set(names)]) };
}

/** Rejects names that look like another name, and `__proto__`. */
function requireName(field: string, value: unknown): string {
  const why = whyNoName(value);
  // `whyNoName` returned no problem, so the value is a string.
  if (why === undefined) return value as string;
  throw new TypeError(`\`${field}\` of a caller ${why}`);
}

/**
 * Characters that are invisible, or that look different in each font: control, format, private-use
 * and unassigned characters, noncharacters and line separators. Also characters that are drawn
 * blank (the Braille pattern without dots, the Khitan filler, the null note head, two blank
 * hieroglyphs), and U+FFFC and U+FFFD, which stand for something else.
 */
const unclear =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}\u{13441}\u{13442}\uFFFC\uFFFD]/u;

/**
 * Explains why a value can't name a tenant, subject, scope, role, trace or step; undefined if it
 * can. The explanation contains no part of the value, because the value may be secret.
 */
export function whyNoName(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > longestName)
    return `must be text of 1 to ${longestName} characters`;
  if (value === "__proto__")
    return "can't be `__proto__`, which every JavaScript object has: use another name";
  if (!value.isWellFormed()) return "has half of a surrogate pair, which is not a character";
  if (unclear.test(value))
    return "has a control character, an invisible one, or one without a fixed meaning: remove it";
  if (/(?! )\p{Zs}/u.test(value)) return "has a space other than U+0020: use U+0020";
  if (value !== value.trim()) return "begins or ends with a space: remove it";
  if (value !== value.normalize("NFC"))
    return 'is not in Unicode form NFC: pass `name.normalize("NFC")`';
  return undefined;
}
