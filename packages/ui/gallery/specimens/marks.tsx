import { Check, ChevronDown, OctagonAlert, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#/mark/badge.tsx';
import { BedTag } from '#/mark/bed-tag.tsx';
import { Chip } from '#/mark/chip.tsx';
import { ChipRow } from '#/mark/chip-row.tsx';
import { Dot } from '#/mark/dot.tsx';
import { Kbd } from '#/mark/kbd.tsx';
import { Pill } from '#/mark/pill.tsx';
import { ShortcutList } from '#/mark/shortcut-list.tsx';
import type { Specimen } from '../specimen.ts';

function Badges() {
  return (
    <div className="row wrap">
      <Badge>Draft</Badge>
      <Badge tone="info">Submitted</Badge>
      <Badge tone="success" icon={Check}>
        Approved
      </Badge>
      <Badge tone="warning" icon={TriangleAlert}>
        Returned
      </Badge>
      <Badge tone="error" icon={OctagonAlert}>
        Missing
      </Badge>
      <Badge tone="primary">New</Badge>
      <Badge tone="line">Locked</Badge>
      <Badge tone="solid-error" icon={OctagonAlert}>
        Urgent
      </Badge>
    </div>
  );
}

function PillsAndDots() {
  return (
    <div className="row wrap">
      <Pill count={4} label="4 unread" />
      <Pill count={120} label="120 unread" />
      <Pill count={2} label="2 urgent" tone="error" />
      <Pill count={3} label="3 owed" tone="quiet" />
      <Dot tone="success" /> Live
      <Dot tone="warning" /> Reconnecting
      <Dot /> Offline, 3 waiting
      <Dot tone="primary" /> New
      <Dot tone="error" label="failed" />
    </div>
  );
}

function Chips() {
  const [isOpen, setIsOpen] = useState(true);
  const [isUnread, setIsUnread] = useState(false);
  return (
    <div className="stack stack-3">
      <ChipRow label="Filters">
        <Chip isPressed={isOpen} trailingIcon={isOpen ? X : undefined} onClick={() => setIsOpen(!isOpen)}>
          Open
        </Chip>
        <Chip isPressed={isUnread} count={6} onClick={() => setIsUnread(!isUnread)}>
          Unread
        </Chip>
        <Chip trailingIcon={ChevronDown}>Kind</Chip>
      </ChipRow>
      <div className="chips">
        <Chip size="sm" isPressed>
          Small
        </Chip>
        <Chip size="sm" isPressed={false}>
          Small, off
        </Chip>
      </div>
    </div>
  );
}

function Beds() {
  return (
    <div className="row">
      <BedTag unit="3A" bed="12" label="Unit 3A, bed 12" />
      <BedTag unit="MAT" bed="2" label="Unit MAT, bed 2" />
    </div>
  );
}

function Keys() {
  return (
    <div className="stack stack-4">
      <Kbd keys={['Ctrl', 'K']} />
      <ShortcutList
        groups={[
          {
            title: 'Anywhere',
            shortcuts: [
              { label: 'Search and commands', keys: ['Ctrl', 'K'] },
              { label: 'Notifications', keys: ['F8'] },
            ],
          },
          {
            title: 'Go to',
            shortcuts: [
              { label: 'Chats', keys: ['G', 'C'] },
              { label: 'Census, switched off', keys: ['G', 'N'], isOff: true },
            ],
          },
        ]}
      />
    </div>
  );
}

export const specimen: Specimen = {
  id: 'marks',
  title: 'Badges, pills, chips, keys',
  group: 'Marks',
  cases: [
    { name: 'Badge', Show: Badges },
    { name: 'Pill and dot', Show: PillsAndDots },
    { name: 'Chip', Show: Chips },
    { name: 'Bed tag', Show: Beds },
    { name: 'Keys, and the sheet of them', Show: Keys },
  ],
};
