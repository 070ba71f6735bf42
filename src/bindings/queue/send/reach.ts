import { type HttpReach, httpReach, type Reach } from "../../../runtime/executor.js";
import type { TargetNames } from "./name-rules.js";
import { placeholder } from "./record.js";
import { readRegistryUrl } from "./registry/address.js";
import type { OpenedTexts } from "./sealed.js";

export interface QueueReach extends Reach {
  readonly kind: "queue";
  readonly provider: string;
  /** `orders.created`; `orders/created` for an exchange and its routing key. */
  readonly target: string;
}

/** @param names names that decide where a message goes, each escaped by `escapedName` */
export function queueReach(provider: string, names: readonly string[]): QueueReach {
  const target = names.join("/");
  return { kind: "queue", capabilities: [`queue:send ${provider} ${target}`], provider, target };
}

/** Escapes a name, so that no character can pass for a separator or a placeholder. */
export function escapedName(name: string): string {
  return name.replaceAll(/[\s/%{}]/gu, (each) => encodeURIComponent(each));
}

/**
 * Returns the names in a target, in order, without empty ones: RabbitMQ's default exchange uses the
 * routing key as the name of a queue.
 */
export function namesIn(
  target: OpenedTexts["target"],
  { rulesOf }: TargetNames,
): readonly string[] {
  const names = Object.keys(rulesOf(target)).map((field) => String(target[field] ?? ""));
  return names.filter((name) => name !== "").map(escapedName);
}

/** Returns the capability for asking a schema registry. */
export function registryReach(name: string, open?: (name: string) => string): HttpReach {
  const base = open === undefined ? placeholder(name) : baseOf(open(name));
  const [origin = "", path = ""] = /^(.*?:\/\/[^/]*)(.*)$/s.exec(base)?.slice(1) ?? [base];
  return httpReach("POST", origin, `${path}/subjects`);
}

function baseOf(url: string): string {
  try {
    return readRegistryUrl(url).base;
  } catch {
    return "";
  }
}
