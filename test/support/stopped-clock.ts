import { onTestFinished, vi } from "vitest";

/**
 * Stops the clock until the test ends. Timers set from now on fire only if the test advances the
 * clock (`vi.advanceTimersByTimeAsync`). Sockets, files and other processes continue, so a call
 * that still ends did not wait for a timer.
 */
export function stopClock(): void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
  });
  onTestFinished(() => void vi.useRealTimers());
}
