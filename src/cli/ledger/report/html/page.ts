import type { ModeSummary } from "../mode-summary.js";
import type { LedgerReport } from "../report.js";
import type { ParameterComparison, ParameterSide, ParameterVerdict } from "../parameters.js";
import { formatCount, formatMs, formatNumber, formatShare, formatTime } from "../../quantities.js";
import { Html, html, nothing } from "./html.js";
import { latencyPlot, statusPlot, timelinePlot } from "./plots.js";
import { style } from "./style.js";

/**
 * Renders one self-contained page without scripts and external resources, in the light or dark
 * style of the reader's system.
 *
 * @param options.made time of the report
 */
export function renderReportHtml(
  reports: readonly LedgerReport[],
  options: { readonly made: Date },
): string {
  const calls = reports.reduce((sum, each) => sum + each.shadow.calls + each.active.calls, 0);
  const [only] = reports;
  const title =
    reports.length === 1 && only
      ? `${only.skill}/${only.tool}: shadow and active calls`
      : "Shadow and active calls";
  return `${html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="generator" content="skillc" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>
          ${sheet}
        </style>
      </head>
      <body>
        <main>
          <header>
            <h1>Shadow and active calls</h1>
            <p>
              ${formatCount(calls, "call")} of ${formatCount(reports.length, "tool")}, from the
              ledger as of ${formatTime(options.made.toISOString())} UTC.
            </p>
            <div class="key">
              <span><i class="shadow"></i>shadow: recorded, writes not sent</span
              ><span><i class="active"></i>active: sent</span>
            </div>
          </header>
          ${reports.length > 1 ? contents(reports) : nothing} ${reports.map(toolSection)}
        </main>
      </body>
    </html>`}\n`;
}

/** Checks if a file is a report page. */
export function isReportHtml(text: string): boolean {
  return text.slice(0, 300).includes('<meta name="generator" content="skillc" />');
}

/** The style is skillc's own text, and escaping would break its quotes. */
const sheet = new Html(Object.assign([style], { raw: [style] }), []);

function contents(reports: readonly LedgerReport[]): Html {
  return html`<nav class="card scroll">
    <table>
      <thead>
        <tr>
          <th>tool</th>
          <th class="number">shadow</th>
          <th class="number">active</th>
          <th class="number">to look at</th>
        </tr>
      </thead>
      <tbody>
        ${reports.map(
          (each, index) =>
            html`<tr>
              <td><a href="#tool-${index + 1}">${each.skill}/${each.tool}</a></td>
              <td class="number">${formatNumber(each.shadow.calls)}</td>
              <td class="number">${formatNumber(each.active.calls)}</td>
              <td class="number">
                ${formatNumber(each.findings.filter((finding) => finding.level !== "note").length)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </nav>`;
}

function toolSection(report: LedgerReport, index: number): Html {
  const { shadow, active, latency, timeline } = report;
  return html`<section id="tool-${index + 1}">
    <h2><small>${report.skill}/</small>${report.tool}</h2>
    <p class="kind">${report.kind}, ${report.effect}</p>
    ${findings(report)}
    <div class="tiles">
      ${tile("calls", report, (side) => (side.calls === 0 ? undefined : formatNumber(side.calls)))}
      ${tile("median latency", report, (side) => side.latency && formatMs(side.latency.p50))}
      ${tile("95th percentile", report, (side) => side.latency && formatMs(side.latency.p95))}
      ${tile("failed or unknown", report, (side) => (side.calls === 0 ? undefined : formatShare(troubled(side))))}
    </div>
    <div class="grid">
      <figure class="card">
        <h3>Status</h3>
        ${statusPlot(report)}
      </figure>
      <figure class="card">
        <h3>Latency</h3>
        ${latencyPlot(latency, shadow.latency, active.latency)}
      </figure>
      <figure class="card wide">
        <h3>Calls over time (UTC)</h3>
        ${timelinePlot(timeline)}
      </figure>
      ${parametersTable(report)}
    </div>
  </section>`;
}

function troubled(side: ModeSummary): number {
  return side.statuses
    .filter((each) => each.value === "failed" || each.value === "unknown")
    .reduce((sum, each) => sum + each.share, 0);
}

function findings({ findings: all }: LedgerReport): Html {
  if (all.length === 0) return nothing;
  return html`<ul class="findings">
    ${all.map((each) => html`<li class="${each.level}"><b>${each.level}</b><span>${quoted(each.message)}</span></li>`)}
  </ul>`;
}

/** Renders text in backticks as code. */
function quoted(message: string): readonly Html[] {
  return message
    .split("`")
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}

function tile(
  name: string,
  report: LedgerReport,
  of: (side: ModeSummary) => string | null | undefined,
): Html {
  const row = (mode: "shadow" | "active") => {
    const value = of(report[mode]);
    return html`<dt><i class="${mode}"></i>${mode}</dt>
      <dd class="${value ? "" : "none"}">${value ?? "–"}</dd>`;
  };
  return html`<div class="card tile">
    <h3>${name}</h3>
    <dl>${row("shadow")}${row("active")}</dl>
  </div>`;
}

const verdicts: { readonly [Verdict in ParameterVerdict]: string } = {
  "only-shadow": "only in shadow",
  "only-active": "only in active",
  types: "other type",
  presence: "given differently",
  values: "other values",
  "new-values": "new values",
  range: "out of range",
  alike: "alike",
  uncompared: "",
};

/** Table of all parameters, with shadow values beside active ones. */
function parametersTable({ parameters, parametersLeftOut }: LedgerReport): Html {
  if (parameters.length === 0) return nothing;
  return html`<div class="card wide">
    <h3>Parameters</h3>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>parameter</th>
            <th></th>
            <th>shadow</th>
            <th>active</th>
          </tr>
        </thead>
        <tbody>
          ${parameters.map(row)}
        </tbody>
      </table>
    </div>
    ${
      parametersLeftOut === 0
        ? nothing
        : html`<p class="quiet">
            ${formatCount(parametersLeftOut, "further path was", "further paths were")} not
            followed.
          </p>`
    }
  </div>`;
}

function row(each: ParameterComparison): Html {
  return html`<tr>
    <td class="path"><code>${each.path}</code></td>
    <td class="verdict"><span class="pill ${each.verdict}">${verdicts[each.verdict]}</span></td>
    <td class="side">${side(each.shadow, "shadow")}</td>
    <td class="side">${side(each.active, "active")}</td>
  </tr>`;
}

function side(of: ParameterSide, mode: "shadow" | "active"): Html {
  if (of.calls === 0) return html`<p class="fact">never given</p>`;
  return html`<p class="fact">${facts(of)}</p>
    <ul class="values">
      ${of.top.slice(0, shown(of)).map(
        ({ value, count, share }) =>
          html`<li title="${formatNumber(count)} times">
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect class="${mode}" width="${share * 100}" height="1" /></svg
            ><code>${value}</code><span class="share">${formatShare(share)}</span>
          </li>`,
      )}
    </ul>`;
}

/** Chooses the number of examples. If values rarely repeat, two suffice. */
function shown(of: ParameterSide): number {
  const [top] = of.top;
  return top !== undefined && of.distinct > 8 && top.share < 0.02 ? 2 : of.top.length;
}

function facts(of: ParameterSide): string {
  const range =
    of.min === null || of.max === null || of.min === of.max ? "" : `, ${of.min} to ${of.max}`;
  const distinct = `${formatNumber(of.distinct)}${of.distinctMore ? "+" : ""} ${of.distinct === 1 ? "value" : "different"}`;
  return `${of.types.join(" or ")} in ${formatShare(of.share)} of calls, ${distinct}${range}`;
}
