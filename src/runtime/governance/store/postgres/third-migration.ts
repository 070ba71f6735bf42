/**
 * Stores requests for approval. `$schema` stands for the schema's name, as in the first migration.
 * Approvals of earlier versions have no request.
 */
export const third = `
CREATE TABLE $schema.request (
  id text PRIMARY KEY,
  request text NOT NULL,
  -- Digests.
  tool text NOT NULL,
  tenant text,
  subject text,
  state text NOT NULL,
  at bigint NOT NULL,
  ends_at bigint NOT NULL,
  decision text,
  decided_at bigint,
  approval text
);
CREATE INDEX ON $schema.request (at);
CREATE INDEX ON $schema.request (tenant, at);
CREATE INDEX ON $schema.request (ends_at);

CREATE FUNCTION $schema.request_row(r $schema.request) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('request', r.request, 'state', r.state, 'at', r.at, 'ends', r.ends_at,
    'decision', r.decision, 'decidedAt', r.decided_at)
$$;

CREATE FUNCTION $schema.save_request(
  id_ text, request_ text, tool_ text, tenant_ text, subject_ text, ttl bigint
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  known $schema.request;
  now bigint;
BEGIN
  PERFORM $schema.durably();
  LOOP
    SELECT * INTO known FROM $schema.request r WHERE r.id = id_ FOR UPDATE;
    EXIT WHEN FOUND;
    -- It has expired, until it is replaced below.
    INSERT INTO $schema.request AS r (id, request, tool, state, at, ends_at)
      VALUES (id_, request_, tool_, 'pending', 0, 0) ON CONFLICT DO NOTHING;
  END LOOP;
  now := $schema.now_ms();
  IF known.ends_at > now AND (known.state <> 'approved' OR EXISTS (
    SELECT FROM $schema.approval a
    WHERE a.id = known.approval AND a.used_by IS NULL AND a.ends_at > now))
  THEN
    RETURN json_build_object('isNew', false, 'row', $schema.request_row(known));
  END IF;
  UPDATE $schema.request r
    SET request = request_, tool = tool_, tenant = tenant_, subject = subject_, state = 'pending',
        at = now, ends_at = now + ttl, decision = NULL, decided_at = NULL, approval = NULL
    WHERE r.id = id_ RETURNING * INTO known;
  RETURN json_build_object('isNew', true, 'row', $schema.request_row(known));
END $$;

CREATE FUNCTION $schema.read_request(id_ text) RETURNS json LANGUAGE sql AS $$
  SELECT $schema.request_row(r) FROM $schema.request r
  WHERE r.id = id_ AND r.ends_at > $schema.now_ms()
$$;

CREATE FUNCTION $schema.deny_request(id_ text, decision_ text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  known $schema.request;
  now bigint;
BEGIN
  PERFORM $schema.durably();
  SELECT * INTO known FROM $schema.request r WHERE r.id = id_ FOR UPDATE;
  now := $schema.now_ms();
  IF known.id IS NULL OR known.ends_at <= now THEN RETURN 'none'; END IF;
  IF known.state <> 'pending' THEN RETURN known.state; END IF;
  UPDATE $schema.request r SET state = 'denied', decision = decision_, decided_at = now
    WHERE r.id = id_;
  RETURN 'denied';
END $$;

-- Stores an approval and approves its request. False if the request was denied.
CREATE FUNCTION $schema.approve_request(
  approval_id text, approval_ text, ttl bigint, decision_ text,
  id_ text, request_ text, tool_ text, tenant_ text, subject_ text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known $schema.request;
  now bigint;
BEGIN
  PERFORM $schema.durably();
  LOOP
    SELECT * INTO known FROM $schema.request r WHERE r.id = id_ FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO $schema.request AS r (id, request, tool, state, at, ends_at)
      VALUES (id_, request_, tool_, 'pending', 0, 0) ON CONFLICT DO NOTHING;
  END LOOP;
  now := $schema.now_ms();
  IF known.ends_at > now AND known.state = 'denied' THEN RETURN false; END IF;
  INSERT INTO $schema.approval VALUES (approval_id, approval_, now, now + ttl);
  IF known.ends_at <= now THEN
    UPDATE $schema.request r
      SET request = request_, tool = tool_, tenant = tenant_, subject = subject_, at = now
      WHERE r.id = id_;
  END IF;
  UPDATE $schema.request r
    SET state = 'approved', ends_at = now + ttl, decision = decision_, decided_at = now,
        approval = approval_id
    WHERE r.id = id_;
  RETURN true;
END $$;

-- Removes expired rows, at most so many of each table. True if a table had as many: it may have
-- more of them.
CREATE OR REPLACE FUNCTION $schema.sweep_all(most int) RETURNS boolean LANGUAGE plpgsql AS $$
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
    request AS (
      DELETE FROM $schema.request WHERE id IN (SELECT id FROM $schema.request
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
    (SELECT count(*) FROM keyed_call), (SELECT count(*) FROM request),
    (SELECT count(*) FROM approval), (SELECT count(*) FROM lease),
    (SELECT count(*) FROM lease_waiter), (SELECT count(*) FROM taken)) INTO swept;
  RETURN swept >= most;
END $$;
`;
