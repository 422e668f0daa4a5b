import { Stepper } from '@wardline/ui/input/stepper.tsx';
import type { KeyboardEvent } from 'react';
import { SheetRow, stepFocus, Told } from './count-row.tsx';
import { type Direction, fieldOf, isUnplaced, transferTotal } from './engine/report-draft.ts';
import {
  addPartnerId,
  focusOn,
  inputId,
  partnerId,
  stepped,
  useReport,
  writeNumber,
  writePartner,
} from './engine/report-view.ts';
import { formatPartner } from './partner-labels.ts';

/** The sum of the partners in one direction. A number typed here goes to the only partner, or waits for its partner to be said. */
export function TransferRow({ direction }: { direction: Direction }) {
  const { state, editor, isEditable, errorOf, leave } = useReport();
  const field = fieldOf(direction);
  const label = direction === 'in' ? 'Transfers in' : 'Transfers out';
  const partners = state.draft.transfers.filter((transfer) => transfer.direction === direction);
  const [only, ...others] = partners;
  const total = transferTotal(state.draft, direction);
  const typed = state.draft.numbers[field];
  const sum = total === null ? typed : String(total);
  const text = only && others.length === 0 ? only.text || typed : sum;
  const error = errorOf(field);
  // A sum of several can only be changed at one of them.
  const isSum = others.length > 0 && partners.some((partner) => partner.text.trim() !== '');

  const openPartners = () => {
    const open = partners.find((partner) => partner.text === '') ?? only;
    focusOn(open ? partnerId(open) : addPartnerId(direction));
  };
  const write = (next: string) =>
    editor.change((draft) =>
      only && others.length === 0
        ? writePartner(only, next)(writeNumber(field, '')(draft))
        : writeNumber(field, next)(draft),
    );
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && total === null) {
      event.preventDefault();
      if (partners.length > 0 || isUnplaced(state.draft, direction)) return openPartners();
      editor.change(writeNumber(field, '0'));
    }
    stepFocus(event);
  };
  return (
    <SheetRow
      sign={direction === 'in' ? '+' : '−'}
      field={field}
      label={label}
      hint={formatPartner(state.day, state.draft, direction)}
      error={error}
    >
      {isEditable ? (
        <Stepper
          id={inputId(field)}
          name={label.toLowerCase()}
          value={text}
          data-step=""
          enterKeyHint="next"
          aria-describedby={`${inputId(field)}-note`}
          {...(error === undefined ? {} : { 'aria-invalid': true })}
          readOnly={isSum}
          onValueChange={write}
          onStep={(by) => (isSum ? openPartners() : write(stepped(text, by)))}
          onBlur={() => leave(field)}
          onKeyDown={onKeyDown}
        />
      ) : (
        <Told text={text} field={field} />
      )}
    </SheetRow>
  );
}
