import { type CharacterSet, greatestOf } from "./characters.js";
import { parsePattern, schemaFlags } from "./matcher.js";
import { type Program, programOf, type Step } from "./program.js";

/**
 * Maximum number of pairs of places to examine. If there are more, some text counts as matching
 * both patterns.
 */
const maxPairs = 200_000;

/**
 * Checks if some text matches both patterns. False is certain. True is not, because conditions on
 * surrounding characters (`\b`, lookaheads) are ignored.
 */
export function haveCommonText(one: string, other: string): boolean {
  const [a, b] = [programFor(one), programFor(other)];
  if (a === undefined || b === undefined) return true;
  const meeting: Meeting = { a, b, seen: new Map(), waiting: [] };
  visit({ at: a.start, isOver: false }, { at: b.start, isOver: false }, true, meeting);
  for (let count = 0; count < meeting.waiting.length; count += 1) {
    const [left, right] = meeting.waiting[count] ?? [];
    if (left === undefined || right === undefined || count > maxPairs) return true;
    if (left.at.kind === "accept" && right.at.kind === "accept") return true;
    takeCharacter(left, right, meeting);
  }
  return false;
}

const everyCharacter: CharacterSet = [[0, greatestOf(schemaFlags)]];

const programs = new Map<string, Program | undefined>();

function programFor(pattern: string): Program | undefined {
  if (programs.has(pattern)) return programs.get(pattern);
  const tree = parsePattern(pattern, true);
  const program = typeof tree === "string" ? undefined : programOf(tree, schemaFlags);
  const searching = program === undefined ? undefined : withSearch(program);
  programs.set(pattern, searching);
  return searching;
}

/** Adds a loop at the start, because a pattern may match anywhere in a text. */
function withSearch({ characters, sets, start }: Program): Program {
  const head: Step & { readonly kind: "choice" } = { kind: "choice", to: [start] };
  const set = sets.length;
  head.to.push({ kind: "character", set, id: characters.length, loose: false, next: head });
  return { start: head, sets: [...sets, everyCharacter], characters };
}

/** A place in a pattern: one of its characters, or its end. */
interface Position {
  readonly at: Step;
  /** True after `$`: no character may follow. */
  readonly isOver: boolean;
}

interface Meeting {
  readonly a: Program;
  readonly b: Program;
  readonly seen: Map<Step, Map<Step, Set<number>>>;
  readonly waiting: (readonly [Position, Position])[];
}

/** Adds all pairs of places that are reachable without a character. */
function visit(left: Position, right: Position, isStart: boolean, meeting: Meeting): void {
  for (const one of placesFrom(left, isStart)) {
    for (const other of placesFrom(right, isStart)) {
      const ofOne = meeting.seen.get(one.at) ?? new Map<Step, Set<number>>();
      meeting.seen.set(one.at, ofOne);
      const ends = ofOne.get(other.at) ?? new Set<number>();
      ofOne.set(other.at, ends);
      const end = Number(one.isOver) * 2 + Number(other.isOver);
      if (ends.has(end)) continue;
      ends.add(end);
      meeting.waiting.push([one, other]);
    }
  }
}

/** Lists the characters, or the end, that a step leads to. */
function placesFrom({ at, isOver }: Position, isStart: boolean): readonly Position[] {
  const found: Position[] = [];
  const seen = new Map<Step, Set<boolean>>();
  const waiting: Position[] = [{ at, isOver }];
  for (const each of waiting) {
    const before = seen.get(each.at) ?? new Set();
    if (before.has(each.isOver)) continue;
    seen.set(each.at, before.add(each.isOver));
    const { at: step } = each;
    if (step.kind === "character" || step.kind === "accept") found.push(each);
    else if (step.kind === "choice")
      waiting.push(...step.to.map((next) => ({ ...each, at: next })));
    else if (step.kind === "end") waiting.push({ at: step.next, isOver: true });
    else if (step.kind !== "stop" && (step.kind !== "start" || isStart))
      waiting.push({ ...each, at: step.next });
  }
  return found;
}

/** Follows a character that both patterns accept. */
function takeCharacter(left: Position, right: Position, meeting: Meeting): void {
  const [one, other] = [nextOf(left, meeting.a), nextOf(right, meeting.b)];
  if (one === undefined || other === undefined || !overlap(one.set, other.set)) return;
  visit({ at: one.to, isOver: false }, { at: other.to, isOver: false }, false, meeting);
}

/** Continues after the end of a pattern, which any characters may follow. */
function nextOf(
  { at, isOver }: Position,
  { sets }: Program,
): { readonly set: CharacterSet; readonly to: Step } | undefined {
  if (isOver) return undefined;
  if (at.kind === "accept") return { set: everyCharacter, to: at };
  return at.kind === "character" ? { set: sets[at.set] ?? [], to: at.next } : undefined;
}

/** Checks if two sets share a character. */
function overlap(one: CharacterSet, other: CharacterSet): boolean {
  let [a, b] = [0, 0];
  for (;;) {
    const [left, right] = [one[a], other[b]];
    if (left === undefined || right === undefined) return false;
    if (left[1] < right[0]) a += 1;
    else if (right[1] < left[0]) b += 1;
    else return true;
  }
}
