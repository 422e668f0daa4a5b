import type { SystemAccount } from '@wardline/contract/facilities/system-accounts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { useDeferredValue, useState } from 'react';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { Loaded } from './loaded.tsx';
import { type Me, useAccounts } from './use-system.ts';

const AccountDialog = lazyPart(async () => (await import('./account-dialog.tsx')).AccountDialog, {
  onMissing: closeMissing,
});

/** Every account of the installation, found by name or address. */
export function AccountsPart({ me }: { readonly me: Me }) {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<SystemAccount | null>(null);
  const q = useDeferredValue(search.trim());
  const accounts = useAccounts(q);
  return (
    <Card isList>
      <div className="sys-head">
        <SearchInput label="Search names and email" value={search} onValueChange={setSearch} maxLength={80} />
      </div>
      <Loaded of={accounts} failed="The accounts did not load" loading="Loading the accounts">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.data);
          if (rows.length === 0) {
            return (
              <EmptyState level={3} title={`No one found for “${q}”`}>
                Try part of a name or of an email address.
              </EmptyState>
            );
          }
          return (
            <>
              <ul className="list" aria-label="Accounts">
                {rows.map((account) => (
                  <li key={account.id}>
                    <AccountRow account={account} onOpen={() => setOpen(account)} />
                  </li>
                ))}
              </ul>
              <ShowMore list={accounts} />
            </>
          );
        }}
      </Loaded>
      {open && <AccountDialog key={open.id} account={open} me={me} onClose={() => setOpen(null)} />}
    </Card>
  );
}

function AccountRow({ account, onOpen }: { readonly account: SystemAccount; readonly onOpen: () => void }) {
  const { name, email, is_operator, disabled, facilities } = account;
  const places = facilities.map((facility) => facility.name).join(', ') || 'No facility';
  return (
    <ListRow
      title={name}
      mark={
        <>
          {disabled && <Badge tone="error">Disabled</Badge>}
          {is_operator && <Badge tone="primary">System administrator</Badge>}
        </>
      }
      text={`${email} · ${places}`}
      trailing={
        <Button variant="outline" color="neutral" size="sm" label={`Manage ${name}`} onClick={onOpen}>
          Manage
        </Button>
      }
    />
  );
}
