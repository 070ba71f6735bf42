import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainText } from "../../../src/runtime/model/plain-text.js";

describe("plain text", () => {
  test.each([
    ["<p>Lists <b>all</b> orders.</p><p>Sorted.</p>", "Lists all orders.\n\nSorted."],
    ["One of:<ul><li>a</li><li>b &amp; c</li></ul>", "One of:\n\n- a\n- b & c"],
    [
      'See <a href="https://example.com/?a=1&amp;b=2">the docs</a>.<br/>Then call.',
      "See the docs.\nThen call.",
    ],
    ["&lt;b&gt; &#8364;&#x20ac; &quot;x&quot;", '<b> €€ "x"'],
    ["before<!-- not shown <b> -->after", "beforeafter"],
    ["<P>Lists orders.</P><EM>Sorted</EM> by <br />date", "Lists orders.\nSorted by\ndate"],
    ['<td class="a" nowrap>a</td>', "a"],
    ["<TABLE><TR><TD>a</TD><TD>b</TD></TR></TABLE>", "a b"],
  ])("turns %j into %j", (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  test.each([
    "A path such as <owner>/<repo>.",
    "Returns List<String>, if a <b and b> c.",
    "Wrap it in `<b>` and `</b>`, or write `&amp;`.",
    "Holds if x <p and q> y, or ``<b>`` and ``</b>``.",
    "AT&T &unknown; &#xD800; &#0; &#99999999;",
    "<https://example.com>",
    "<!-- never ends",
    "1 < 2 && 3 > 2",
  ])("keeps %j", (text) => {
    expect(plainText(text)).toBe(text);
  });

  test("never throws, whatever the text", () => {
    const bits = fc.constantFrom(
      "<",
      ">",
      "&",
      ";",
      "`",
      "<b>",
      "</b>",
      "<!--",
      "-->",
      "#x1F600",
      " ",
      "a",
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (all) => {
        expect(plainText(all.join("")).isWellFormed()).toBe(true);
      }),
    );
  });

  test.each(["<", "<!--", "`", "<b ", "<b a=", "``a`", "&#", "</b", "<b/", "&a"])(
    "takes time by the length of the text, if %j repeats",
    (bit) => {
      expect(plainText(bit.repeat(500_000)).length).toBeGreaterThan(0);
    },
  );
});
