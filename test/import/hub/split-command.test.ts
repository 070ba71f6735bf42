import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitCommand } from "../../../src/import/hub/split-command.js";

test.each([
  ["python /app/scripts/backup_notes.py", ["python", "/app/scripts/backup_notes.py"]],
  ["  git   log\t--oneline ", ["git", "log", "--oneline"]],
  [`grep 'two words' "and more" --x='$y'"z"`, ["grep", "two words", "and more", "--x=$yz"]],
  ["echo '' \"\"", ["echo", "", ""]],
  ["备份 --目录=笔记", ["备份", "--目录=笔记"]],
  ["python x.py {name} A=b", ["python", "x.py", "{name}", "A=b"]],
  ["", []],
  ["   ", []],
])("the command line %j has these words: %j", (line, words) => {
  expect(splitCommand(line)).toEqual({ words });
});

test.each([
  ["ls | wc", "|"],
  ["a && b", "&"],
  ["a; b", ";"],
  ["a > b", ">"],
  ["a < b", "<"],
  ["echo $HOME", "$"],
  ['echo "$HOME"', '"'],
  ["echo `date`", "`"],
  ['echo "`date`"', '"'],
  ["echo \\a", "\\"],
  ["ls *.md", "*"],
  ["ls a?", "?"],
  ["ls [ab]", "["],
  ["ls {a,b}", "{"],
  ["cat ~/x", "~"],
  ["a # b", "#"],
  ["(a)", "("],
  ["! a", "!"],
  ["a\nb", "\n"],
  ["a\0b", "\0"],
  ["A=1 b", "="],
  ["A+=1 b", "="],
  ["echo 'open", "'"],
  ['echo "open', '"'],
])("a command line that needs a shell is rejected: %j", (line, odd) => {
  expect(splitCommand(line)).toEqual({ odd });
});

test("a shell passes the same words to a program", () => {
  const letters = fc.constantFrom(..."ab/.-_=:,@%+'\" \t|$*{}~é");
  const lines = fc.array(letters, { maxLength: 12 }).map((each) => `printf ${each.join("")}`);
  const found = fc
    .sample(lines, { numRuns: 4000, seed: 7 })
    .map((line) => ({ line, split: splitCommand(line) }));
  const accepted = found.flatMap(({ line, split }) =>
    "words" in split ? [{ line, words: split.words.slice(1) }] : [],
  );
  expect(accepted.length).toBeGreaterThan(50);
  const script = accepted
    .map(
      ({ line }) =>
        `set -- ${line.slice("printf ".length)}; for each; do printf '%s\\n' "$each"; done; echo END`,
    )
    .join("\n");
  const ran = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  const printed = ran.stdout.split("END\n").slice(0, -1);
  expect(printed).toEqual(accepted.map(({ words }) => words.map((each) => `${each}\n`).join("")));
});
