-- Personal access tokens (ACC-5). Reasons: docs/decisions/053-personal-access-tokens.md

alter table access_tokens
  -- What it may be used for; '*' is what an app got that signed in as the person.
  add column abilities text[] not null default '{*}' check (cardinality(abilities) > 0),
  -- The provider whose word the second factor of the session was in which it was made.
  add column factor_issuer text;
alter table access_tokens
  alter column abilities drop default,
  add check (abilities = '{*}' or not '*' = any(abilities));
