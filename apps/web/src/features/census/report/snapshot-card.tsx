import { parseCount } from '@wardline/census/balance.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import { takeSnapshot, type UnitDay } from '@wardline/contract/census/unit.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type FormEvent, useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useCall } from '#/shared/contexts/call-context.ts';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { formatAct } from './act-labels.ts';

const WRONG = 'A whole number from 0 to 9999.';

/** The form of a count: what is typed in it, and how it is sent. */
function useSnapshotForm(day: UnitDay) {
  const call = useCall();
  const [isOpen, setIsOpen] = useState(false);
  const [texts, setTexts] = useState({ occupied: '', blocked: '' });
  const [isTried, setIsTried] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [taken, setTaken] = useState<string | null>(null);
  const asked = useRef<BodyOf<typeof takeSnapshot> | null>(null);
  const occupied = parseCount(texts.occupied);
  const blocked = parseCount(texts.blocked);

  // After a lost answer the same count is the same request, with the time of its first try: the server may have it.
  const requestOf = (counts: { readonly occupied: number; readonly blocked: number }) => {
    const before = asked.current;
    if (before?.occupied === counts.occupied && before.blocked === counts.blocked) return before;
    const taken_at = new Date(serverNow()).toISOString();
    asked.current = { client_id: uuidv7(), population: day.population, taken_at, ...counts };
    return asked.current;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isBusy || typeof occupied !== 'number' || typeof blocked !== 'number') return;
    setIsBusy(true);
    setError(null);
    try {
      const body = requestOf({ occupied, blocked });
      const snapshot = await call(takeSnapshot, { params: { unit: day.unit_id }, body });
      asked.current = null;
      setTaken(`${snapshot.occupied} at ${timeIn(day.time_zone, Date.parse(snapshot.taken_at))}`);
      setTexts({ occupied: '', blocked: '' });
      setIsTried(false);
      setIsOpen(false);
    } catch (error) {
      setError(formatAct(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { isOpen, setIsOpen, texts, setTexts, isTried, error, isBusy, taken, occupied, blocked, submit };
}

/** A count of the unit as it is now. It shows on the board and never enters the balance. */
export function SnapshotCard({ day }: { day: UnitDay }) {
  const { isOpen, setIsOpen, texts, setTexts, isTried, error, isBusy, taken, occupied, blocked, submit } =
    useSnapshotForm(day);
  return (
    <Card>
      <CardHead
        level={2}
        title="Between census hours"
        aside={
          <>
            {taken && <span className="t13 muted">counted {taken}</span>}
            <Button
              variant="outline"
              color="neutral"
              size="sm"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              Count now
            </Button>
          </>
        }
      />
      {isOpen && (
        <form className="card-pad stack stack-3" noValidate onSubmit={(event) => void submit(event)}>
          {error && <Banner tone="error">{error}</Banner>}
          <div className="snapshot-fields">
            <TextInput
              label="Occupied now"
              inputMode="numeric"
              autoComplete="off"
              autoFocus
              value={texts.occupied}
              onChange={(event) => setTexts({ ...texts, occupied: event.target.value })}
              error={isTried && typeof occupied !== 'number' && WRONG}
            />
            <TextInput
              label="Blocked now"
              inputMode="numeric"
              autoComplete="off"
              value={texts.blocked}
              onChange={(event) => setTexts({ ...texts, blocked: event.target.value })}
              error={isTried && typeof blocked !== 'number' && WRONG}
            />
          </div>
          <p className="t12 muted">It shows on the board. The official census is that of the census hour.</p>
          <div>
            <Button type="submit" isLoading={isBusy}>
              Save the count
            </Button>
          </div>
        </form>
      )}
    </Card>
  );
}
