import type { LatencyHistogram, LatencySummary, Timeline } from "../distributions.js";
import type { Counted } from "../mode-summary.js";
import type { LedgerReport } from "../report.js";
import { formatMs, formatNumber, formatShare } from "../../quantities.js";
import { type Html, html, nothing } from "./html.js";

/** Width in SVG user units. The page scales plots to their column. */
const width = 560;
const left = 8;
const right = width - 8;

const latencyHeight = 214;
/** Position of the line between both sides. */
const middle = 100;
const tallest = 68;

/** Draws two histograms back to back: shadow above, active below. */
export function latencyPlot(
  latency: LatencyHistogram,
  shadow: LatencySummary | null,
  active: LatencySummary | null,
): Html {
  if (latency.bounds.length === 0) return html`<p class="quiet">No call was carried out.</p>`;
  return html`<svg
    viewBox="0 0 ${width} ${latencyHeight}"
    role="img"
    aria-label="Latency distribution"
  >
    ${latencyBars(latency, "shadow")} ${latencyBars(latency, "active")}
    <line class="base" x1="${left}" x2="${right}" y1="${middle}" y2="${middle}" />
    ${marks(latency, shadow, "shadow")} ${marks(latency, active, "active")} ${latencyAxis(latency)}
  </svg>`;
}

/** Each side has its own scale, to compare shapes instead of amounts. */
function latencyBars(latency: LatencyHistogram, side: "shadow" | "active"): readonly Html[] {
  const counts = latency[side];
  const step = (right - left) / counts.length;
  const most = Math.max(...counts, 1);
  return counts.map((count, index) => {
    if (count === 0) return nothing;
    const height = Math.max((count / most) * tallest, 1.5);
    const y = side === "shadow" ? middle - height : middle;
    const [from = 0, to = 0] = latency.bounds.slice(index, index + 2);
    const says = `${side}, ${formatMs(from)} to ${formatMs(to)}: ${formatNumber(count)}`;
    return html`<rect
      class="${side}"
      x="${left + index * step + 1}"
      y="${y}"
      width="${step - 2}"
      height="${height}"
      rx="1.5"
      ><title>${says}</title></rect
    >`;
  });
}

function xOf({ bounds }: LatencyHistogram, ms: number): number {
  const [low = 1] = bounds;
  const high = bounds.at(-1) ?? 1;
  const share = Math.log(Math.max(ms, low) / low) / Math.log(high / low);
  return left + (right - left) * Math.min(1, Math.max(0, share));
}

/**
 * Draws lines at the quantiles. The name of the median is nearer to the bars than the other one, so
 * that they never overlap.
 */
function marks(
  latency: LatencyHistogram,
  summary: LatencySummary | null,
  side: "shadow" | "active",
): readonly Html[] {
  if (!summary) return [];
  const outward = side === "shadow" ? -1 : 1;
  const quantiles = [
    { ms: summary.p50, name: "p50", row: 0 },
    { ms: summary.p95, name: "p95", row: 1 },
  ].map((each) => ({
    ...each,
    x: xOf(latency, each.ms),
    tip: middle + outward * (tallest + 8 + each.row * 15),
  }));
  // Names are drawn last, above all lines.
  return [
    ...quantiles.map(
      ({ x, tip }) =>
        html`<line class="mark" x1="${x}" x2="${x}" y1="${middle}" y2="${tip + outward * 6}" />`,
    ),
    ...quantiles.map(({ ms, name, x, tip }) => {
      const end = x > width / 2;
      return html`<text
        class="axis"
        x="${x + (end ? -5 : 5)}"
        y="${tip + 4}"
        text-anchor="${end ? "end" : "start"}"
        >${`${side} ${name} ${formatMs(ms)}`}</text
      >`;
    }),
  ];
}

function latencyAxis(latency: LatencyHistogram): readonly Html[] {
  const [low = 1] = latency.bounds;
  const high = latency.bounds.at(-1) ?? 1;
  return [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
    const ms = low * (high / low) ** share;
    return html`<text
      class="axis"
      x="${left + (right - left) * share}"
      y="${latencyHeight}"
      text-anchor="${anchor}"
      >${formatMs(ms)}</text
    >`;
  });
}

/** Draws one bar for each mode, with its statuses side by side. */
export function statusPlot({ shadow, active }: LedgerReport): Html {
  const names = [...new Set([...shadow.statuses, ...active.statuses].map((each) => each.value))];
  const classes = new Map(names.map((name, index) => [name, statusClass(name, index)]));
  const bars = [
    { label: "shadow", statuses: shadow.statuses, y: 22 },
    { label: "active", statuses: active.statuses, y: 82 },
  ];
  return html`<svg viewBox="0 0 ${width} 118" role="img" aria-label="Status distribution">
      ${bars.map(
        ({ label, statuses, y }) =>
          html`<text class="label" x="${left}" y="${y - 8}">${label}</text>${
              statuses.length === 0
                ? html`<rect
                      class="empty"
                      x="${left}"
                      y="${y}"
                      width="${right - left}"
                      height="30"
                      rx="4"
                    />
                    <text class="axis" x="${width / 2}" y="${y + 20}" text-anchor="middle"
                      >no calls</text
                    >`
                : segments(statuses, classes, y)
            }`,
      )}
    </svg>
    <ul class="legend">
      ${names.map((name) => html`<li><i class="${classes.get(name) ?? ""}"></i>${name}</li>`)}
    </ul>`;
}

function segments(
  statuses: readonly Counted[],
  classes: ReadonlyMap<string, string>,
  y: number,
): readonly Html[] {
  let x = left;
  return statuses.map(({ value, count, share }) => {
    const length = (right - left) * share;
    const at = x;
    x += length;
    const says = `${value}: ${formatNumber(count)} (${formatShare(share)})`;
    return html`<g
      ><title>${says}</title
      ><rect
        class="${classes.get(value) ?? ""}"
        x="${at}"
        y="${y}"
        width="${Math.max(length - 2, 1)}"
        height="30"
        rx="4"
      />${
        length > 54
          ? html`<text class="inside" x="${at + length / 2}" y="${y + 20}" text-anchor="middle"
              >${formatShare(share)}</text
            >`
          : nothing
      }</g
    >`;
  });
}

function statusClass(status: string, index: number): string {
  const known: { readonly [status: string]: string } = {
    success: "good",
    shadow: "shadow",
    failed: "bad",
    error: "bad2",
    unknown: "odd",
  };
  return Object.hasOwn(known, status) ? (known[status] ?? "") : `other${index % 4}`;
}

/** Width in SVG user units. The page scales plots to their column. */
const timelineWidth = 1152;
const timelineHeight = 150;
const floor = 120;

/** Draws calls over time, with active ones above shadow ones. */
export function timelinePlot(timeline: Timeline): Html {
  if (timeline.from === null) return nothing;
  const { shadow, active } = timeline;
  const most = Math.max(...shadow.map((count, index) => count + (active[index] ?? 0)), 1);
  const span = timelineWidth - 16;
  // Limits the width of bars, because a few bars over the whole width would look like slabs.
  const step = Math.min(span / shadow.length, 48);
  const startMs = Date.parse(timeline.from);
  const bars = shadow.map((count, index) => {
    const more = active[index] ?? 0;
    if (count + more === 0) return nothing;
    const scale = (each: number) => (each / most) * (floor - 22);
    const x = left + index * step + 1;
    const says = `${timeLabel(startMs + index * timeline.bucketMs, timeline.bucketMs)}: ${formatNumber(count)} shadow, ${formatNumber(more)} active`;
    return html`<g
      ><title>${says}</title
      ><rect
        class="shadow"
        x="${x}"
        y="${floor - scale(count)}"
        width="${step - 2}"
        height="${scale(count)}"
        rx="1.5" /><rect
        class="active"
        x="${x}"
        y="${floor - scale(count) - scale(more)}"
        width="${step - 2}"
        height="${Math.max(scale(more) - 1, 0)}"
        rx="1.5"
    /></g>`;
  });
  return html`<svg
    viewBox="0 0 ${timelineWidth} ${timelineHeight}"
    role="img"
    aria-label="Calls over time"
  >
    <line class="grid" x1="${left}" x2="${timelineWidth - 8}" y1="22" y2="22" />
    <text class="axis" x="${timelineWidth - 8}" y="15" text-anchor="end">
      ${formatNumber(most)} in ${bucketName(timeline.bucketMs)}
    </text>
    ${bars}
    <line class="base" x1="${left}" x2="${timelineWidth - 8}" y1="${floor}" y2="${floor}" />
    ${timelineAxis(timeline, startMs, step)}
  </svg>`;
}

function timelineAxis(timeline: Timeline, startMs: number, step: number): readonly Html[] {
  const every = Math.max(1, Math.ceil(110 / step));
  return timeline.shadow.flatMap((_, index) => {
    const x = left + index * step;
    if (index % every !== 0 || x > timelineWidth - 90) return [];
    return [
      html`<line class="base" x1="${x}" x2="${x}" y1="${floor}" y2="${floor + 5}" /><text
          class="axis"
          x="${x}"
          y="${floor + 20}"
          >${timeLabel(startMs + index * timeline.bucketMs, timeline.bucketMs)}</text
        >`,
    ];
  });
}

function bucketName(ms: number): string {
  const units = [
    { ms: 86_400_000, name: "day" },
    { ms: 3_600_000, name: "hour" },
    { ms: 60_000, name: "minute" },
    { ms: 1000, name: "second" },
  ];
  const unit = units.find((each) => ms >= each.ms) ?? { ms: 1, name: "millisecond" };
  const count = Math.round(ms / unit.ms);
  return count === 1 ? `one ${unit.name}` : `${formatNumber(count)} ${unit.name}s`;
}

const day = 86_400_000;

/** Prints the start of a bucket in UTC, as exactly as its width requires. */
function timeLabel(ms: number, bucketMs: number): string {
  const date = new Date(ms);
  // `Date` doesn't know these years.
  if (Number.isNaN(date.getTime())) return "";
  const iso = date.toISOString();
  const clock = bucketMs < 60_000 ? iso.slice(11, 19) : iso.slice(11, 16);
  if (bucketMs >= day) return iso.slice(0, 10);
  return `${iso.slice(5, 10)} ${clock}`;
}
