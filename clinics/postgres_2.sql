ALTER TABLE clinic ADD COLUMN agenda text
