import { Avatar } from '#/avatar/avatar.tsx';
import { Button } from '#/button/button.tsx';
import { Card, CardHead } from '#/card/card.tsx';
import { SectionHead } from '#/card/section-head.tsx';
import { DescriptionList } from '#/list/description-list.tsx';
import { ListRow } from '#/list/list-row.tsx';
import { Badge } from '#/mark/badge.tsx';
import { BedTag } from '#/mark/bed-tag.tsx';
import { Pill } from '#/mark/pill.tsx';
import type { Specimen } from '../specimen.ts';

function Rows() {
  return (
    <div>
      <SectionHead
        title="Chats"
        level={3}
        mark={<Pill count={6} label="6 unread" />}
        context="St. Brigid General"
        link={{ href: '#lists', label: 'All chats' }}
      />
      <Card isList>
        <ListRow
          href="#lists"
          leading={<BedTag unit="3A" bed="12" />}
          title="Edith Maron, MRN 40-118-236"
          meta="00:38"
          text="K 6.8 mmol/L, confirmed, not haemolysed."
          urgency="urgent"
          urgencyWord="Urgent"
          count={<Pill count={2} label="2 unread" tone="error" />}
          isUnread
        />
        <ListRow
          onClick={() => undefined}
          leading={<Avatar alt="Night team" size={40} />}
          title="Night team"
          meta="00:21"
          text="Two beds free on SUR 2B."
          urgency="soon"
          urgencyWord="Due 01:00"
        />
        <ListRow
          href="#lists"
          leading={<Avatar alt="Owen Hart" size={40} />}
          title="Owen Hart"
          meta="Wed"
          text="The row that is open"
          isSelected
        />
        <ListRow
          title="ICU, Sat 21 Nov"
          meta="00:38"
          text="Report, submitted · refused: Someone changed this report before yours arrived. What nothing else says is not cut off."
          isTextWhole
          urgency="soon"
        />
        <ListRow
          leading={<Avatar alt="Leila Haddad" size={40} />}
          title="Leila Haddad"
          mark={<Badge>Away</Badge>}
          text="Staff nurse, MED 3A"
          trailing={
            <Button variant="outline" color="neutral">
              Remove
            </Button>
          }
        />
      </Card>
    </div>
  );
}

function Cards() {
  return (
    <div className="g-grid">
      <Card>
        <CardHead title="Head count" aside={<Badge tone="primary">New</Badge>} />
        <p className="card-pad">A card with a head.</p>
      </Card>
      <Card hasPadding>A card with padding.</Card>
      <Card hasPadding isBleeding>
        From edge to edge on the phone.
      </Card>
    </div>
  );
}

const DETAILS = [
  { term: 'Patient', description: 'Edith Maron' },
  { term: 'Identifier', description: 'MRN 40-118-236' },
  { term: 'Born', description: '4 Mar 1951, 75 years' },
  { term: 'Requested by', description: 'Dr. Mira Okafor, Fri 20 Nov, 00:12' },
];

function Options() {
  return (
    <div className="g-grid">
      <Card hasPadding>
        <DescriptionList items={DETAILS} />
      </Card>
      <Card hasPadding>
        <DescriptionList items={DETAILS} isStacked />
      </Card>
    </div>
  );
}

export const specimen: Specimen = {
  id: 'lists',
  title: 'Cards, rows, facts',
  group: 'Data',
  cases: [
    { name: 'Rows of 64 px', Show: Rows },
    { name: 'Cards', Show: Cards },
    { name: 'Facts about one thing', Show: Options },
  ],
};
