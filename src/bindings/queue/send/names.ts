import { RefusedValue } from "../../../runtime/sink.js";
import type { CredentialReference } from "../../../runtime/values/text.js";
import { RefusedMessage } from "./faults.js";
import type { Answer } from "./publish.js";
import type { OpenedTexts, Sealed } from "./sealed.js";
import { isParameter, isTargetName, textsOf } from "./target-name.js";

/** What a broker takes for a name. */
interface NameRule {
  /** `a topic` */
  readonly what: string;
  /** Kafka's `Topic.validate`. */
  readonly isTopic?: true;
  /** Whether nothing is a name too. */
  readonly mayBeEmpty?: boolean;
  readonly mostBytes?: number;
}

/** AMQP 0-9-1's short string. */
const short = { mostBytes: 255 };

const queueRule: NameRule = { what: "a queue", ...short };

const rules = new Map<string, NameRule>([
  ["topic", { what: "a topic", isTopic: true, mostBytes: 249 }],
  ["exchange", { what: "an exchange", ...short }],
  // Exchanges that route by nothing, or by headers, are given none.
  ["routing_key", { what: "a routing key", ...short, mayBeEmpty: true }],
  ["stream", { what: "a stream" }],
]);

/**
 * Holds the parameters in a target's names to what the broker takes. What a credential puts in is not known yet.
 *
 * @param target of a publication
 * @throws RefusedValue for the parameter that makes no name
 */
export function requireNames(target: object): void {
  for (const [field, name] of Object.entries(target)) {
    const rule = isTargetName(name) ? ruleOf(field, target) : undefined;
    if (rule === undefined) continue;
    const parameters = name.parts.filter(isParameter);
    for (const [pointer, value] of parameters)
      refuse(field, pointer, partFault(rule, String(value)));
    const known = textsOf(name).filter((text) => typeof text === "string");
    const isWhole = known.length === name.parts.length;
    const [only, ...others] = parameters;
    const pointer = others.length === 0 ? (only?.[0] ?? "") : "";
    refuse(field, pointer, wholeFault(rule, known.join(""), isWhole));
  }
}

function refuse(field: string, pointer: string, fault: string | undefined): void {
  if (fault !== undefined) throw new RefusedValue(pointer, field.replace("_", "-"), fault);
}

/**
 * Holds the names that credentials are a part of to the same, once they are known.
 *
 * @throws RefusedMessage that names the credentials, and has nothing of their values
 */
export function requireOpenedNames(
  { credentials, target }: Sealed,
  reveal: (reference: CredentialReference) => string,
): void {
  if (credentials.length === 0) return;
  for (const [field, name] of Object.entries(target)) {
    const rule = typeof name === "object" ? ruleOf(field, target) : undefined;
    if (rule === undefined || typeof name !== "object") continue;
    const references = name.filter((part) => typeof part !== "string");
    for (const each of references) refuseOpened([each], partFault(rule, reveal(each)));
    const whole = name.map((part) => (typeof part === "string" ? part : reveal(part))).join("");
    refuseOpened(references, wholeFault(rule, whole, true));
  }
}

function refuseOpened(references: readonly CredentialReference[], fault: string | undefined): void {
  if (fault === undefined) return;
  const names = [...new Set(references.map(({ name }) => `\`\${${name}}\``))];
  throw new RefusedMessage(`${names.join(" and ")} ${fault}`);
}

/** The default exchange takes a routing key for the name of a queue. */
function ruleOf(field: string, target: object): NameRule | undefined {
  const rule = rules.get(field);
  const isQueue = field === "routing_key" && "exchange" in target && target.exchange === "";
  return isQueue ? queueRule : rule;
}

/** Goes on from what was put into a name. */
function partFault({ isTopic, mayBeEmpty, what }: NameRule, text: string): string | undefined {
  if (text === "" && !mayBeEmpty) return `must not be empty in ${what}`;
  if (isTopic && !/^[\w.-]*$/.test(text))
    return `must hold only letters, digits, \`.\`, \`_\` and \`-\` in ${what}`;
  return text.isWellFormed() ? undefined : `must be well-formed Unicode in ${what}`;
}

/** @param isWhole whether the text is all of the name */
function wholeFault(
  { isTopic, mostBytes = Infinity, what }: NameRule,
  text: string,
  isWhole: boolean,
): string | undefined {
  if (isTopic && isWhole && (text === "." || text === ".."))
    return `must not make ${what} of nothing but dots`;
  return Buffer.byteLength(text) > mostBytes
    ? `must not make ${what} longer than ${mostBytes} bytes`
    : undefined;
}

/**
 * The answer with `${NAME}` where a credential is a part of a name: receipts are kept, and given to models.
 *
 * @param shown the target with credentials as their names
 */
export function shownAnswer(
  answer: Answer,
  { credentials, target }: Sealed,
  shown: () => OpenedTexts["target"],
): Answer {
  if (credentials.length === 0) return answer;
  const names = Object.entries(shown()).filter(([field]) => typeof target[field] === "object");
  return withNames(answer, names);
}

/** The answer with other names in it, where it has any of that field. */
export function withNames(
  answer: Answer,
  names: readonly (readonly [field: string, name: string | number])[],
): Answer {
  const place = answer.status === "unroutable" ? answer.error : answer.data;
  const replaced = Object.fromEntries(names.filter(([field]) => field in place));
  return answer.status === "unroutable"
    ? { ...answer, error: { ...answer.error, ...replaced } }
    : { ...answer, data: { ...answer.data, ...replaced } };
}
