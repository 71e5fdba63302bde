--liquibase formatted sql

--changeset orders:1
CREATE TABLE orders (id bigint PRIMARY KEY);
