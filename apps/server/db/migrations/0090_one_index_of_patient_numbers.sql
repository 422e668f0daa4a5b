-- A patient's number is compared in one way everywhere (fold_identifier), so that one index serves. Reasons: docs/decisions/087-one-number-of-a-patient.md
create index chats_of_patient_number on chats
  (facility_id, coalesce(nullif(regexp_replace(regexp_replace(lower(patient_identifier), '[^[:alnum:]]', '', 'g'), '^mrn', ''), ''), lower(patient_identifier)))
  where kind = 'case';
drop index chats_of_patient;
drop index chats_of_folded_patient;
