CREATE TABLE parcel (
    id      bigint PRIMARY KEY,
    status  text NOT NULL,
    version integer NOT NULL
);
