CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE notes (body text NOT NULL, mood mood NOT NULL, level int2 NOT NULL);
