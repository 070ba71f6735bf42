import { createScrubber, type Scrubber } from "./scrubber.js";
import { Secret } from "./secret.js";

/** How many of a function's last values are known at least. */
const maxFormer = 16;

/** A value of a credential function, which another may replace. */
interface RotatingValue {
  readonly secret: Secret;
  /** Calls that were given it and have not ended. */
  calls: number;
}

/**
 * The credential values that are looked for in everything that leaves the runtime. A function may
 * give a new value each time. Of each function the last 16 are known, and those that a call under
 * way was given.
 */
export class KnownValues {
  #scrubber = createScrubber();
  readonly #fixed: (readonly [value: string, shown: string])[] = [];
  /** By name and value, the newest last. */
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

  /** The secret of a value that another may replace; the same one while it is known. */
  learnRotating(name: string, value: string): Secret {
    return this.#rotatingValue(name, value).secret;
  }

  /**
   * Has the values of functions known while a call uses them. Those that have been forgotten since
   * they were given are learnt again.
   *
   * @returns ends that
   */
  hold(secrets: readonly (readonly [name: string, secret: Secret])[]): () => void {
    const held = secrets.map(([name, secret]) => this.#rotatingValue(name, Secret.reveal(secret)));
    for (const each of held) each.calls += 1;
    return () => {
      for (const each of held) each.calls -= 1;
    };
  }

  /** A value that was fetched, known until `end` at least, and as those of functions are. */
  learnFetched(name: string, value: string): { readonly secret: Secret; readonly end: () => void } {
    const secret = this.learnRotating(name, value);
    return { secret, end: this.hold([[name, secret]]) };
  }

  /** As the newest of its function. */
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

  /** Learning takes time: when there are twice as many as must be known, all are learnt anew. */
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
