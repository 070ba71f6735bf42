import type { Counted, LedgerReport } from "@skillc/runtime/internal/ledger";
import { formatNumber, formatShare } from "../quantities.js";
import { type Html, html, nothing } from "./html.js";

/** In SVG user units; the page scales plots to their column. */
const width = 560;
const left = 8;
const right = width - 8;

/** One bar a mode, its statuses side by side. */
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
