import type { TargetNames } from "../../send/name-rules.js";

export const redisNames: TargetNames = {
  // Redis accepts any text as a key.
  rulesOf: () => ({ stream: { what: "a stream", isPlace: true } }),
  registrySubject: "stream",
};
