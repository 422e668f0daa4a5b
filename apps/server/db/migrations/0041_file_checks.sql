-- The look for malware in files of messages, and the shape of voice notes (CHAT-14). Reasons: docs/decisions/041-malware-and-voice.md

alter table attachments
  -- What the look found. Null: none was set up when the file came. Only files with null or clean are given to anybody; unchecked ones
  -- could not be looked at for good, as they are too large for it.
  add column scan text check (scan in ('pending', 'clean', 'infected', 'unchecked')),
  -- Of a voice note: how long it is and, where that is known, how loud from its beginning to its end, as the device says that recorded it.
  add column duration_ms integer check (duration_ms between 1 and 3600000),
  add column peaks smallint[] check (
    cardinality(peaks) between 8 and 64 and 0 <= all (peaks) and 100 >= all (peaks) and array_position(peaks, null) is null
  ),
  add constraint attachments_voice_check check (peaks is null or duration_ms is not null);
create index attachments_pending_scan_idx on attachments (created_at) where scan = 'pending';
