-- The number of a patient as it is compared: letters and digits in small letters, without `mrn` before them, since people and laboratories
-- write it with or without marks. One that has neither is itself, so that a legal hold on it reaches it and no other. As the index
-- chats_of_patient_number has it; foldIdentifier of packages/format does the same for numbers.
create or replace function fold_identifier(identifier text) returns text language sql immutable as $$
  select coalesce(nullif(regexp_replace(regexp_replace(lower(identifier), '[^[:alnum:]]', '', 'g'), '^mrn', ''), ''), lower(identifier))
$$;
