-- needs: fold_identifier
-- Whether a legal hold reaches a chat as a whole: it is held itself, or the patient whom it is about.
create or replace function is_chat_held(of_chat chats) returns boolean language sql stable as $$
  select exists (
    select from legal_holds h
    where h.facility_id = of_chat.facility_id and h.lifted_at is null and (
      h.chat_id = of_chat.id
      or of_chat.kind = 'case' and fold_identifier(h.patient_identifier) = fold_identifier(of_chat.patient_identifier)
    )
  )
$$;
