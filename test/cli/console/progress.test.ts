import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgressLine } from "../../../src/cli/console/progress.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function terminal(isTTY = true) {
  let text = "";
  const stderr = { isTTY, columns: 80, write: (more: string) => void (text += more) };
  const line = createProgressLine({ stderr, env: { NO_COLOR: "1" } });
  // Each drawing begins by clearing the line.
  const drawn = () => text.split("\r\u001b[2K").filter((each) => each !== "");
  return { line, drawn, all: () => text };
}

test("a message appears if the work after it takes long", () => {
  const { line, drawn } = terminal();
  line.show({ stage: "starting PostgreSQL", done: 0, total: 3 });
  vi.advanceTimersByTime(250);
  expect(drawn()).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(drawn()).toEqual(["… starting PostgreSQL 0/3"]);
});

test("the latest of many messages appears, not each", () => {
  const { line, drawn } = terminal();
  vi.advanceTimersByTime(1000);
  for (let done = 0; done < 50; done += 1) line.show({ stage: `skill ${done}` });
  vi.advanceTimersByTime(1000);
  expect(drawn().map((each) => each.trim())).toEqual(["… skill 0", "… skill 49"]);
});

test("nothing remains of the line, and nothing appears later", () => {
  const { line, all } = terminal();
  vi.advanceTimersByTime(1000);
  line.show({ stage: "one" });
  line.show({ stage: "two" });
  line.clear();
  expect(all().endsWith("\r\u001b[2K")).toBe(true);
  const before = all();
  vi.advanceTimersByTime(1000);
  expect(all()).toBe(before);
});

test("nothing appears if nobody watches", () => {
  const { line, all } = terminal(false);
  line.show({ stage: "starting" });
  vi.advanceTimersByTime(1000);
  line.clear();
  expect(all()).toBe("");
});
