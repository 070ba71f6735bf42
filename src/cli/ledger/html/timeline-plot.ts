import type { Timeline } from "@skillc/runtime/internal/ledger";
import { formatNumber } from "../quantities.js";
import { type Html, html, nothing } from "./html.js";
import { timeLabel } from "./time-label.js";

/** In SVG user units; the page scales plots to their column. */
const left = 8;
const timelineWidth = 1152;
const timelineHeight = 150;
const floor = 120;

/** Calls over time, active upon shadow. */
export function timelinePlot(timeline: Timeline): Html {
  if (timeline.from === null) return nothing;
  const { shadow, active } = timeline;
  const most = Math.max(...shadow.map((count, index) => count + (active[index] ?? 0)), 1);
  const span = timelineWidth - 16;
  // A few buckets drawn over the whole width would be slabs.
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
