/** The entry point `@skillc/runtime/v1/queue`: what generated modules of queue tools import. */
export type {
  KafkaPublication,
  KafkaReceipt,
  QueueRecord,
  RabbitmqPublication,
  RabbitmqReceipt,
  RedisPublication,
  RedisReceipt,
  Unroutable,
} from "./contract.js";
export { credential, fitted, json, omit, pick, queue, targetName, text } from "./execute.js";
