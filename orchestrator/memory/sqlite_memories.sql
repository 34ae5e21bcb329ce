CREATE TABLE doctor_context (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    content TEXT NOT NULL,
    embedding BLOB,
    source TEXT NOT NULL,
    tipo TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    conversation TEXT NOT NULL,
    expires_on TEXT
);

CREATE INDEX doctor_context_of_subject ON doctor_context (subject);

PRAGMA user_version = {version};
