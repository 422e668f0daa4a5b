import { useState } from 'react';
import { Checkbox } from '#/input/checkbox.tsx';
import { ModePicture } from '#/input/mode-picture.tsx';
import { RadioCards, RadioGroup } from '#/input/radio-group.tsx';
import { Switch } from '#/input/switch.tsx';
import type { Specimen } from '../../specimen.ts';

type Scale = 'one' | 'two' | 'three';
type Mode = 'system' | 'light' | 'dark';

function Boxes() {
  return (
    <div className="g-grid">
      <Checkbox label="Two signatures" defaultChecked />
      <Checkbox label="Newborn" />
      <Checkbox label="This is my own device" help="Keeps what you read on it, encrypted, for 7 days." />
      <Checkbox label="I have read it back" error="Tick it to go on." />
      <Checkbox label="Given by the facility" defaultChecked disabled />
    </div>
  );
}

function Switches() {
  return (
    <div className="g-grid">
      <Switch label="Quiet hours" defaultChecked />
      <Switch label="Sounds" />
      <Switch label="Follow my shifts" help="Off duty only urgent and critical come through." defaultChecked />
      <Switch label="Urgent and critical, always on" defaultChecked disabled />
      <Switch label="A switch in a table" isLabelHidden />
    </div>
  );
}

function Radios() {
  const [scale, setScale] = useState<Scale>('one');
  const choices = [
    { value: 'one', label: 'Scale 1' },
    { value: 'two', label: 'Scale 2', help: 'For people with long-standing low oxygen.' },
    { value: 'three', label: 'Scale 3', isDisabled: true },
  ] as const;
  const group = { value: scale, onValueChange: setScale, choices };
  return (
    <div className="g-grid">
      <RadioGroup label="Oxygen scale" help="A doctor chooses the scale." {...group} />
      <RadioGroup label="Oxygen scale, in a line" isInline {...group} />
      <RadioGroup label="Oxygen scale, wrong" error="Choose one." {...group} />
    </div>
  );
}

function Cards() {
  const [mode, setMode] = useState<Mode>('system');
  return (
    <div className="g-wide">
      <RadioCards
        label="Mode"
        value={mode}
        onValueChange={setMode}
        choices={[
          { value: 'system', label: 'System', picture: <ModePicture mode="system" /> },
          { value: 'light', label: 'Light', picture: <ModePicture mode="light" /> },
          { value: 'dark', label: 'Dark', picture: <ModePicture mode="dark" /> },
        ]}
      />
    </div>
  );
}

export const specimen: Specimen = {
  id: 'choices',
  title: 'Boxes, radios, switches',
  group: 'Forms',
  cases: [
    { name: 'Boxes to tick', Show: Boxes },
    { name: 'Switches', Show: Switches },
    { name: 'Radios', Show: Radios },
    { name: 'Cards', Show: Cards },
  ],
};
