import { useState } from 'react';
import { Pill } from '#/mark/pill.tsx';
import { LinkTabs } from '#/tabs/link-tabs.tsx';
import { Segments } from '#/tabs/segments.tsx';
import { TabPanel, Tabs } from '#/tabs/tabs.tsx';
import type { Specimen } from '../../specimen.ts';

function TabsOverPanels() {
  const [tab, setTab] = useState<'chat' | 'profile' | 'files'>('chat');
  return (
    <Tabs
      label="Chat"
      value={tab}
      onValueChange={setTab}
      tabs={[
        { value: 'chat', label: 'Chat', mark: <Pill count={3} label="3 urgent" tone="error" /> },
        { value: 'profile', label: 'Renal profile' },
        { value: 'files', label: 'Files' },
      ]}
    >
      <TabPanel value="chat">The chat shows here.</TabPanel>
      <TabPanel value="profile">The renal profile shows here.</TabPanel>
      <TabPanel value="files">The files show here.</TabPanel>
    </Tabs>
  );
}

function TabsBetweenPages() {
  return (
    <LinkTabs
      label="People"
      pages={[
        { href: '#people', label: 'People' },
        { href: '#on-call', label: 'On call' },
      ]}
      open="#people"
    />
  );
}

function SegmentsOfTwo() {
  const [view, setView] = useState<'cards' | 'table'>('cards');
  return (
    <Segments
      label="View"
      value={view}
      onValueChange={setView}
      choices={[
        { value: 'cards', label: 'Cards' },
        { value: 'table', label: 'Table' },
      ]}
    />
  );
}

export const specimen: Specimen = {
  id: 'tabs',
  title: 'Tabs and segments',
  group: 'Actions',
  cases: [
    { name: 'Tabs', Show: TabsOverPanels },
    { name: 'Tabs between pages', Show: TabsBetweenPages },
    { name: 'Segments', Show: SegmentsOfTwo },
  ],
};
