/** The entry point `skillc/runtime/queue`: what generated modules of queue tools import. */
export type {
  KafkaReceipt,
  QueueRecord,
  RabbitmqReceipt,
  RedisReceipt,
  Unroutable,
} from "./contract.js";
export { credential, json, omit, pick, queue, text } from "./execute.js";
