import { Stepper } from '@wardline/ui/input/stepper.tsx';
import type { KeyboardEvent } from 'react';
import { SheetRow, stepFocus, Told } from './count-row.tsx';
import { type Direction, type DraftTransfer, isUnplaced, transferTotal } from './report-draft.ts';
import {
  addPartnerId,
  focusOn,
  inputId,
  partnerId,
  stepped,
  useReport,
  writeNumber,
  writePartner,
} from './report-view.ts';

/** The sum of the partners in one direction. A number typed here goes to the partner it belongs to. */
export function TransferRow({ direction }: { direction: Direction }) {
  const { state, editor, isEditable, errorOf, leave, setPending } = useReport();
  const field = direction === 'in' ? 'transfers_in' : 'transfers_out';
  const label = direction === 'in' ? 'Transfers in' : 'Transfers out';
  const partners = state.draft.transfers.filter((transfer) => transfer.direction === direction);
  const total = transferTotal(state.draft, direction);
  const error = errorOf(field);

  const write = (text: string) => {
    const [only, ...others] = partners;
    if (only && others.length === 0) editor.change(writePartner(only, text));
    else if (partners.length === 0 && (text === '' || text === '0')) editor.change(writeNumber(field, text));
    else openPartners(text);
  };
  const openPartners = (text: string) => {
    const open = partners.find((partner) => partner.text === '') ?? partners[0];
    if (open) {
      focusOn(partnerId(open));
    } else {
      setPending({ direction, text });
      focusOn(addPartnerId(direction));
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && total === null) {
      event.preventDefault();
      if (partners.length > 0) return openPartners('');
      editor.change(writeNumber(field, '0'));
    }
    stepFocus(event);
  };
  // A number from the grid of all units names nobody yet.
  const text = isUnplaced(state.draft, direction) ? state.draft.numbers[field] : String(total ?? '');
  return (
    <SheetRow
      sign={direction === 'in' ? '+' : '−'}
      field={field}
      label={label}
      hint={partnerWords(partners, direction)}
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
          onValueChange={write}
          onStep={(by) => write(stepped(text, by))}
          onBlur={() => leave(field)}
          onKeyDown={onKeyDown}
        />
      ) : (
        <Told text={text} field={field} />
      )}
    </SheetRow>
  );
}

/** `2 from ED boarders, 1 from ICU`. */
function partnerWords(partners: readonly DraftTransfer[], direction: Direction): string {
  const word = direction === 'in' ? 'from' : 'to';
  const said = partners.filter(({ text }) => text.trim() !== '' && text.trim() !== '0');
  if (said.length === 0) return 'by partner unit';
  return said.map(({ text, unit_code }) => `${text.trim()} ${word} ${unit_code}`).join(', ');
}
