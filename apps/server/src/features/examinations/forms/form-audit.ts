/** So much of what changed is told; the versions themselves say all of it. */
const MOST_CHANGES = 40;
const LONGEST = 200;

interface Place {
  readonly facilityId: string;
  readonly formId: string;
}

/** The audit entry of a change of a form, which says what changed in words. */
export function formChange(
  { facilityId, formId }: Place,
  { changes, ...detail }: { readonly changes?: readonly string[]; readonly [name: string]: unknown },
) {
  const told = changes?.slice(0, MOST_CHANGES).map((text) => text.slice(0, LONGEST));
  const more = (changes?.length ?? 0) - (told?.length ?? 0);
  return {
    ...{ facilityId, objectType: 'examination_form', objectId: formId },
    detail: { ...detail, ...(told && { changes: told }), ...(more > 0 && { further_changes: more }) },
  };
}
