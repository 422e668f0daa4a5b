-- One function that is not marked keeps a whole statement on one core: the walk over a log was.
alter function census_log_tombstone(integer, bigint, integer) parallel safe;
