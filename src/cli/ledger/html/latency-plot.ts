import type { LatencyHistogram, LatencySummary } from "@skillc/runtime/internal/ledger";
import { formatMs, formatNumber } from "../quantities.js";
import { type Html, html, nothing } from "./html.js";

/** In SVG user units; the page scales plots to their column. */
const width = 560;
const left = 8;
const right = width - 8;

const latencyHeight = 214;
/** The line that both sides stand on. */
const middle = 100;
const tallest = 68;

/** Two histograms, back to back: shadow above, active below. */
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

/** Each side has its own scale: the shapes are compared, not the amounts. */
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

/** Lines at the quantiles, their names beyond the bars: the median's nearer, the other's farther out, so that they never meet. */
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
  // All names lie upon all lines.
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
