-- needs: wall_actor, wall_administers, wall_census, wall_chats, wall_facilities
-- The second wall (docs/decisions/057): what the server's role is given of each table goes by whom its connection works for, whatever
-- a query forgot to ask. A new table that holds anything of a facility gets its line here; walls.test.ts says which. The policies are dropped
-- with the views, before the migrations, and made anew here.
--
-- A wall is one question of a row: is it of the facility, the chat, the census of a facility, or of another row that is seen.
-- What it asks of the person stands in a subquery of its own, asked once for a statement. There are as few of these as can be: each
-- costs every statement its beginning, asked or not. For the system's own work the array of facilities is null, so that of no row
-- the answer is false; for everybody else it is an array.
create or replace function build_walls() returns void language plpgsql as $$
declare
  -- The system's own work, stated as such; the system administration is somebody's, and has a part of it.
  is_open constant text := $q$current_setting('wardline.system', true) not in ('', 'administration')$q$;
  -- An authorised change reaches the facility, since it adds people to chats and follows them out of chats.
  is_reaching constant text := $q$current_setting('wardline.reach', true) = 'facilities'$q$;
  open constant text := format('(select %s)', is_open);
  of_facility constant text := format(
    '(%%I = any ((select case when %s then null else wall_facilities() end)::uuid[])) is not false', is_open);
  -- What a facility is, and who belongs to it.
  of_administered constant text := format(
    '(%%I = any ((select case when %s or wall_administers() then null else wall_facilities() end)::uuid[])) is not false', is_open);
  of_reached constant text := format(
    '(%%I = any ((select case when %s then null when %s then wall_facilities() else ''{}'' end)::uuid[])) is not false',
    is_open, is_reaching);
  of_census constant text := format(
    '(facility_no = any ((select case when %s then null else wall_census() end)::integer[])) is not false', is_open);
  of_chat constant text := '%I in (select c from wall_chats() as c)';
  of_actor constant text := '%I = (select wall_actor())';
  wall record;
begin
  for wall in
    -- Of a chat that the person is in.
    select name, format(of_reached || ' or ' || of_chat, 'facility_id', chat) as question
    from (values
      ('chat_roles', 'chat_id'), ('chats', 'id'), ('critical_alerts', 'chat_id'), ('examinations', 'chat_id'), ('handovers', 'chat_id'),
      ('messages', 'chat_id')
    ) as k (name, chat)
    union all
    -- The same, and one's own first: a list of one's chats asks nothing else.
    select 'chat_participants', format(of_actor || ' or ' || of_reached || ' or ' || of_chat, 'user_id', 'facility_id', 'chat_id')
    union all
    -- The same, and what one has begun to send to somebody, whose chat with one may not be there yet.
    select 'attachments', format(
      of_reached || ' or ' || of_chat || ' or made_chat_id is null and ' || of_actor, 'facility_id', 'chat_id', 'uploader_id')
    union all
    -- What one has begun to write, while one may read what it answers.
    select 'chat_drafts', format('%s or ' || of_actor || ' and ' || of_chat, open, 'user_id', 'chat_id')
    union all
    select name, format(of_facility, 'facility_id')
    from unnest(array[
      'call_counts', 'census_units', 'duty_statements', 'emergency_accesses', 'escalation_ladders', 'escalations', 'examination_forms', 'legal_holds',
      'invitation_import_lines', 'laboratory_feeds', 'laboratory_messages', 'laboratory_results',
      'invitation_imports', 'message_templates', 'on_call_roles', 'on_call_shifts', 'on_call_turns', 'retention_policies', 'retention_rules', 'scim_tokens', 'scim_users',
      'urgent_answers'
    ]) as k (name)
    union all
    select name, format(of_administered, 'facility_id')
    from unnest(array['census_facilities', 'invitation_roles', 'invitations', 'membership_roles', 'roles', 'units']) as k (name)
    union all
    select 'facilities', format(of_administered, 'id')
    union all
    select 'memberships', format(of_actor || ' or ' || of_administered, 'user_id', 'facility_id')
    union all
    -- Those that come with Wardline are of no facility.
    select 'examination_templates', format(
      '%s or facility_id is null and (select wall_actor()) is not null or facility_id = any ((select wall_facilities())::uuid[])', open)
    union all
    select name, of_census
    from unnest(array[
      'adt_beds', 'adt_events', 'adt_merges', 'adt_movements', 'adt_rejects', 'adt_stays', 'adt_unknown_stays', 'bed_complements',
      'census_alerts', 'census_estimates', 'census_log', 'census_log_verifications', 'census_proposals', 'census_restatements',
      'census_snapshots', 'deleted_units', 'facility_days', 'facility_months', 'nursing_hours', 'signed_days', 'unit_census', 'unit_months',
      'unit_transfers'
    ]) as k (name)
    union all
    -- The census begins with its facility.
    select name, of_census || ' or (select wall_administers())' from unnest(array['census_hours', 'census_log_heads']) as k (name)
    union all
    -- Of a unit that is seen.
    select name, format('%s or unit_no in (select u.unit_no from census_units u)', open)
    from unnest(array['census_assignments', 'census_discussions', 'census_notices', 'unit_census_revisions']) as k (name)
    union all
    -- Of another row that is seen: one look by its key, never a set of all there are.
    select name, format('%s or (select true from %I o where o.id = %I.%I)', open, owner, name, key)
    from (values
      ('chat_notification_queue', 'chats', 'chat_id'),
      ('critical_decisions', 'examinations', 'examination_id'),
      ('critical_read_backs', 'critical_alerts', 'alert_id'),
      ('escalation_entries', 'escalations', 'escalation_id'),
      ('escalation_people', 'escalations', 'escalation_id'),
      ('examination_entries', 'examinations', 'examination_id'),
      ('examination_imports', 'examinations', 'examination_id'),
      ('examination_moves', 'examinations', 'examination_id'),
      ('examination_receipts', 'examinations', 'examination_id'),
      ('examination_reports', 'examinations', 'examination_id'),
      ('handover_actions', 'handovers', 'handover_id'),
      ('handover_receipts', 'handovers', 'handover_id'),
      ('handover_sheets', 'handovers', 'handover_id'),
      ('message_citations', 'messages', 'message_id'),
      ('message_versions', 'messages', 'message_id')
    ) as k (name, owner, key)
    union all
    select name, format('%s or ' || of_actor || ' or (select true from chats o where o.id = %I.chat_id)', open, 'user_id', name)
    from unnest(array['chat_notifications', 'message_mentions']) as k (name)
    union all
    select name, format('%s or ' || of_actor, open, of_person)
    from (values ('audit_reads', 'actor_id'), ('own_data_copies', 'user_id')) as k (name, of_person)
  loop
    execute format('alter table %I enable row level security', wall.name);
    execute format('create policy wall on %I using (%s) with check (%2$s)', wall.name, wall.question);
  end loop;

  -- Everybody's entries are added, whatever they are about; they are one's own, or read by who was
  -- allowed to look into the audit of their facility, which has the sign-ins of its members as well.
  alter table audit_entries enable row level security;
  create policy wall_added on audit_entries for insert with check (true);
  execute format(
    'create policy wall on audit_entries for select using (%s or actor_id = (select wall_actor())
      or (select %s) and (facility_id is null or facility_id = any ((select wall_facilities())::uuid[])))', open, is_reaching);
end $$;

revoke execute on function build_walls from public;
select build_walls();
