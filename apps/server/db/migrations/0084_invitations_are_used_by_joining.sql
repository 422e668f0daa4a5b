-- Signing up holds an invitation; joining uses it. Of those that are still being waited for nobody has joined: a registration
-- goes with the account that comes of it.
update invitations i set used_at = null
where i.used_at is not null and exists (select from registrations g where g.invitation_id = i.id);
