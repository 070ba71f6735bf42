import { describe, expect, test } from "vitest";

/** A real part that tests run against: a broker, a database. */
export interface Service {
  /** As the tests' own name: `RabbitMQ's management API`. */
  readonly name: string;
  /** How to start it, for whoever sees the reason why tests were skipped. */
  readonly start: string;
  /** Rejects when it isn't there. */
  readonly probe: () => Promise<unknown>;
}

/** Tests that need a service. Call it with `await` at the top level of a test file. */
export async function describeWithService(service: Service, tests: () => void): Promise<void> {
  describeUnless(await absenceOf(service), service.name, tests);
}

/** Why a service isn't there, and how to start it; undefined when it is. */
export function absenceOf(service: Service): Promise<string | undefined> {
  return service.probe().then(
    () => undefined,
    (error: unknown) => `${service.name} is not there (${reasonOf(error)}); ${service.start}`,
  );
}

/**
 * Tests that need what is absent for this reason, if for any. They are skipped, with the reason, which the run prints in the end; under CI that is
 * a failure, so that a suite which tests nothing never passes there.
 */
export function describeUnless(absence: string | undefined, name: string, tests: () => void): void {
  test(`${name}: what it needs is there`, ({ skip }) => {
    skip(absence !== undefined && !isCi(process.env["CI"]), absence);
    expect(absence).toBeUndefined();
  });
  describe.runIf(absence === undefined)(`${name}`, () => {
    tests();
  });
}

function isCi(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "false" && value !== "0";
}

/** `fetch` says no more than that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
