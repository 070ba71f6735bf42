import { onTestFinished, vi } from "vitest";

/**
 * Stops the clock until the test ends: timers that are set from here on fire when the test says so (`vi.advanceTimersByTimeAsync`), while sockets, files and
 * other processes go on. What ends nonetheless has waited for no time.
 */
export function stopClock(): void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
  });
  onTestFinished(() => void vi.useRealTimers());
}
