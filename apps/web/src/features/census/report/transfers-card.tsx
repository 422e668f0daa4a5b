import { parseCount } from '@wardline/census/balance.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import type { Transfer, UnitDay } from '@wardline/contract/census/unit.ts';
import type { Unit } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Check, Clock, TriangleAlert } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { type Direction, type DraftTransfer, fieldOf, isUnplaced } from './engine/report-draft.ts';
import {
  addPartnerId,
  focusOn,
  inputId,
  moveFocus,
  partnerId,
  stepped,
  useReport,
  writePartner,
} from './engine/report-view.ts';

/** Both sides' words on who moved, partner by partner. */
export function TransfersCard({ units }: { units: readonly Unit[] }) {
  const { state, isEditable } = useReport();
  const rows = state.draft.transfers.map((mine) => ({
    mine,
    state: stateOf(mine, state.day),
  }));
  const count = (wanted: PartnerState) => rows.filter((row) => row.state === wanted).length;
  const text = [
    ...(count('differs') > 0 ? [`${count('differs')} to agree`] : []),
    ...(count('unanswered') > 0 ? [`${count('unanswered')} not answered`] : []),
    ...(count('waiting') > 0 ? [`${count('waiting')} not in yet`] : []),
  ];
  return (
    <Card>
      <CardHead
        level={2}
        title="Transfers by partner"
        aside={<span className="t13 muted">{text.length > 0 ? text.join(', ') : rows.length > 0 && 'all agreed'}</span>}
      />
      {!isEditable && rows.length === 0 && <p className="partner-none t13 muted">No transfers.</p>}
      <Partners direction="in" units={units} />
      <Partners direction="out" units={units} />
    </Card>
  );
}

type PartnerState = 'agreed' | 'differs' | 'unanswered' | 'waiting' | 'unsaid';

function theirsOf(transfers: readonly Transfer[], mine: DraftTransfer): Transfer | undefined {
  return transfers.find(({ unit_id, direction }) => unit_id === mine.unit_id && direction === mine.direction);
}

/** What is not handed in yet says nothing by its silence, and is no difference (017); handed in, it means 0. */
function stateOf(mine: DraftTransfer, { status, transfers }: UnitDay): PartnerState {
  const known = theirsOf(transfers, mine);
  const theirs = known?.theirs ?? null;
  const said = parseCount(mine.text);
  if (theirs === null) return said === null || said === undefined ? 'unsaid' : 'waiting';
  const isIn = isHandedIn(status);
  if (said === null && !isIn) return 'unanswered';
  if (theirs === (said === null ? 0 : said)) return 'agreed';
  return isIn && !isHandedIn(known?.partner_status ?? null) ? 'waiting' : 'differs';
}

const heads = {
  in: { partner: 'In from', theirs: 'They sent', mine: 'You received', caption: 'Transfers in by partner unit' },
  out: { partner: 'Out to', theirs: 'They received', mine: 'You sent', caption: 'Transfers out by partner unit' },
} as const;

function Partners({ direction, units }: { direction: Direction; units: readonly Unit[] }) {
  const { state } = useReport();
  const rows = state.draft.transfers.filter((transfer) => transfer.direction === direction);
  const head = heads[direction];
  return (
    <>
      {rows.length > 0 && (
        <table className="table partners">
          <caption className="sr">{head.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{head.partner}</th>
              <th scope="col" className="n">
                {head.theirs}
              </th>
              <th scope="col" className="n">
                {head.mine}
              </th>
              <th scope="col">
                <span className="sr">State</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <PartnerRow
                key={row.unit_id}
                mine={row}
                name={row.unit_code || (units.find(({ id }) => id === row.unit_id)?.code ?? 'another unit')}
              />
            ))}
          </tbody>
        </table>
      )}
      <AddPartner direction={direction} units={units} />
    </>
  );
}

function PartnerRow({ mine, name }: { mine: DraftTransfer; name: string }) {
  const { state, editor, isEditable, leave } = useReport();
  const known = theirsOf(state.day.transfers, mine);
  const theirs = known?.theirs ?? null;
  const field = fieldOf(mine.direction);
  const write = (text: string) => editor.change(writePartner(mine, text));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (event.key === '+' || event.key === '-') {
      event.preventDefault();
      write(stepped(mine.text, event.key === '+' ? 1 : -1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (mine.text.trim() === '') write(String(theirs ?? 0));
      goOn(event.currentTarget, field);
    }
  };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="n">{theirs ?? <span className="muted">–</span>}</td>
      <td className="n">
        {isEditable ? (
          <input
            id={partnerId(mine)}
            className="input input-sm partner-count"
            inputMode="numeric"
            autoComplete="off"
            data-partner={mine.direction}
            aria-label={`${heads[mine.direction].mine}, ${name}`}
            {...(parseCount(mine.text) === undefined
              ? { 'aria-invalid': true, 'aria-describedby': `${inputId(field)}-note` }
              : {})}
            value={mine.text}
            onChange={(event) => write(event.target.value)}
            onFocus={(event) => event.target.select()}
            onBlur={() => leave(field)}
            onKeyDown={onKeyDown}
          />
        ) : (
          <b>{parseCount(mine.text) ?? '–'}</b>
        )}
      </td>
      <td className="end">
        <PartnerMark
          state={stateOf(mine, state.day)}
          {...(theirs === null ? {} : { onAgree: () => write(String(theirs)) })}
        />
      </td>
    </tr>
  );
}

/** To the next partner of the same direction that says nothing yet, else back to the sheet. */
function goOn(from: HTMLInputElement, field: string): void {
  const rows = [...(from.closest('tbody')?.querySelectorAll<HTMLInputElement>('[data-partner]') ?? [])];
  const next = rows[rows.indexOf(from) + 1];
  const sheet = document.getElementById(inputId(field));
  if (next) next.focus();
  else if (sheet) moveFocus(sheet, 1);
}

function PartnerMark({ state, onAgree }: { state: PartnerState; onAgree?: () => void }) {
  const { isEditable } = useReport();
  if (state === 'agreed') {
    return (
      <span className="row row-1 partner-mark c-success t12 medium">
        <Icon of={Check} size="sm" />
        Agreed
      </span>
    );
  }
  if ((state === 'differs' || state === 'unanswered') && isEditable && onAgree) {
    return (
      <Button variant="soft" size="sm" icon={Check} onClick={onAgree}>
        Agree
      </Button>
    );
  }
  return (
    <span className="row row-1 partner-mark muted t12">
      <Icon of={state === 'differs' ? TriangleAlert : Clock} size="sm" />
      {MARKS[state]}
    </span>
  );
}

const MARKS = { differs: 'Differs', unanswered: 'Not answered', waiting: 'Not in yet', unsaid: 'Not in yet' } as const;

function AddPartner({ direction, units }: { direction: Direction; units: readonly Unit[] }) {
  const { state, editor, isEditable } = useReport();
  const taken = state.draft.transfers.filter((transfer) => transfer.direction === direction);
  const free = units.filter(({ id }) => id !== state.day.unit_id && !taken.some(({ unit_id }) => unit_id === id));
  if (!isEditable || free.length === 0) return null;
  const unplaced = isUnplaced(state.draft, direction) ? state.draft.numbers[fieldOf(direction)] : '';
  const add = (unitId: string) => {
    const unit = free.find(({ id }) => id === unitId);
    if (!unit) return;
    const partner = { unit_id: unit.id, unit_code: unit.code, direction, text: '' };
    editor.change(writePartner(partner, unplaced));
    // The row is drawn with the next frame.
    requestAnimationFrame(() => focusOn(partnerId(partner)));
  };
  return (
    <div className="partner-add">
      <Select
        id={addPartnerId(direction)}
        label={direction === 'in' ? 'Add a unit that sent patients' : 'Add a unit that received patients'}
        isLabelHidden
        inputSize="sm"
        placeholder={direction === 'in' ? 'In from another unit' : 'Out to another unit'}
        options={free.map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))}
        value=""
        onValueChange={add}
        help={unplaced !== '' && `${unplaced} ${direction === 'in' ? 'came: from where?' : 'left: to where?'}`}
      />
    </div>
  );
}
