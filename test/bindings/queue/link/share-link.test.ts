/** A shared link is opened, kept and closed. The tests answer for the link. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Outgoing } from "../../../../src/bindings/queue/send/broker.js";
import { LostBroker } from "../../../../src/bindings/queue/send/failures.js";
import { type Link, shareLink } from "../../../../src/bindings/queue/send/link/shared-link.js";
import { rejection, startAttempt } from "../support/attempt.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const message: Outgoing = { body: Buffer.from("x"), contentType: "text/plain", headers: [] };

/** A link whose messages wait until they are answered, or it is cut. */
class FakeLink implements Link<object, { readonly at: number }> {
  isUsable = true;
  silentMs = 0;
  keepsAlive = true;
  isClosed = false;
  readonly waiting: { readonly answer: () => void; readonly lose: () => void }[] = [];

  constructor(abortController: AbortController) {
    abortController.signal.addEventListener("abort", () => {
      this.isUsable = false;
      for (const { lose } of this.waiting.splice(0)) lose();
    });
  }

  publish(): Promise<{ readonly at: number }> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        answer: () => resolve({ at: 0 }),
        lose: () => reject(new LostBroker("connection lost")),
      });
    });
  }

  keepAlive(isNeeded: boolean): void {
    this.keepsAlive = isNeeded;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.isUsable = false;
    for (const { lose } of this.waiting.splice(0)) lose();
  }
}

/** A broker, and the links that it has opened. */
function start() {
  const links: FakeLink[] = [];
  const onIdle = vi.fn<() => void>();
  const broker = shareLink<object, { readonly at: number }>(async (abortController) => {
    const link = new FakeLink(abortController);
    links.push(link);
    return link;
  }, onIdle);
  const publish = () => broker.publish(message, startAttempt().attempt);
  return { broker, links, onIdle, publish };
}

test("closing sets no time limit of its own", async () => {
  const { broker, links, publish } = start();
  const call = publish();
  const closed = broker.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(links[0]?.isClosed).toBe(false);
  links[0]?.waiting[0]?.answer();
  await expect(call).resolves.toHaveProperty("at");
  await closed;
  expect(links[0]?.isClosed).toBe(true);
});

test("closing fails its calls at the deadline of the caller", async () => {
  const { broker, links, publish } = start();
  const late = new AbortController();
  const calls = [publish(), publish()].map(rejection);
  const closed = broker.close(late.signal);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(links[0]?.waiting).toHaveLength(2);
  late.abort();
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ outcome: "unknown" });
  await closed;
  const after = rejection(publish());
  await vi.advanceTimersByTimeAsync(0);
  await broker.close(late.signal);
  expect(await after).toBeInstanceOf(LostBroker);
});

test("closing at a deadline ends a connection attempt", async () => {
  const broker = shareLink<object, object>(() => new Promise(() => {}), vi.fn());
  const late = new AbortController();
  const call = rejection(broker.publish(message, startAttempt().attempt));
  const closed = broker.close(late.signal);
  late.abort();
  expect(await call).toEqual(new LostBroker("ETIMEDOUT", "not-done"));
  await closed;
});

test("a link keeps the process alive while it has a call", async () => {
  const { links, publish } = start();
  const first = publish();
  await vi.advanceTimersByTimeAsync(0);
  const second = publish();
  expect(links[0]?.keepsAlive).toBe(true);
  links[0]?.waiting[0]?.answer();
  await first;
  expect(links[0]?.keepsAlive).toBe(true);
  links[0]?.waiting[1]?.answer();
  await second;
  expect(links[0]?.keepsAlive).toBe(false);
  void publish();
  expect(links[0]?.keepsAlive).toBe(true);
});

test("a link that opens after its last caller left does not keep the process alive", async () => {
  const links: FakeLink[] = [];
  let open = (): void => {};
  const broker = shareLink<object, object>((abortController) => {
    const link = new FakeLink(abortController);
    links.push(link);
    return new Promise((resolve) => (open = () => resolve(link)));
  }, vi.fn());
  const { attempt, end } = startAttempt();
  const call = rejection(broker.publish(message, attempt));
  end(new Error("aborted"));
  open();
  await call;
  await vi.advanceTimersByTimeAsync(0);
  expect(links[0]?.keepsAlive).toBe(false);
});

test("a link without calls is closed after ten seconds, and then forgotten", async () => {
  const { links, onIdle, publish } = start();
  const call = publish();
  await vi.advanceTimersByTimeAsync(14_000);
  links[0]?.waiting[0]?.answer();
  await call;
  await vi.advanceTimersByTimeAsync(9000);
  expect(links[0]?.isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect([links[0]?.isClosed, onIdle.mock.calls.length]).toEqual([true, 1]);
});

test("a link is closed after its broker owes an answer for twenty seconds", async () => {
  const { links, publish } = start();
  const call = rejection(publish());
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(links[0] ?? {}, { silentMs: 20_000 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await call).toEqual(new LostBroker("connection lost"));
});

test("an unusable link is closed with its last answer, and another link replaces it", async () => {
  const { links, publish } = start();
  const first = publish();
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(links[0] ?? {}, { isUsable: false });
  const second = publish();
  await vi.advanceTimersByTimeAsync(0);
  expect([links.length, links[0]?.isClosed]).toEqual([2, false]);
  links[0]?.waiting[0]?.answer();
  links[1]?.waiting[0]?.answer();
  await Promise.all([first, second]);
  expect(links.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});
