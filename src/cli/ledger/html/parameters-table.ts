import type {
  LedgerReport,
  ParameterComparison,
  ParameterSide,
  ParameterVerdict,
} from "@skillc/runtime/internal/ledger";
import { formatCount, formatNumber, formatShare } from "../quantities.js";
import { type Html, html, nothing } from "./html.js";

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

/** Every parameter, what shadow calls gave beside what active ones did. */
export function parametersTable({ parameters, parametersLeftOut }: LedgerReport): Html {
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

/** Of values that are hardly ever the same twice, two are enough to see what they look like. */
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
