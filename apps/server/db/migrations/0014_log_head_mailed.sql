-- Up to which entry the head of the log has left by mail with a signed day.

alter table facility_days add column log_mailed_seq bigint;
