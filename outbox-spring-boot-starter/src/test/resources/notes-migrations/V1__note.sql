CREATE TABLE note (id bigint PRIMARY KEY, text text NOT NULL);
