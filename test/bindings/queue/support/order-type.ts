import protobuf from "protobufjs";
import { repository } from "../../../support/repository.js";

const skill = `${repository}skills/order-events/`;

/**
 * A message of skills/order-events in protobufjs' own form.
 *
 * @param name in orders.proto: `LabelRequested`
 */
export function orderType(name: string): protobuf.Type {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) =>
    target.startsWith("google/") || target.startsWith(skill) ? target : skill + target;
  return root.loadSync("proto/orders.proto", { keepCase: true }).lookupType(`acme.orders.${name}`);
}
