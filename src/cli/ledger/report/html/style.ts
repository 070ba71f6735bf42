/** Style of the page. It loads no font, image or style sheet. */
export const style = `
:root { color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d1f24; --soft: #5f6672; --faint: #9aa1ac; --line: #e6e3dd;
  --shadow: #6a5acd; --shadow-soft: #eceafa; --active: #0f9d8a; --active-soft: #e0f4f0;
  --good: #2f9e5b; --bad: #d1435b; --bad2: #e07b53; --odd: #a855c8;
  --other0: #d9a021; --other1: #4a90d9; --other2: #b8795a; --other3: #7f8c9d;
  --stop: #d1435b; --stop-soft: #fdecef; --look: #b7791f; --look-soft: #fdf5e3; --inside: #ffffff; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14161a; --card: #1b1e24; --ink: #e8e9ec; --soft: #a2a9b5; --faint: #6d7583; --line: #2b3039;
  --shadow: #9a8cf5; --shadow-soft: #29264a; --active: #3fc7b1; --active-soft: #14362f;
  --good: #4cc07c; --bad: #f0708a; --bad2: #f09a76; --odd: #c98be3;
  --other0: #e6b94a; --other1: #74aeea; --other2: #cf9a80; --other3: #97a3b3;
  --stop: #f0708a; --stop-soft: #3a1d26; --look: #e6b94a; --look-soft: #362c14; --inside: #14161a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 1180px; margin: 0 auto; padding: 48px 28px 96px; }
header p { color: var(--soft); margin: 4px 0 0; max-width: 70ch; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -.02em; margin: 0; font-weight: 680; }
h2 { font-size: 23px; line-height: 1.25; letter-spacing: -.015em; margin: 0; font-weight: 650; overflow-wrap: anywhere; }
h2 small { font-weight: 400; color: var(--faint); font-size: 23px; }
h3 { font-size: 12px; letter-spacing: .07em; text-transform: uppercase; color: var(--soft); margin: 0 0 14px; font-weight: 600; }
section { margin-top: 56px; }
.kind { color: var(--soft); margin: 2px 0 20px; }
.key { display: inline-flex; gap: 18px; margin-top: 16px; color: var(--soft); }
.key i, .legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px 22px; min-width: 0; margin: 0; }
.grid { display: grid; gap: 16px; grid-template-columns: repeat(2, minmax(0, 1fr)); margin-top: 16px; }
.tiles { display: grid; gap: 16px; grid-template-columns: repeat(4, minmax(0, 1fr)); margin-top: 16px; }
.wide { grid-column: 1 / -1; }
.tile dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0; align-items: baseline; }
.tile dt { color: var(--soft); }
.tile dt i { display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 7px; }
.tile dd { margin: 0; text-align: right; font-size: 20px; font-weight: 620; letter-spacing: -.01em; white-space: nowrap; }
.tile dd.none { color: var(--faint); font-weight: 400; }
i.shadow { background: var(--shadow); } i.active { background: var(--active); }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font: 12px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; font-variant-numeric: tabular-nums; }
svg .axis { fill: var(--faint); paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; } svg .label { fill: var(--soft); font-weight: 600; } svg .inside { fill: var(--inside); font-weight: 600; }
svg .base { stroke: var(--faint); stroke-width: 1; } svg .grid { stroke: var(--line); stroke-dasharray: 3 4; }
svg .mark { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 2 3; opacity: .55; }
svg .empty { fill: var(--line); }
svg .shadow { fill: var(--shadow); } svg .active { fill: var(--active); }
svg .good { fill: var(--good); } svg .bad { fill: var(--bad); } svg .bad2 { fill: var(--bad2); } svg .odd { fill: var(--odd); }
svg .other0 { fill: var(--other0); } svg .other1 { fill: var(--other1); } svg .other2 { fill: var(--other2); } svg .other3 { fill: var(--other3); }
i.good { background: var(--good); } i.bad { background: var(--bad); } i.bad2 { background: var(--bad2); } i.odd { background: var(--odd); }
i.other0 { background: var(--other0); } i.other1 { background: var(--other1); } i.other2 { background: var(--other2); } i.other3 { background: var(--other3); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 10px 0 0; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.findings { list-style: none; padding: 0; margin: 0; display: grid; gap: 6px; }
.findings li { display: grid; grid-template-columns: 54px minmax(0, 1fr); gap: 12px; padding: 7px 14px; border-radius: 9px; overflow-wrap: anywhere; }
.findings b { font-size: 11px; letter-spacing: .06em; text-transform: uppercase; line-height: 23px; }
.findings .stop { background: var(--stop-soft); } .findings .stop b { color: var(--stop); }
.findings .look { background: var(--look-soft); } .findings .look b { color: var(--look); }
.findings .note { color: var(--soft); padding-block: 2px; } .findings .note b { color: var(--faint); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; min-width: 720px; }
th { text-align: left; font-weight: 500; color: var(--faint); font-size: 13px; padding: 0 16px 8px 0; }
td { border-top: 1px solid var(--line); padding: 12px 16px 12px 0; vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; }
tbody tr:first-child td { border-top-color: var(--faint); }
code { font: 13px/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
td.path { width: 20%; } td.verdict { width: 110px; } td.side { width: 33%; }
.pill { display: inline-block; font-size: 12px; line-height: 20px; padding: 0 9px; border-radius: 10px; background: var(--look-soft); color: var(--look); white-space: nowrap; }
.pill.types { background: var(--stop-soft); color: var(--stop); } .pill.alike { background: var(--active-soft); color: var(--active); }
.pill.uncompared { background: none; color: var(--faint); padding: 0; }
.fact { color: var(--soft); font-size: 13px; margin: 0 0 4px; }
.values { list-style: none; padding: 0; margin: 0; }
.values li { position: relative; display: flex; justify-content: space-between; gap: 12px; padding: 1px 8px; margin-bottom: 2px; border-radius: 5px; overflow: hidden; font-size: 13px; }
.values li > * { position: relative; } .values .share { color: var(--soft); white-space: nowrap; }
.values svg { position: absolute; inset: 0; width: 100%; height: 100%; } .values code { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.values rect.shadow { fill: var(--shadow-soft); } .values rect.active { fill: var(--active-soft); }
nav.card { margin-top: 28px; } nav a { color: inherit; text-decoration-color: var(--faint); text-underline-offset: 3px; overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; } th.number { text-align: right; }
.quiet { color: var(--faint); margin: 0; }
@media (max-width: 860px) { .grid, .tiles { grid-template-columns: minmax(0, 1fr); } main { padding: 28px 18px 64px; } }
@media print { .card { break-inside: avoid; } }
`;
