-- needs: wall_actor, wall_administers, wall_census, wall_chats, wall_facilities
-- The second wall (docs/decisions/057): what the server's role is given of each table goes by whom its connection works for, whatever
-- a query forgot to ask. A new table that holds anything of a facility gets its line here; walls.test.ts says which. The policies are dropped
-- with the views, before the migrations, and made anew here.
--
-- A wall is one question of a row: is it of the facility, the chat, the census of a facility, or of another row that is seen.
-- What it asks of the person is asked once for a statement: the functions stand in subqueries of their own.
create or replace function build_walls() returns void language plpgsql as $$
declare
  -- The system's own work, stated as such; the system administration is somebody's, and has a part of it.
  open constant text := $q$(select current_setting('wardline.system', true) not in ('', 'administration'))$q$;
  administered constant text[] := array[
    'census_facilities', 'census_hours', 'census_log_heads', 'facilities', 'invitation_roles', 'invitations', 'membership_roles',
    'memberships', 'roles', 'units'
  ];
  -- An authorised change reaches the facility, since it adds people to chats and follows them out of chats.
  reaching constant text := $q$(select current_setting('wardline.reach', true) = 'facilities')$q$;
  facilities constant text := $q$any ((select wall_facilities())::uuid[])$q$;
  wall record;
begin
  for wall in
    select t.name, format('%s or %s', open, t.question)
      || case when t.name = any (administered) then ' or (select wall_administers())' else '' end as question
    from (
      -- Of a chat that the person is in.
      select name, format('%s and facility_id = %s or %s in (select c from wall_chats() as c)', reaching, facilities, of_chat)
      from (values
        ('attachments', 'chat_id'), ('chats', 'id'), ('critical_alerts', 'chat_id'), ('examinations', 'chat_id'), ('handovers', 'chat_id'),
        ('messages', 'chat_id')
      ) as k (name, of_chat)
      union all
      -- The same, and one's own first: a list of one's chats asks nothing else.
      select 'chat_participants', format(
        'user_id = (select wall_actor()) or %s and facility_id = %s or chat_id in (select c from wall_chats() as c)', reaching, facilities)
      union all
      -- What one has begun to write, while one may read what it answers.
      select 'chat_drafts', 'user_id = (select wall_actor()) and chat_id in (select c from wall_chats() as c)'
      union all
      select name, format('facility_id = %s', facilities)
      from unnest(array[
        'call_counts', 'census_facilities', 'census_units', 'duty_statements', 'emergency_accesses', 'escalation_ladders',
        'escalations', 'invitation_roles', 'invitations', 'legal_holds', 'membership_roles', 'message_templates', 'on_call_roles',
        'on_call_shifts', 'retention_policies', 'retention_rules', 'roles', 'scim_tokens', 'scim_users', 'units', 'urgent_answers'
      ]) as k (name)
      union all
      select 'facilities', format('id = %s', facilities)
      union all
      -- Those that come with Wardline are of no facility.
      select 'examination_templates', format(
        'facility_id is null and (select wall_actor()) is not null or facility_id = %s', facilities)
      union all
      select 'memberships', format('user_id = (select wall_actor()) or facility_id = %s', facilities)
      union all
      select name, 'facility_no = any ((select wall_census())::integer[])'
      from unnest(array[
        'adt_beds', 'adt_events', 'adt_merges', 'adt_movements', 'adt_rejects', 'adt_stays', 'adt_unknown_stays', 'bed_complements',
        'census_alerts', 'census_estimates', 'census_hours', 'census_log', 'census_log_heads', 'census_log_verifications',
        'census_proposals', 'census_restatements', 'census_snapshots', 'facility_days', 'facility_months', 'nursing_hours',
        'signed_days', 'unit_census', 'unit_months', 'unit_transfers'
      ]) as k (name)
      union all
      -- Of a unit that is seen.
      select name, 'unit_no in (select u.unit_no from census_units u)'
      from unnest(array['census_assignments', 'census_discussions', 'census_notices', 'unit_census_revisions']) as k (name)
      union all
      -- Of another row that is seen: one look by its key, never a set of all there are.
      select name, format('(select true from %I o where o.id = %I.%I)', owner, name, key)
      from (values
        ('chat_notification_queue', 'chats', 'chat_id'),
        ('critical_decisions', 'examinations', 'examination_id'),
        ('critical_read_backs', 'critical_alerts', 'alert_id'),
        ('escalation_entries', 'escalations', 'escalation_id'),
        ('escalation_people', 'escalations', 'escalation_id'),
        ('examination_entries', 'examinations', 'examination_id'),
        ('examination_receipts', 'examinations', 'examination_id'),
        ('examination_reports', 'examinations', 'examination_id'),
        ('handover_actions', 'handovers', 'handover_id'),
        ('handover_receipts', 'handovers', 'handover_id'),
        ('handover_sheets', 'handovers', 'handover_id'),
        ('message_citations', 'messages', 'message_id'),
        ('message_versions', 'messages', 'message_id')
      ) as k (name, owner, key)
      union all
      select name, format('user_id = (select wall_actor()) or (select true from chats o where o.id = %I.chat_id)', name)
      from unnest(array['chat_notifications', 'message_mentions']) as k (name)
      union all
      select name, format('%I = (select wall_actor())', of_person)
      from (values ('audit_reads', 'actor_id'), ('own_data_copies', 'user_id')) as k (name, of_person)
    ) as t (name, question)
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
      or %s and (facility_id is null or facility_id = %s))', open, reaching, facilities);
end $$;

revoke execute on function build_walls from public;
select build_walls();
