CREATE TABLE clinic (id text PRIMARY KEY, key bytea NOT NULL, version int NOT NULL, revision bigint NOT NULL);
CREATE UNIQUE INDEX one_clinic ON clinic ((true));

CREATE TABLE slot (
    position int PRIMARY KEY, revision bigint NOT NULL, doctor_key text NOT NULL,
    doctor text NOT NULL, specialty text NOT NULL, date text NOT NULL, "time" text NOT NULL,
    available boolean NOT NULL, patient_name text, cpf text, visit text, visit_revision int, closed text,
    holder bigint, during int8range,
    UNIQUE (doctor_key, date, "time"),
    CHECK (available = (cpf IS NULL AND closed IS NULL)), CHECK ((cpf IS NULL) = (holder IS NULL)),
    CONSTRAINT one_visit_at_a_time EXCLUDE USING gist
        (int8range(holder, holder, '[]') WITH &&, during WITH &&) DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX slot_revision ON slot (revision);

CREATE TABLE request (key text PRIMARY KEY, at text NOT NULL, record text NOT NULL, revision bigint NOT NULL);
CREATE INDEX request_at ON request (at);
CREATE INDEX request_revision ON request (revision)
