/**
 * The entry point `@skillc/runtime/internal/queue`: rules of names that the compiler checks and the
 * runtime applies.
 */
export {
  foreignCharacter,
  isTooLong,
  type NameRule,
  type NameRules,
  brokenCompleteRule,
  separatorsIn,
  separatorWithin,
  type TargetNames,
} from "./send/name-rules.js";
export { kafkaNames } from "./providers/kafka/names.js";
export { natsNames } from "./providers/nats/names.js";
export { rabbitmqNames } from "./providers/rabbitmq/names.js";
export { redisNames } from "./providers/redis/names.js";
export { escapedName, queueReach } from "./send/reach.js";
