-- A critical result that no chat matches calls who may assign it. Reasons: docs/decisions/069-laboratory-results.md

-- Whether something in it is critical, by the laboratory's flag or our own limits, as of when it came.
alter table laboratory_results add column is_critical boolean not null default false;
update laboratory_results set is_critical = true
where state = 'unmatched' and report @? '$.findings[*] ? (@.interpretation == "LL" || @.interpretation == "HH" || @.interpretation == "AA")';
create index laboratory_results_critical_idx on laboratory_results (facility_id) where state = 'unmatched' and is_critical;

-- The discussion of who may assign, and the message in it that calls them; the last one, where none does now.
alter table laboratory_feeds
  add column discussion_chat_id uuid,
  add column call_message_id uuid references messages,
  add foreign key (discussion_chat_id, facility_id) references chats (id, facility_id);

alter table messages
  drop constraint messages_act_kind_check,
  add constraint messages_act_kind_check check (act_kind in ('census.alert', 'examination', 'handover', 'laboratory_result'));
