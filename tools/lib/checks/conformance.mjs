const byNumber = new Intl.Collator('en', { numeric: true });

/** The ids of the list, one a line. */
export const idsOfList = (text) => text.split(/\s+/).filter(Boolean);

/** The list of these ids, sorted, each once, one a line. */
export const listOfIds = (ids) => `${[...new Set(ids)].sort(byNumber.compare).join('\n')}\n`;

/** The ids that tests carry now, sorted; those of the list that no test carries, and those that the list does not have. */
export function compareIds(listed, found) {
  const ids = [...found].sort(byNumber.compare);
  return { ids, lost: listed.filter((id) => !found.includes(id)), added: ids.filter((id) => !listed.includes(id)) };
}
