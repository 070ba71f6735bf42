import { lineMs, takenMs } from "../times.js";

/**
 * Lets a call return what it took if the store's answer was lost, and puts waiters for a lease in
 * order. `$schema` stands for the schema's name, as in the first migration.
 */
export const second = `
CREATE TABLE $schema.taken (
  call_id text PRIMARY KEY,
  -- Absent: it was given back.
  at bigint,
  ends_at bigint NOT NULL
);
CREATE INDEX ON $schema.taken (ends_at);
CREATE TABLE $schema.lease_waiter (
  name text NOT NULL,
  holder text NOT NULL,
  place bigint NOT NULL,
  seen_until bigint NOT NULL,
  PRIMARY KEY (name, holder)
);
CREATE INDEX ON $schema.lease_waiter (seen_until);

-- A window of 0 counts calls that run. A call of NULL only looks.
CREATE OR REPLACE FUNCTION $schema.take(
  keys text[], limits float8[], amounts float8[], needs float8[], windows bigint[],
  call text, ttl bigint
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  place int;
  now bigint;
  start bigint;
  used float8;
  starts bigint[] := '{}';
  counts float8[] := '{}';
  rests float8[] := '{}';
  wait float8;
  refused int;
  refused_wait float8 := -1;
BEGIN
  IF call IS NOT NULL THEN
    PERFORM $schema.durably();
    PERFORM $schema.lock_budgets(keys);
  END IF;
  now := $schema.now_ms();
  FOR place IN 1 .. cardinality(keys) LOOP
    start := 0;
    wait := 'infinity';
    IF windows[place] = 0 THEN
      SELECT count(*) INTO used FROM $schema.held h WHERE h.key = keys[place] AND h.ends_at > now;
    ELSE
      SELECT b.window_start, b.used INTO start, used FROM $schema.budget b WHERE b.key = keys[place];
      IF start IS DISTINCT FROM $schema.window_of(coalesce(start, 0), windows[place], now) THEN
        start := $schema.window_of(coalesce(start, 0), windows[place], now);
        used := 0;
      END IF;
      wait := start + windows[place] - now;
    END IF;
    IF amounts[place] + needs[place] > limits[place] THEN wait := 'infinity'; END IF;
    starts := starts || start;
    counts := counts || used;
    rests := rests || (limits[place] - used - amounts[place] - needs[place]);
    IF rests[place] < 0 AND wait > refused_wait THEN
      refused := place;
      refused_wait := wait;
    END IF;
  END LOOP;
  IF refused IS NOT NULL THEN
    RETURN json_build_object('taken', false, 'at', refused - 1, 'wait', nullif(refused_wait, 'infinity'));
  END IF;
  IF call IS NOT NULL THEN
    INSERT INTO $schema.taken VALUES (call, now, now + ${takenMs}) ON CONFLICT DO NOTHING;
    -- Given back before it was taken: nobody waits for it any more.
    IF NOT FOUND THEN RETURN json_build_object('taken', false, 'at', 0, 'wait', NULL); END IF;
  END IF;
  FOR place IN 1 .. CASE WHEN call IS NULL THEN 0 ELSE cardinality(keys) END LOOP
    IF windows[place] = 0 THEN
      DELETE FROM $schema.held h WHERE h.key = keys[place] AND h.ends_at <= now;
      INSERT INTO $schema.held VALUES (keys[place], call, now + ttl)
        ON CONFLICT (key, call_id) DO UPDATE SET ends_at = excluded.ends_at;
    ELSE
      UPDATE $schema.budget b
        SET window_start = starts[place], window_ms = windows[place],
            used = counts[place] + amounts[place]
        WHERE b.key = keys[place];
    END IF;
  END LOOP;
  RETURN json_build_object('taken', true, 'left', to_json(rests), 'time', now);
END $$;

-- A window of 0 is of what the call held while it ran.
CREATE FUNCTION $schema.give_back(
  keys text[], amounts float8[], windows bigint[], call text, taken_at bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place int;
  now bigint;
  start bigint;
  known $schema.taken;
BEGIN
  PERFORM $schema.durably();
  PERFORM $schema.lock_budgets(keys);
  now := $schema.now_ms();
  SELECT * INTO known FROM $schema.taken t WHERE t.call_id = call FOR UPDATE;
  IF FOUND THEN taken_at := known.at; END IF;
  INSERT INTO $schema.taken VALUES (call, NULL, now + ${takenMs})
    ON CONFLICT (call_id) DO UPDATE SET at = NULL, ends_at = excluded.ends_at;
  IF taken_at IS NULL THEN RETURN; END IF;
  FOR place IN 1 .. cardinality(keys) LOOP
    IF windows[place] = 0 THEN
      DELETE FROM $schema.held h WHERE h.key = keys[place] AND h.call_id = call;
      CONTINUE;
    END IF;
    start := (SELECT $schema.window_of(b.window_start, windows[place], now)
      FROM $schema.budget b WHERE b.key = keys[place]);
    CONTINUE WHEN start > taken_at;
    UPDATE $schema.budget b SET used = b.used - amounts[place]
      WHERE b.key = keys[place] AND b.window_start = start;
  END LOOP;
END $$;

CREATE FUNCTION $schema.renew_hold(keys text[], call text, ttl bigint) RETURNS void
LANGUAGE sql AS $$
  UPDATE $schema.held SET ends_at = $schema.now_ms() + ttl WHERE key = ANY (keys) AND call_id = call
$$;

-- Whoever is in line already keeps its place, and is written down again only when it has to be.
CREATE FUNCTION $schema.wait_in_line(name_ text, holder_ text, now bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO $schema.lease_waiter AS w
    VALUES (name_, holder_, nextval('$schema.fence'), now + ${lineMs})
    ON CONFLICT (name, holder) DO UPDATE SET
      seen_until = excluded.seen_until,
      place = CASE WHEN w.seen_until <= now THEN excluded.place ELSE w.place END
    WHERE w.seen_until < now + ${lineMs / 2}
$$;

-- The row stays when the lease is given back: it is what others wait for.
CREATE OR REPLACE FUNCTION $schema.take_lease(name_ text, holder_ text, ttl bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  known $schema.lease;
  now bigint := $schema.now_ms();
  first text;
BEGIN
  -- A call that waits takes no lock on the lease.
  PERFORM 1 FROM $schema.lease l
    WHERE l.name = name_ AND l.ends_at > now AND l.holder <> holder_;
  IF FOUND THEN
    PERFORM $schema.wait_in_line(name_, holder_, now);
    RETURN NULL;
  END IF;
  PERFORM $schema.durably();
  LOOP
    SELECT * INTO known FROM $schema.lease l WHERE l.name = name_ FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO $schema.lease VALUES (name_, '', 0, 0) ON CONFLICT DO NOTHING;
  END LOOP;
  now := $schema.now_ms();
  IF known.ends_at <= now OR known.holder <> holder_ THEN
    SELECT w.holder INTO first FROM $schema.lease_waiter w
      WHERE w.name = name_ AND w.seen_until > now ORDER BY w.place LIMIT 1;
    IF known.ends_at > now OR coalesce(first, holder_) <> holder_ THEN
      PERFORM $schema.wait_in_line(name_, holder_, now);
      RETURN NULL;
    END IF;
  END IF;
  DELETE FROM $schema.lease_waiter w
    WHERE w.name = name_ AND (w.holder = holder_ OR w.seen_until <= now);
  known.fence := nextval('$schema.fence');
  UPDATE $schema.lease l SET holder = holder_, fence = known.fence, ends_at = now + ttl
    WHERE l.name = name_;
  RETURN known.fence;
END $$;

CREATE FUNCTION $schema.leave_line(name_ text, holder_ text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM $schema.lease_waiter WHERE name = name_ AND holder = holder_
$$;

-- Removes expired rows, at most so many of each table. True if a table had as many: it may have
-- more of them.
CREATE FUNCTION $schema.sweep_all(most int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  now bigint := $schema.now_ms();
  swept bigint;
BEGIN
  WITH
    held AS (
      DELETE FROM $schema.held WHERE (key, call_id) IN (SELECT key, call_id FROM $schema.held
        WHERE ends_at < now - 60000 LIMIT most FOR UPDATE SKIP LOCKED) RETURNING 1),
    budget AS (
      DELETE FROM $schema.budget WHERE key IN (SELECT key FROM $schema.budget
        WHERE window_start + 2 * window_ms < now - 60000 LIMIT most FOR UPDATE SKIP LOCKED)
      RETURNING 1),
    keyed_call AS (
      DELETE FROM $schema.keyed_call WHERE key IN (SELECT key FROM $schema.keyed_call
        WHERE ends_at < now - 60000 LIMIT most FOR UPDATE SKIP LOCKED) RETURNING 1),
    approval AS (
      DELETE FROM $schema.approval WHERE id IN (SELECT id FROM $schema.approval
        WHERE ends_at < now - 86400000 LIMIT most FOR UPDATE SKIP LOCKED) RETURNING 1),
    lease AS (
      DELETE FROM $schema.lease WHERE name IN (SELECT name FROM $schema.lease
        WHERE ends_at < now - 3600000 LIMIT most FOR UPDATE SKIP LOCKED) RETURNING 1),
    lease_waiter AS (
      DELETE FROM $schema.lease_waiter WHERE (name, holder) IN (SELECT name, holder
        FROM $schema.lease_waiter WHERE seen_until < now - 60000 LIMIT most FOR UPDATE SKIP LOCKED)
      RETURNING 1),
    taken AS (
      DELETE FROM $schema.taken WHERE call_id IN (SELECT call_id FROM $schema.taken
        WHERE ends_at < now - 60000 LIMIT most FOR UPDATE SKIP LOCKED) RETURNING 1)
  SELECT greatest(
    (SELECT count(*) FROM held), (SELECT count(*) FROM budget),
    (SELECT count(*) FROM keyed_call), (SELECT count(*) FROM approval),
    (SELECT count(*) FROM lease), (SELECT count(*) FROM lease_waiter),
    (SELECT count(*) FROM taken)) INTO swept;
  RETURN swept >= most;
END $$;

-- Processes that know the first migration alone call this one.
CREATE OR REPLACE FUNCTION $schema.sweep(most int) RETURNS void LANGUAGE sql AS $$
  SELECT $schema.sweep_all(most)
$$;
`;
