import { isInteractive, type Io, widthOf } from "../io.js";
import { paletteFor } from "./palette.js";
import { visible } from "./visible.js";

/** Progress of long work. */
export interface ProgressEvent {
  readonly stage: string;
  readonly done?: number;
  readonly total?: number;
}

export interface ProgressLine {
  show(event: ProgressEvent): void;
  /** Removes the progress line from the terminal. */
  clear(): void;
}

/** Delay before the first drawing, in milliseconds. A flickering line can't be read. */
const delayMs = 300;
/** Time between two drawings, in milliseconds. */
const intervalMs = 60;

const silent: ProgressLine = { show() {}, clear() {} };

/**
 * One line at the bottom of the terminal, overwritten while work continues. Shows nothing if the
 * output is not a terminal.
 */
export function createProgressLine(io: Pick<Io, "stderr" | "env">): ProgressLine {
  if (!isInteractive(io.stderr, io.env)) return silent;
  const { dim, cyan } = paletteFor(io.stderr, io.env);
  let next = performance.now() + delayMs;
  let latest: ProgressEvent | undefined;
  let timer: NodeJS.Timeout | undefined;
  let drawn = false;
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (latest === undefined) return;
    next = performance.now() + intervalMs;
    drawn = true;
    const { stage, done, total } = latest;
    const count = done === undefined || total === undefined ? "" : `${done}/${total}`;
    const text = visible(stage).slice(0, widthOf(io.stderr) - count.length - 6);
    io.stderr.write(`\r\u001b[2K${cyan("…")} ${text} ${dim(count)}`);
  };
  return {
    show(event) {
      latest = event;
      const wait = next - performance.now();
      if (wait <= 0) draw();
      // Also show work that then reports nothing for a while, such as the start of an engine.
      else timer ??= setTimeout(draw, wait).unref();
    },
    clear() {
      clearTimeout(timer);
      latest = undefined;
      if (drawn) io.stderr.write("\r\u001b[2K");
      drawn = false;
    },
  };
}
