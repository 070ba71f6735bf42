import { describe, expect, test } from "vitest";

/** A real service that tests need, such as a broker or a database. */
export interface Service {
  /** Name of the service and of its tests: `RabbitMQ's management API`. */
  readonly name: string;
  /** Instructions to start the service, for the report of skipped tests. */
  readonly start: string;
  /** Rejects if the service is absent. */
  readonly probe: () => Promise<unknown>;
}

/** Declares tests that need a service. Call it with `await` at the top level of a test file. */
export async function describeWithService(service: Service, tests: () => void): Promise<void> {
  describeUnless(await absenceOf(service), service.name, tests);
}

/** Returns why a service is absent, and how to start it; undefined if it runs. */
export function absenceOf(service: Service): Promise<string | undefined> {
  return service.probe().then(
    () => undefined,
    (error: unknown) => `${service.name} is not there (${reasonOf(error)}); ${service.start}`,
  );
}

/**
 * Declares tests. If there is a reason against them, they are skipped, and the run prints the
 * reason at its end. In CI the run fails instead, so that a suite without its services never
 * passes.
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

/** Prefers the cause of an error, because `fetch` itself only reports that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
