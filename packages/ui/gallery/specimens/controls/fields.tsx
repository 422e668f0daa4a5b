import { Mail } from 'lucide-react';
import { useState } from 'react';
import { Field } from '#/field/field.tsx';
import { GrowingTextarea } from '#/input/growing-textarea.tsx';
import { PasswordInput } from '#/input/password-input.tsx';
import { SearchInput } from '#/input/search-input.tsx';
import { Select } from '#/input/select.tsx';
import { Stepper } from '#/input/stepper.tsx';
import { TextInput } from '#/input/text-input.tsx';
import { Textarea } from '#/input/textarea.tsx';
import type { Specimen } from '../../specimen.ts';

const UNITS = [
  { value: 'med', label: 'MED 3A' },
  { value: 'sur', label: 'SUR 2B' },
  { value: 'icu', label: 'ICU, closed', isDisabled: true },
] as const;

function Text() {
  return (
    <form className="g-grid">
      <TextInput label="Reason" placeholder="At least 5 characters" />
      <TextInput label="Email" type="email" icon={Mail} defaultValue="ana.reyes@stbrigid.example" inputSize="lg" />
      <TextInput label="Name" help="As on your badge." defaultValue="Ana Reyes" />
      <TextInput
        label="Head count"
        defaultValue="2.5"
        inputMode="numeric"
        error="Whole patients only. 2.5 is kept here until you change it."
      />
      <TextInput label="Facility" defaultValue="St. Brigid General" disabled />
      <PasswordInput
        label="Password"
        defaultValue="correct horse battery"
        autoComplete="off"
        labelAside={<a href="#fields">Forgot it?</a>}
      />
    </form>
  );
}

function Long() {
  return (
    <div className="g-grid">
      <Textarea label="Note" defaultValue="Bed 12 moved to ICU at 23:58, the form was signed at 00:02." />
      <Textarea label="Why do they differ?" error="Say why, in a sentence." />
      <Field label="Message, grows to eight lines" help="Enter sends, Shift and Enter begins a line.">
        {(control) => (
          <GrowingTextarea {...control} label="Message" className="textarea" defaultValue="Calcium is in." />
        )}
      </Field>
    </div>
  );
}

function Choices() {
  const [unit, setUnit] = useState<(typeof UNITS)[number]['value'] | ''>('');
  const list = { options: UNITS, value: unit, onValueChange: setUnit, placeholder: 'Choose a unit' } as const;
  return (
    <div className="g-grid">
      <Select label="Unit" {...list} />
      <Select label="Unit, small" inputSize="sm" {...list} />
      <Select label="Unit, large" inputSize="lg" {...list} />
      <Select label="Unit that is asked for" error="Choose one." {...list} />
      <Select label="Unit that is given" disabled options={UNITS} value="med" onValueChange={setUnit} />
    </div>
  );
}

function Searching() {
  const [empty, setEmpty] = useState('');
  const [text, setText] = useState('cardiac');
  return (
    <div className="g-grid">
      <SearchInput label="Search chats" value={empty} onValueChange={setEmpty} />
      <SearchInput label="Search people" value={text} onValueChange={setText} />
    </div>
  );
}

function Counting() {
  const [text, setText] = useState('3');
  const step = (by: number) => setText(String(Math.max(0, Number(text) + by)));
  return (
    <div className="g-grid">
      <Field label="Admissions" id="g-admissions" help="+ and − step; what is typed replaces.">
        {(control) => <Stepper {...control} name="admissions" value={text} onValueChange={setText} onStep={step} />}
      </Field>
      <Field label="Births" id="g-births" help="Newborn reports only.">
        {(control) => (
          <Stepper {...control} name="births" value="0" disabled onValueChange={setText} onStep={() => undefined} />
        )}
      </Field>
      <Field label="Deaths" id="g-deaths" error="Deaths must be a whole number from 0 to 9999.">
        {(control) => (
          <Stepper {...control} name="deaths" value="2.5" onValueChange={setText} onStep={() => undefined} />
        )}
      </Field>
    </div>
  );
}

export const specimen: Specimen = {
  id: 'fields',
  title: 'Fields',
  group: 'Forms',
  cases: [
    { name: 'One line of text', Show: Text },
    { name: 'Several lines', Show: Long },
    { name: 'One of several', Show: Choices },
    { name: 'Search', Show: Searching },
    { name: 'A count', Show: Counting },
  ],
};
