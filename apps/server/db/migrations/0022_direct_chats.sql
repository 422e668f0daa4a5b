-- Two people of a facility have one direct chat (CHAT-17): its row names the pair, in the order of their ids.

alter table chats
  add column direct_low uuid references users,
  add column direct_high uuid references users,
  add constraint chats_direct_order check (direct_low < direct_high);

-- Nothing held a direct chat to two people before, nor a pair to one chat. The newest one of each pair stays it; whatever else
-- was called direct is a group under the title that it has. Nothing that was stored before changes, so sync has nothing to tell.
alter table chats disable trigger chats_stamp_change;
with pairs as (
  select c.id, c.facility_id, c.updated_at, 
    (array_agg(p.user_id order by p.user_id))[1] as low, (array_agg(p.user_id order by p.user_id))[2] as high
  from chats c join chat_participants p on p.chat_id = c.id
  where c.kind = 'direct'
  group by c.id having count(*) = 2
), kept as (
  select distinct on (facility_id, low, high) id, low, high from pairs order by facility_id, low, high, updated_at desc, id desc
)
update chats set direct_low = kept.low, direct_high = kept.high from kept where chats.id = kept.id;
update chats set kind = 'group' where kind = 'direct' and direct_low is null;
alter table chats enable trigger chats_stamp_change;

alter table chats add constraint chats_direct_pair
  check ((kind = 'direct') = (direct_low is not null) and (direct_low is null) = (direct_high is null));
create unique index chats_direct_key on chats (facility_id, direct_low, direct_high) where direct_low is not null;
