import type { Target } from "../../contract.js";
import { RefusedMessage } from "../faults.js";
import type { OpenedTexts } from "../sealed.js";
import { writtenName } from "../names/target-name.js";

/** What a registry keeps the versions of a schema under. */
export interface Subject {
  readonly name: string;
  /** As the author wrote it, without the values of parameters and credentials. */
  readonly shown: string;
}

/**
 * The registry's own naming: `<topic>-value`.
 *
 * @param target with every credential put in
 * @param written the same as the contract made it
 * @throws RefusedMessage for an empty name, which RabbitMQ takes for a routing key: all such messages would share a subject
 */
export function subjectOf(
  { routing_key: routingKey, stream, topic }: OpenedTexts["target"],
  written: Target,
): Subject {
  const name = topic ?? stream ?? routingKey ?? "";
  if (name === "")
    throw new RefusedMessage("the routing key is empty, and names the schema registry's subject");
  return { name: `${name}-value`, shown: `${shownName(written)}-value` };
}

function shownName(target: Target): string {
  if ("topic" in target) return writtenName(target.topic);
  return writtenName("stream" in target ? target.stream : target.routing_key);
}
