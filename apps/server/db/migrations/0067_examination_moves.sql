-- What was done with each examination as a whole, one row a move (CHAT-7). Reasons: docs/decisions/073-moves-in-the-outbox.md

-- The key says that a version was made by one move alone. A press that is sent again, by its client id, is answered with what it made;
-- a press that follows another says which, and counts only on the version that came of that one.
create table examination_moves (
  examination_id uuid not null references examinations,
  version integer not null check (version > 1),
  event text not null check (event in ('request', 'start', 'return', 'sign', 'amend', 'cancel', 'mark_in_error')),
  moved_by uuid not null references users,
  moved_at timestamptz not null default now(),
  client_id uuid,
  -- Of what was asked for under the client id.
  request_sha256 bytea,
  primary key (examination_id, version),
  check ((client_id is null) = (request_sha256 is null))
);
create unique index examination_moves_client_id_idx on examination_moves (moved_by, client_id) where client_id is not null;
