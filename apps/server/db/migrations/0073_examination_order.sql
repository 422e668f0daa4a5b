-- Devices make the ids of the examinations that they begin (EXAM-1), so these do not say which is newer. Reasons: docs/decisions/078-examinations-begun-offline.md

create index examinations_chat_created_idx on examinations (chat_id, created_at desc, id desc);
drop index examinations_chat_idx;
