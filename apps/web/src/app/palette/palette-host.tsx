import { useNavigate } from '@tanstack/react-router';
import { Button } from '@wardline/ui/button/button.tsx';
import { RailSearch } from '@wardline/ui/frame/rail.tsx';
import { Search } from 'lucide-react';
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState } from 'react';
import { commandKey } from '#/app/shortcuts/command-key.ts';
import { createShortcutMatcher } from '#/app/shortcuts/match-shortcut.ts';
import { hasSingleKeys } from '#/app/shortcuts/single-keys.ts';
import { useUser } from '#/features/auth/index.ts';
import { censusPagesFor } from '#/features/census/index.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { createTypeAhead } from './type-ahead.ts';

const ways = { onMissing: closeMissing };
const CommandPalette = lazyPart(async () => (await import('./command-palette.tsx')).CommandPalette, ways);
const ShortcutsSheet = lazyPart(async () => (await import('#/app/shortcuts/shortcuts-sheet.tsx')).ShortcutsSheet, ways);

const OpenPaletteContext = createContext<() => void>(() => undefined);

type Shown = { readonly type: 'palette' } | { readonly type: 'sheet' };

/** Listens for the shortcuts of the signed-in pages and shows the palette and the sheet of keys. */
export function PaletteHost({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const isPalette = shown?.type === 'palette';
  const [typeAhead] = useState(() => createTypeAhead(() => setShown(null)));
  useEffect(() => (isPalette ? () => void typeAhead.take() : undefined), [isPalette, typeAhead]);
  const show = (next: Shown) => {
    // Its code and its focus take a moment, and whoever presses the keys goes on typing.
    if (next.type === 'palette' && !isPalette) typeAhead.start();
    setShown(next);
  };
  const census = censusPagesFor(useUser().memberships.flatMap(({ permissions }) => permissions));
  useShortcuts(census[0]?.path, show);
  return (
    <OpenPaletteContext value={() => show({ type: 'palette' })}>
      {children}
      {isPalette && (
        <CommandPalette
          takeTyped={typeAhead.take}
          onClose={close}
          onShowShortcuts={() => setShown({ type: 'sheet' })}
        />
      )}
      {shown?.type === 'sheet' && <ShortcutsSheet mayReadCensus={census.length > 0} onClose={close} />}
    </OpenPaletteContext>
  );
}

function useShortcuts(censusPath: string | undefined, show: (shown: Shown) => void): void {
  const navigate = useNavigate();
  const [match] = useState(() => createShortcutMatcher({ now: () => performance.now(), hasSingleKeys }));
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const action = match(event);
    if (!action) return;
    // Below an open dialog the page does not move.
    if (action.type !== 'palette' && document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    if (action.type !== 'go') show(action);
    else if (action.path !== '/census') void navigate({ href: action.path });
    else if (censusPath !== undefined) void navigate({ href: censusPath });
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** The way to the palette in the rail. */
export function PaletteRailButton() {
  return (
    <RailSearch label="Search" keys={[commandKey(), 'K']} aria-haspopup="dialog" onClick={use(OpenPaletteContext)} />
  );
}

/** The same in the phone's top bar. */
export function PaletteBarButton() {
  return (
    <Button
      className="only-phone"
      variant="ghost"
      color="neutral"
      iconOnly
      icon={Search}
      iconSize="lg"
      label="Search and commands"
      aria-haspopup="dialog"
      onClick={use(OpenPaletteContext)}
    />
  );
}
