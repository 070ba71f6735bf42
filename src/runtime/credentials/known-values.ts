import { createScrubber, type Scrubber } from "./scrubber.js";
import { Secret } from "./secret.js";

/** Minimum number of a function's last values that stay known. */
const maxFormer = 16;

/** A value of a credential function, which may be replaced by a newer one. */
interface RotatingValue {
  readonly secret: Secret;
  /** Number of calls that use the value and have not ended. */
  calls: number;
}

/**
 * The credential values that are removed from everything that leaves the runtime. A function may
 * return a new value each time. The last 16 values of each function stay known, and those that a
 * call in progress uses.
 */
export class KnownValues {
  #scrubber = createScrubber();
  readonly #fixed: (readonly [value: string, shown: string])[] = [];
  /** Values by name and value, newest last. */
  readonly #rotating = new Map<string, Map<string, RotatingValue>>();
  #count = 0;
  #most = 2 * maxFormer;

  get scrubber(): Scrubber {
    return this.#scrubber;
  }

  learn(name: string, value: string): void {
    this.#fixed.push([value, shownAs(name)]);
    this.#scrubber.learn(value, shownAs(name));
  }

  /** Returns the secret of a function's value; the same object while the value is known. */
  learnRotating(name: string, value: string): Secret {
    return this.#rotatingValue(name, value).secret;
  }

  /**
   * Keeps values of functions known while a call uses them. Values that were forgotten in the
   * meantime are learned again.
   *
   * @returns a function that ends this
   */
  hold(secrets: readonly (readonly [name: string, secret: Secret])[]): () => void {
    const held = secrets.map(([name, secret]) => this.#rotatingValue(name, Secret.reveal(secret)));
    for (const each of held) each.calls += 1;
    return () => {
      for (const each of held) each.calls -= 1;
    };
  }

  /**
   * Learns a fetched value. It stays known at least until `end`, and then like a function's value.
   */
  learnFetched(name: string, value: string): { readonly secret: Secret; readonly end: () => void } {
    const secret = this.learnRotating(name, value);
    return { secret, end: this.hold([[name, secret]]) };
  }

  /** Makes the value the newest of its function. */
  #rotatingValue(name: string, value: string): RotatingValue {
    let values = this.#rotating.get(name);
    if (values === undefined) this.#rotating.set(name, (values = new Map()));
    const known = values.get(value);
    const rotating = known ?? { secret: new Secret(name, value), calls: 0 };
    values.delete(value);
    values.set(value, rotating);
    if (known === undefined) this.#learnNew(name, value);
    return rotating;
  }

  #learnNew(name: string, value: string): void {
    this.#scrubber.learn(value, shownAs(name));
    this.#count += 1;
    if (this.#count > this.#most) this.#forget();
  }

  /**
   * Forgets old values. Learning takes time, so this runs only when there are twice as many values
   * as needed; then the others are learned again.
   */
  #forget(): void {
    this.#scrubber = createScrubber();
    for (const [value, shown] of this.#fixed) this.#scrubber.learn(value, shown);
    this.#count = 0;
    for (const [name, values] of this.#rotating) {
      let former = values.size;
      for (const [value, { calls }] of values) {
        const isKept = former <= maxFormer || calls > 0;
        former -= 1;
        if (!isKept) {
          values.delete(value);
          continue;
        }
        this.#count += 1;
        this.#scrubber.learn(value, shownAs(name));
      }
    }
    this.#most = 2 * Math.max(this.#count, maxFormer);
  }
}

function shownAs(name: string): string {
  return `\${${name}}`;
}
