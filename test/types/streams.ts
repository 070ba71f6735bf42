/** Types of answers that are not JSON. `npx tsc --noEmit` is the test; nothing runs. */
import { expectTypeOf } from "vitest";
import type { Collected, CollectedBytes, ServerSentEvent } from "@skillc/runtime";
import type { FakeAnswer } from "@skillc/runtime/testing";
import type { EventStream, ItemStream, Masked, Obliged, ToolResult } from "@skillc/runtime/v1";

interface Person {
  name: string;
  email: string;
}

type Lines = ToolResult<ItemStream<Person>, "error">;
type Events = ToolResult<EventStream<Person>, "error">;
type Bytes = ToolResult<Uint8Array, "error">;

export async function readers(lines: Lines, events: Events): Promise<void> {
  // @ts-expect-error: a failure has no data
  void lines.data;
  if (lines.status === "success")
    for await (const each of lines.data) expectTypeOf(each).toEqualTypeOf<Person>();
  if (events.status === "success")
    for await (const each of events.data) {
      expectTypeOf(each).toEqualTypeOf<ServerSentEvent<Person>>();
      expectTypeOf(each.data.email).toEqualTypeOf<string>();
      expectTypeOf(each.id).toEqualTypeOf<string | null>();
    }
}

type DataOf<Result> = Extract<Result, { readonly data: unknown }>["data"];
type Item<Stream> = Stream extends AsyncIterable<infer Each> ? Each : never;
type Hide = [{ do: "mask"; at: ["email"] }];

/** Obligations change each item, or the data of each event. */
export function obliged(): void {
  type OfLines = Item<DataOf<Obliged<Lines, Hide>>>;
  expectTypeOf<OfLines["email"]>().toEqualTypeOf<Masked>();
  expectTypeOf<OfLines["name"]>().toEqualTypeOf<string>();
  type OfEvents = Item<DataOf<Obliged<Events, Hide>>>;
  expectTypeOf<OfEvents["data"]["email"]>().toEqualTypeOf<Masked>();
  expectTypeOf<OfEvents["id"]>().toEqualTypeOf<string | null>();
  type Both = Item<DataOf<Obliged<Events, [...Hide, { do: "drop"; at: ["name"] }]>>>;
  expectTypeOf<Both["data"]>().toEqualTypeOf<{ email: Masked; name?: string }>();
  expectTypeOf<DataOf<Obliged<Bytes, Hide>>>().toEqualTypeOf<Uint8Array>();
}

/** Types of collected streams, which a model gets. */
export function dispatched(): void {
  expectTypeOf<DataOf<Collected<Lines>>>().toEqualTypeOf<readonly Person[]>();
  expectTypeOf<DataOf<Collected<Events>>>().toEqualTypeOf<readonly ServerSentEvent<Person>[]>();
  expectTypeOf<DataOf<Collected<Bytes>>>().toEqualTypeOf<CollectedBytes>();
  type Other = ToolResult<Person, "error">;
  expectTypeOf<Collected<Other>>().toEqualTypeOf<Other>();
}

async function* people(): AsyncGenerator<Person> {
  yield { name: "Ada", email: "ada@example.com" };
}

export const fakes: readonly FakeAnswer<Lines>[] = [
  { status: "success", data: people() },
  { status: "success", data: [{ name: "Ada", email: "ada@example.com" }] },
  // @ts-expect-error: an item of another type
  { status: "success", data: [{ name: "Ada" }] },
];
