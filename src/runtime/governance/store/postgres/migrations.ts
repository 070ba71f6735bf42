/*
 * The operations in PostgreSQL. Each is one function, called in one statement and so in one
 * transaction. A function locks a row before it reads and changes the row. It locks budgets in a
 * fixed order, so that calls can't deadlock. Times are PostgreSQL's own, in milliseconds since
 * 1970, read after the rows are locked.
 */

import { second } from "./second-migration.js";
import { fourth } from "./fourth-migration.js";
import { third } from "./third-migration.js";

/** First version of the tables. `$schema` stands for the schema's name. */
const first = `
CREATE TABLE $schema.tool (tool text PRIMARY KEY, manifest text NOT NULL);
CREATE TABLE $schema.tool_state (whose text PRIMARY KEY, change text NOT NULL, at bigint NOT NULL);
CREATE TABLE $schema.budget (
  key text PRIMARY KEY,
  window_start bigint NOT NULL,
  window_ms bigint NOT NULL,
  used double precision NOT NULL
);
CREATE TABLE $schema.held (
  key text NOT NULL,
  call_id text NOT NULL,
  ends_at bigint NOT NULL,
  PRIMARY KEY (key, call_id)
);
CREATE TABLE $schema.approval (
  id text PRIMARY KEY,
  approval text NOT NULL,
  at bigint NOT NULL,
  ends_at bigint NOT NULL,
  used_by text
);
CREATE TABLE $schema.keyed_call (
  key text PRIMARY KEY,
  fingerprint text NOT NULL,
  call_id text NOT NULL,
  runs_until bigint NOT NULL,
  ends_at bigint,
  answer bytea
);
CREATE TABLE $schema.lease (
  name text PRIMARY KEY,
  holder text NOT NULL,
  fence bigint NOT NULL,
  ends_at bigint NOT NULL
);
CREATE SEQUENCE $schema.fence;
CREATE INDEX ON $schema.budget ((window_start + 2 * window_ms));
CREATE INDEX ON $schema.held (ends_at);
CREATE INDEX ON $schema.approval (ends_at);
CREATE INDEX ON $schema.keyed_call (ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX ON $schema.lease (ends_at);

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

CREATE FUNCTION $schema.register(tools text[], manifests text[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  place int;
  known text;
  before text[] := '{}';
BEGIN
  PERFORM $schema.durably();
  -- In one order, as budgets.
  LOCK TABLE $schema.tool IN SHARE ROW EXCLUSIVE MODE;
  FOR place IN 1 .. cardinality(tools) LOOP
    known := (SELECT t.manifest FROM $schema.tool t WHERE t.tool = tools[place]);
    before := before || ARRAY[known];
    INSERT INTO $schema.tool VALUES (tools[place], manifests[place])
      ON CONFLICT (tool) DO UPDATE SET manifest = excluded.manifest;
  END LOOP;
  RETURN before;
END $$;

CREATE FUNCTION $schema.set_state(whose_ text, change_ text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM $schema.durably();
  INSERT INTO $schema.tool_state VALUES (whose_, change_, $schema.now_ms())
    ON CONFLICT (whose) DO UPDATE SET change = excluded.change, at = excluded.at;
END $$;

-- The start of the window that counts: a clock that was set back by less than one is in the last.
CREATE FUNCTION $schema.window_of(start bigint, window_ms bigint, now bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN start > now - now % window_ms AND start - (now - now % window_ms) <= window_ms THEN start
    ELSE now - now % window_ms
  END
$$;

CREATE FUNCTION $schema.lock_budgets(keys text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  each text;
BEGIN
  FOR each IN SELECT DISTINCT k COLLATE "C" AS k FROM unnest(keys) AS k ORDER BY 1 LOOP
    LOOP
      PERFORM 1 FROM $schema.budget b WHERE b.key = each FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO $schema.budget VALUES (each, 0, 0, 0) ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;
END $$;

-- A window of 0 counts calls that run. A call of NULL only looks.
CREATE FUNCTION $schema.take(
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

CREATE FUNCTION $schema.add(keys text[], amounts float8[], windows bigint[], since bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place int;
  now bigint;
  start bigint;
BEGIN
  PERFORM $schema.durably();
  PERFORM $schema.lock_budgets(keys);
  now := $schema.now_ms();
  FOR place IN 1 .. cardinality(keys) LOOP
    start := (SELECT $schema.window_of(b.window_start, windows[place], now)
      FROM $schema.budget b WHERE b.key = keys[place]);
    CONTINUE WHEN since IS NOT NULL AND start > since;
    UPDATE $schema.budget b
      SET used = CASE WHEN b.window_start = start THEN b.used ELSE 0 END + amounts[place],
          window_start = start, window_ms = windows[place]
      WHERE b.key = keys[place];
  END LOOP;
END $$;

CREATE FUNCTION $schema.release(keys text[], call text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM $schema.held WHERE key = ANY (keys) AND call_id = call
$$;

CREATE FUNCTION $schema.save_approval(id_ text, approval_ text, ttl bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  now bigint := $schema.now_ms();
BEGIN
  PERFORM $schema.durably();
  INSERT INTO $schema.approval VALUES (id_, approval_, now, now + ttl);
END $$;

CREATE FUNCTION $schema.read_approval(id_ text) RETURNS json LANGUAGE sql AS $$
  SELECT json_build_object('approval', approval, 'at', at, 'ends', ends_at, 'call', used_by,
    'isExpired', ends_at <= $schema.now_ms())
  FROM $schema.approval WHERE id = id_
$$;

CREATE FUNCTION $schema.use_approval(id_ text, call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  known $schema.approval;
BEGIN
  PERFORM $schema.durably();
  SELECT * INTO known FROM $schema.approval a WHERE a.id = id_ FOR UPDATE;
  IF NOT FOUND THEN RETURN 'none'; END IF;
  IF known.used_by IS NOT NULL THEN RETURN 'spent'; END IF;
  IF known.ends_at <= $schema.now_ms() THEN RETURN 'expired'; END IF;
  UPDATE $schema.approval a SET used_by = call WHERE a.id = id_;
  RETURN 'used';
END $$;

-- Whether a call may begin with a key that another one had, or it itself.
CREATE FUNCTION $schema.is_free(known $schema.keyed_call, call text, settled text, now bigint)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN known.ends_at IS NOT NULL THEN known.ends_at <= now
    ELSE known.call_id = call OR coalesce(known.call_id = settled AND known.runs_until <= now, false)
  END
$$;

CREATE FUNCTION $schema.begin_call(key_ text, print text, call text, ttl bigint, settled text)
RETURNS TABLE (state text, other text, kept bytea) LANGUAGE plpgsql AS $$
DECLARE
  known $schema.keyed_call;
  now bigint;
  is_free boolean;
BEGIN
  PERFORM $schema.durably();
  -- Those who wait for another call only look: locking a row is a write.
  SELECT * INTO known FROM $schema.keyed_call k WHERE k.key = key_;
  is_free := NOT FOUND OR $schema.is_free(known, call, settled, $schema.now_ms());
  WHILE is_free LOOP
    SELECT * INTO known FROM $schema.keyed_call k WHERE k.key = key_ FOR UPDATE;
    IF FOUND THEN
      is_free := $schema.is_free(known, call, settled, $schema.now_ms());
      EXIT;
    END IF;
    INSERT INTO $schema.keyed_call (key, fingerprint, call_id, runs_until)
      VALUES (key_, print, call, $schema.now_ms() + ttl) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN QUERY SELECT 'begun', NULL::text, NULL::bytea;
      RETURN;
    END IF;
  END LOOP;
  now := $schema.now_ms();
  IF is_free THEN
    UPDATE $schema.keyed_call k
      SET fingerprint = print, call_id = call, runs_until = now + ttl, ends_at = NULL, answer = NULL
      WHERE k.key = key_;
    RETURN QUERY SELECT 'begun', NULL::text, NULL::bytea;
  ELSIF known.fingerprint <> print THEN
    RETURN QUERY SELECT 'other', known.call_id, NULL::bytea;
  ELSIF known.ends_at IS NOT NULL THEN
    RETURN QUERY SELECT 'done', known.call_id, known.answer;
  ELSE
    RETURN QUERY SELECT CASE WHEN known.runs_until > now THEN 'running' ELSE 'unknown' END,
      known.call_id, NULL::bytea;
  END IF;
END $$;

CREATE FUNCTION $schema.finish_call(key_ text, call text, answer_ bytea, ttl bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM $schema.durably();
  UPDATE $schema.keyed_call SET ends_at = $schema.now_ms() + ttl, answer = answer_
    WHERE key = key_ AND call_id = call;
END $$;

CREATE FUNCTION $schema.free_call(key_ text, call text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM $schema.durably();
  DELETE FROM $schema.keyed_call WHERE key = key_ AND call_id = call AND ends_at IS NULL;
END $$;

CREATE FUNCTION $schema.abandon_call(key_ text, call text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM $schema.durably();
  UPDATE $schema.keyed_call SET runs_until = 0 WHERE key = key_ AND call_id = call;
END $$;

-- The row stays when the lease is given back: it is what others wait for.
CREATE FUNCTION $schema.take_lease(name_ text, holder_ text, ttl bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  known $schema.lease;
  now bigint;
BEGIN
  -- Those who wait only look.
  PERFORM 1 FROM $schema.lease l
    WHERE l.name = name_ AND l.ends_at > $schema.now_ms() AND l.holder <> holder_;
  IF FOUND THEN RETURN NULL; END IF;
  PERFORM $schema.durably();
  LOOP
    SELECT * INTO known FROM $schema.lease l WHERE l.name = name_ FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO $schema.lease VALUES (name_, '', 0, 0) ON CONFLICT DO NOTHING;
  END LOOP;
  now := $schema.now_ms();
  IF known.ends_at > now AND known.holder <> holder_ THEN RETURN NULL; END IF;
  known.fence := nextval('$schema.fence');
  UPDATE $schema.lease l SET holder = holder_, fence = known.fence, ends_at = now + ttl
    WHERE l.name = name_;
  RETURN known.fence;
END $$;

CREATE FUNCTION $schema.renew_lease(name_ text, fence_ bigint, ttl bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  known $schema.lease;
BEGIN
  PERFORM $schema.durably();
  SELECT * INTO known FROM $schema.lease l WHERE l.name = name_ AND l.fence = fence_ FOR UPDATE;
  IF NOT FOUND OR known.ends_at <= $schema.now_ms() THEN RETURN false; END IF;
  UPDATE $schema.lease l SET ends_at = $schema.now_ms() + ttl WHERE l.name = name_;
  RETURN true;
END $$;

CREATE FUNCTION $schema.give_lease_back(name_ text, fence_ bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE $schema.lease SET ends_at = 0 WHERE name = name_ AND fence = fence_
$$;

-- Removes what nobody asks for any more, and nothing that somebody holds.
CREATE FUNCTION $schema.sweep(most int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now bigint := $schema.now_ms();
BEGIN
  DELETE FROM $schema.held WHERE (key, call_id) IN (SELECT key, call_id FROM $schema.held
    WHERE ends_at < now - 60000 LIMIT most FOR UPDATE SKIP LOCKED);
  DELETE FROM $schema.budget WHERE key IN (SELECT key FROM $schema.budget
    WHERE window_start + 2 * window_ms < now - 60000 LIMIT most FOR UPDATE SKIP LOCKED);
  DELETE FROM $schema.keyed_call WHERE key IN (SELECT key FROM $schema.keyed_call
    WHERE ends_at < now - 60000 LIMIT most FOR UPDATE SKIP LOCKED);
  DELETE FROM $schema.approval WHERE id IN (SELECT id FROM $schema.approval
    WHERE ends_at < now - 86400000 LIMIT most FOR UPDATE SKIP LOCKED);
  DELETE FROM $schema.lease WHERE name IN (SELECT name FROM $schema.lease
    WHERE ends_at < now - 3600000 LIMIT most FOR UPDATE SKIP LOCKED);
END $$;
`;
/** Versions of the tables, from 1. Never change a released one; add a new one. */
export const migrations: readonly string[] = [first, second, third, fourth];
