CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE DOMAIN short_name AS varchar(12) CHECK (VALUE <> '');

CREATE TABLE people (
  id bigint PRIMARY KEY,
  key uuid NOT NULL UNIQUE,
  name short_name NOT NULL,
  nick varchar(8),
  age smallint,
  height numeric(4, 1),
  weight real,
  mood mood NOT NULL DEFAULT 'good',
  moods mood[],
  visits integer NOT NULL DEFAULT 0,
  lucky integer[],
  born date,
  wakes time,
  seen_at timestamptz,
  local_at timestamp,
  stay interval,
  photo bytea,
  extra jsonb,
  active boolean NOT NULL DEFAULT true
);
