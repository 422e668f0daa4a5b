import { type FacilityFormat, USUAL_FORMAT } from '@wardline/format/facility-format.ts';

const KEY = 'wardline-format';
let shown: FacilityFormat | null = null;

/** How this page writes times and dates: as the facility one is in does. Kept, so that a page without a network agrees. */
export function shownFormat(): FacilityFormat {
  shown ??= read(stored());
  return shown;
}

/** From now on as this facility does; whoever draws anew shows it. */
export function showFormat({ hour_cycle, date_order }: FacilityFormat): void {
  const before = shownFormat();
  if (before.hour_cycle === hour_cycle && before.date_order === date_order) return;
  shown = { hour_cycle, date_order };
  try {
    localStorage.setItem(KEY, `${hour_cycle} ${date_order}`);
  } catch {
    // Storage is closed: it is asked again next time.
  }
}

function stored(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

function read(text: string): FacilityFormat {
  const { hour_cycle, date_order } = USUAL_FORMAT;
  return {
    hour_cycle: text.startsWith('h12') ? 'h12' : hour_cycle,
    date_order: text.endsWith('mdy') ? 'mdy' : date_order,
  };
}
