-- The newest hand-over of each patient of a unit (HAND-1). Reasons: docs/decisions/074-handover-list.md

-- A correction gives one anew, so the newest is not that with the highest id.
create index handovers_newest_idx on handovers (chat_id, given_at desc, id desc) where state <> 'withdrawn';
