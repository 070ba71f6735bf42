import { type HttpReach, httpReach, type Reach } from "../../../runtime/sink.js";
import { placeholder } from "./record.js";
import { readRegistryUrl } from "./registry/registry-url.js";
import type { OpenedTexts } from "./sealed.js";

export interface QueueReach extends Reach {
  readonly kind: "queue";
  readonly provider: string;
  /** `orders.created`; `orders/created` for an exchange and its routing key. */
  readonly target: string;
}

/** @param names what decides where a message goes, each as `escapedName` writes it */
export function queueReach(provider: string, names: readonly string[]): QueueReach {
  const target = names.join("/");
  return { kind: "queue", capabilities: [`queue:send ${provider} ${target}`], provider, target };
}

/** A name in which nothing can be taken for what parts names, or for a placeholder. */
export function escapedName(name: string): string {
  return name.replaceAll(/[\s/%{}]/gu, (each) => encodeURIComponent(each));
}

/** The parts of targets that decide where a message goes, in this order: the others say how. */
const places = ["exchange", "routing_key", "topic", "stream"] as const;

/** The names in a target. The default exchange goes without saying: the routing key is the name of a queue. */
export function namesIn(target: OpenedTexts["target"]): readonly string[] {
  const names = places.flatMap((place) => target[place] ?? []).map(String);
  return names.filter((name) => name !== "").map(escapedName);
}

/** Where a schema's id is asked for. */
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
