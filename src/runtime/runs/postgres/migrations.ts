/*
 * The tables of runs, and the operations that change them. Each operation is one function, called
 * in one statement and so in one transaction. A function locks the run's row before it reads and
 * changes the row. Leases use PostgreSQL's own clock, in milliseconds since 1970. A lease belongs
 * to a holder, whose name is new for each hold, so it also fences the writes of former holders.
 */

/** First version of the tables. `$schema` stands for the schema's name. */
const first = `
CREATE TABLE $schema.run (
  key text COLLATE "C" PRIMARY KEY,
  header text NOT NULL,
  sealed bytea NOT NULL,
  -- As JSON, which can write every character.
  tenant text COLLATE "C",
  tool text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  begun_at text COLLATE "C" NOT NULL,
  changed_at text COLLATE "C" NOT NULL,
  events int NOT NULL,
  last_header text,
  holder text COLLATE "C",
  held_until bigint NOT NULL
);
CREATE INDEX ON $schema.run (begun_at, key);
CREATE INDEX ON $schema.run (tenant, begun_at, key);
CREATE INDEX ON $schema.run (changed_at) WHERE state = 'ended';
CREATE TABLE $schema.event (
  run text COLLATE "C" NOT NULL REFERENCES $schema.run ON DELETE CASCADE,
  n int NOT NULL,
  header text NOT NULL,
  sealed bytea NOT NULL,
  PRIMARY KEY (run, n)
);

CREATE FUNCTION $schema.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- What is confirmed is on disk, whatever the database is set to.
CREATE FUNCTION $schema.durably() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
END $$;

CREATE FUNCTION $schema.hold_run(key_ text, holder_ text, ttl bigint) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  known $schema.run;
BEGIN
  PERFORM $schema.durably();
  SELECT * INTO known FROM $schema.run r WHERE r.key = key_ FOR UPDATE;
  IF NOT FOUND THEN RETURN 'none'; END IF;
  IF known.holder <> holder_ AND known.held_until > $schema.now_ms() THEN RETURN 'taken'; END IF;
  UPDATE $schema.run r SET holder = holder_, held_until = $schema.now_ms() + ttl
    WHERE r.key = key_;
  RETURN 'held';
END $$;

CREATE FUNCTION $schema.begin_run(
  key_ text, header_ text, sealed_ text, tenant_ text, tool_ text, at_ text,
  holder_ text, ttl bigint
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM $schema.durably();
  INSERT INTO $schema.run VALUES (
    key_, header_, decode(sealed_, 'base64'), tenant_, tool_, 'unfinished', at_, at_, 0, NULL,
    holder_, $schema.now_ms() + ttl
  ) ON CONFLICT DO NOTHING;
  IF FOUND THEN RETURN 'begun'; END IF;
  RETURN $schema.hold_run(key_, holder_, ttl);
END $$;

CREATE FUNCTION $schema.renew_run(key_ text, holder_ text, ttl bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  known $schema.run;
BEGIN
  SELECT * INTO known FROM $schema.run r WHERE r.key = key_ AND r.holder = holder_ FOR NO KEY UPDATE;
  IF NOT FOUND OR known.held_until <= $schema.now_ms() THEN RETURN false; END IF;
  UPDATE $schema.run r SET held_until = $schema.now_ms() + ttl WHERE r.key = key_;
  RETURN true;
END $$;

CREATE FUNCTION $schema.release_run(key_ text, holder_ text) RETURNS void LANGUAGE sql AS $$
  UPDATE $schema.run SET holder = NULL, held_until = 0 WHERE key = key_ AND holder = holder_
$$;

-- Appends events, the first of which has the number first_.
CREATE FUNCTION $schema.append_events(
  key_ text, holder_ text, first_ int, headers text[], sealed_ text[], state_ text, at_ text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  known $schema.run;
  next int := first_ + cardinality(headers);
BEGIN
  PERFORM $schema.durably();
  -- Lets renewals go on while a large answer is stored. Nobody else can hold the run meanwhile.
  SELECT * INTO known FROM $schema.run r WHERE r.key = key_ FOR KEY SHARE;
  IF NOT FOUND OR known.holder IS DISTINCT FROM holder_ THEN RETURN 'lost'; END IF;
  -- Asked again, because the answer was lost.
  IF known.events = next AND known.last_header = headers[cardinality(headers)] THEN
    PERFORM 1 FROM $schema.event e WHERE e.run = key_ AND e.n = next - 1
      AND e.sealed = decode(sealed_[cardinality(headers)], 'base64');
    IF FOUND THEN RETURN 'stored'; END IF;
  END IF;
  IF known.events <> first_ THEN RETURN 'changed'; END IF;
  INSERT INTO $schema.event
    SELECT key_, first_ + (e.at - 1)::int, e.header, decode(e.sealed, 'base64')
    FROM unnest(headers, sealed_) WITH ORDINALITY AS e (header, sealed, at);
  UPDATE $schema.run r
    SET events = next, state = state_, changed_at = at_,
        last_header = headers[cardinality(headers)]
    WHERE r.key = key_;
  RETURN 'stored';
END $$;

-- Removes some runs that ended before a time, and none that somebody holds.
CREATE FUNCTION $schema.prune_runs(before_ text, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  count int;
BEGIN
  DELETE FROM $schema.run WHERE key IN (SELECT key FROM $schema.run
    WHERE state = 'ended' AND changed_at < before_ AND held_until <= $schema.now_ms()
    LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  RETURN count;
END $$;
`;

/** Versions of the tables, from 1. Never change a released one; add a new one. */
export const migrations: readonly string[] = [first];
