import { File, MessageSquare, Search, UserRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#/button/button.tsx';
import { Dialog } from '#/dialog/dialog.tsx';
import { Icon } from '#/icon/icon.tsx';
import { Kbd } from '#/mark/kbd.tsx';
import type { Specimen } from '../specimen.ts';

const GROUPS = [
  { title: 'Pages', entries: [{ icon: File, label: 'Dashboard', keys: ['G', 'D'] }] },
  {
    title: 'Chats',
    entries: [
      { icon: MessageSquare, label: 'Edith Maron, MRN 40-118-236', detail: 'St. Brigid General' },
      { icon: MessageSquare, label: 'Night team', detail: 'St. Brigid General' },
    ],
  },
  { title: 'People', entries: [{ icon: UserRound, label: 'Owen Hart', detail: 'House supervisor' }] },
];

/** The attributes are those that cmdk writes; the kit brings only the look. */
function Palette() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <main className="g-box">
      <h1 className="sr">The palette</h1>
      <Button onClick={() => setIsOpen(true)}>Search</Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Search and commands" isTitleHidden size="palette">
        <div className="cmd" cmdk-root="">
          <div className="cmd-field">
            <Icon of={Search} />
            <input
              className="cmd-input"
              cmdk-input=""
              aria-label="Search and commands"
              placeholder="Search pages, chats and people"
            />
          </div>
          <div className="cmd-list" cmdk-list="">
            {GROUPS.map(({ title, entries }, group) => (
              <div cmdk-group="" key={title}>
                <div cmdk-group-heading="">{title}</div>
                {entries.map((entry, index) => (
                  <div className="cmd-item" cmdk-item="" data-selected={group === 0 && index === 0} key={entry.label}>
                    <Icon of={entry.icon} />
                    <span className="cmd-label">{entry.label}</span>
                    {'detail' in entry && <span className="cmd-detail">{entry.detail}</span>}
                    {'keys' in entry && <Kbd keys={entry.keys} />}
                  </div>
                ))}
              </div>
            ))}
          </div>
          <div className="cmd-foot">
            <span className="row row-1">
              <Kbd keys={['Enter']} /> opens
            </span>
            <span className="row row-1">
              <Kbd keys={['Esc']} /> closes
            </span>
          </div>
        </div>
      </Dialog>
    </main>
  );
}

export const specimen: Specimen = {
  id: 'palette',
  title: 'Command palette',
  group: 'Overlays',
  cases: [{ name: 'The look of the palette', Show: Palette, height: 520 }],
};
