-- A short name is the name of one facility: messages of patient systems, files and groups of a provider find it by that.
-- Where several have one already, all but the oldest go on with it until they are renamed: what reads them is not sent elsewhere
-- by a start.
alter table facilities add column code_is_shared boolean not null default false;

update facilities f set code_is_shared = true
where exists (select from facilities o where o.code = f.code and (o.created_at, o.id) < (f.created_at, f.id));

create unique index facilities_code_key on facilities (code) where not code_is_shared;
