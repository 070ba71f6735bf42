import type { PollLimits } from "./binding.js";

/** Limits of polls for bindings that set none. */
export const usualPollLimits: PollLimits = { timeoutMs: 60_000, mostPolls: 100 };
