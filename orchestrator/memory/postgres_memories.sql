CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE doctor_context (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    subject CHAR(64) NOT NULL,
    content TEXT NOT NULL,
    embedding vector({dimensions}),
    source VARCHAR(50) NOT NULL,
    tipo VARCHAR(50) NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    conversation TEXT NOT NULL,
    expires_on DATE
);

CREATE INDEX doctor_context_of_subject ON doctor_context (subject);

COMMENT ON TABLE doctor_context IS '{schema}';
