-- For tables whose rows are only ever added.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create or replace trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();
create or replace trigger messages_no_truncate before truncate on messages
  for each statement execute function refuse_change();
create or replace trigger unit_census_revisions_append_only before update or delete on unit_census_revisions
  for each row execute function refuse_change();
create or replace trigger unit_census_revisions_no_truncate before truncate on unit_census_revisions
  for each statement execute function refuse_change();
create or replace trigger census_log_no_truncate before truncate on census_log
  for each statement execute function refuse_change();
create or replace trigger signed_days_append_only before update or delete on signed_days
  for each row execute function refuse_change();
create or replace trigger signed_days_no_truncate before truncate on signed_days
  for each statement execute function refuse_change();
create or replace trigger message_versions_no_truncate before truncate on message_versions
  for each statement execute function refuse_change();
create or replace trigger escalation_entries_no_truncate before truncate on escalation_entries
  for each statement execute function refuse_change();
create or replace trigger audit_chain_append_only before update or delete on audit_chain
  for each row execute function refuse_change();
create or replace trigger audit_chain_no_truncate before truncate on audit_chain
  for each statement execute function refuse_change();
create or replace trigger audit_head_no_removal before delete on audit_head
  for each row execute function refuse_change();
create or replace trigger audit_head_no_truncate before truncate on audit_head
  for each statement execute function refuse_change();
create or replace trigger examination_templates_append_only before update or delete on examination_templates
  for each row execute function refuse_change();
create or replace trigger examination_templates_no_truncate before truncate on examination_templates
  for each statement execute function refuse_change();
create or replace trigger examination_reports_append_only before update or delete on examination_reports
  for each row execute function refuse_change();
create or replace trigger examination_reports_no_truncate before truncate on examination_reports
  for each statement execute function refuse_change();
create or replace trigger examination_receipts_append_only before update or delete on examination_receipts
  for each row execute function refuse_change();
create or replace trigger examination_receipts_no_truncate before truncate on examination_receipts
  for each statement execute function refuse_change();
create or replace trigger examination_moves_append_only before update or delete on examination_moves
  for each row execute function refuse_change();
create or replace trigger examination_moves_no_truncate before truncate on examination_moves
  for each statement execute function refuse_change();
create or replace trigger critical_read_backs_append_only before update or delete on critical_read_backs
  for each row execute function refuse_change();
create or replace trigger critical_read_backs_no_truncate before truncate on critical_read_backs
  for each statement execute function refuse_change();
create or replace trigger critical_decisions_append_only before update or delete on critical_decisions
  for each row execute function refuse_change();
create or replace trigger critical_decisions_no_truncate before truncate on critical_decisions
  for each statement execute function refuse_change();
create or replace trigger examination_imports_append_only before update or delete on examination_imports
  for each row execute function refuse_change();
create or replace trigger examination_imports_no_truncate before truncate on examination_imports
  for each statement execute function refuse_change();
create or replace trigger handover_sheets_append_only before update or delete on handover_sheets
  for each row execute function refuse_change();
create or replace trigger handover_sheets_no_truncate before truncate on handover_sheets
  for each statement execute function refuse_change();
create or replace trigger handover_receipts_append_only before update or delete on handover_receipts
  for each row execute function refuse_change();
create or replace trigger handover_receipts_no_truncate before truncate on handover_receipts
  for each statement execute function refuse_change();
