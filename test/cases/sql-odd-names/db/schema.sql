-- Names that every object in JavaScript has.
CREATE TABLE odd (
  id int PRIMARY KEY,
  "constructor" text NOT NULL,
  "toString" text,
  "__proto__" text,
  "hasOwnProperty" boolean
);
