CREATE TYPE size AS ENUM ('small', 'large');
CREATE TYPE pair AS (a integer, b text);
CREATE DOMAIN email AS text NOT NULL DEFAULT 'post@example.com' CHECK (VALUE LIKE '%@%');
CREATE DOMAIN work_email AS email;

CREATE TABLE defaults (
  id integer PRIMARY KEY,
  bits bit(3) DEFAULT B'101',
  code char(3) DEFAULT 'abc',
  took interval DEFAULT '1 day',
  data jsonb DEFAULT '{"a": 1}',
  numbers integer[] DEFAULT ARRAY[1, 2],
  by_whom text DEFAULT CURRENT_USER,
  on_day date DEFAULT CURRENT_DATE,
  amount numeric DEFAULT -1.5,
  due timestamptz DEFAULT now() + '1 day'::interval,
  at time DEFAULT '12:30',
  couple pair DEFAULT ROW(1, 'a'),
  span int4range DEFAULT '[1,2)',
  note text DEFAULT 'it''s',
  price money DEFAULT 1,
  size size DEFAULT 'small',
  joined varchar(4) DEFAULT 'x' || 'y',
  sizes size[] DEFAULT '{small}',
  share float8 DEFAULT 1e10,
  bytes bytea DEFAULT '\x00',
  mail work_email
);

CREATE TABLE by_char (id char(3) PRIMARY KEY, at timestamptz NOT NULL, row_version bigint NOT NULL);
CREATE TABLE by_bytes (id bytea PRIMARY KEY);
CREATE TABLE by_interval (id interval PRIMARY KEY, lock_version smallint NOT NULL DEFAULT 0);
CREATE TABLE by_email (id work_email PRIMARY KEY, note text);
CREATE TABLE by_range (id int4range PRIMARY KEY, note text);
CREATE TABLE by_list (id integer[] PRIMARY KEY, note text);
CREATE TABLE by_size (id size, day date, PRIMARY KEY (day, id) INCLUDE (note), note text);
