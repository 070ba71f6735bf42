import type { TargetNames } from "../../send/name-rules.js";

export const redisNames: TargetNames = {
  // Any text is a key.
  rulesOf: () => ({ stream: { what: "a stream", isPlace: true } }),
  registrySubject: "stream",
};
