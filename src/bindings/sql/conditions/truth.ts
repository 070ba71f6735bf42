/** What a condition may come to, as a sum of these. */
export const TRUE = 1;
export const FALSE = 2;
export const NULL = 4;
export const ANY = TRUE | FALSE | NULL;

/** NOT. */
export function negated(truth: number): number {
  return (truth & NULL) | (truth & TRUE ? FALSE : 0) | (truth & FALSE ? TRUE : 0);
}

/** AND. */
export function conjoined(one: number, other: number): number {
  const some = one | other;
  return (
    (one & other & TRUE) |
    (some & FALSE) |
    (some & NULL && one !== FALSE && other !== FALSE ? NULL : 0)
  );
}

/** OR. */
export function either(one: number, other: number): number {
  return negated(conjoined(negated(one), negated(other)));
}
