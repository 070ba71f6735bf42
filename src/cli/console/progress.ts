import { isInteractive, type Io, widthOf } from "../io.js";
import { paletteFor } from "./palette.js";
import { visible } from "./visible.js";

/** How far long work is. */
export interface ProgressEvent {
  readonly stage: string;
  readonly done?: number;
  readonly total?: number;
}

export interface ProgressLine {
  show(event: ProgressEvent): void;
  /** Leaves the terminal as it was. */
  clear(): void;
}

/** Shorter work than this shows nothing: a line that flickers by tells nobody anything. Milliseconds. */
const patience = 300;
/** Milliseconds between two drawings. */
const interval = 60;

const silent: ProgressLine = { show() {}, clear() {} };

/** One line at the bottom of the terminal that is overwritten as work goes on. Nothing when nobody watches. */
export function createProgressLine(io: Pick<Io, "stderr" | "env">): ProgressLine {
  if (!isInteractive(io.stderr, io.env)) return silent;
  const { dim, cyan } = paletteFor(io.stderr, io.env);
  const startedAt = performance.now();
  let drawnAt = 0;
  let drawn = false;
  return {
    show({ stage, done, total }) {
      const now = performance.now();
      if (now - startedAt < patience || now - drawnAt < interval) return;
      drawnAt = now;
      drawn = true;
      const count = done === undefined || total === undefined ? "" : `${done}/${total}`;
      const text = visible(stage).slice(0, widthOf(io.stderr) - count.length - 6);
      io.stderr.write(`\r\u001b[2K${cyan("…")} ${text} ${dim(count)}`);
    },
    clear() {
      if (drawn) io.stderr.write("\r\u001b[2K");
      drawn = false;
    },
  };
}
