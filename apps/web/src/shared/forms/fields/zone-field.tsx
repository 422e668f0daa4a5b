import { serverNow } from '@wardline/client/server-clock.ts';
import { formatOffset } from '@wardline/format/times.ts';
import { isZone } from '@wardline/format/zone.ts';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Globe } from 'lucide-react';
import { useId } from 'react';
import { findZone, knownZones } from './find-zone.ts';

interface ZoneFieldProps {
  readonly inputSize?: 'md' | 'lg';
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (zone: string) => void;
}

/** A time zone, searched among those that the device knows by the browser's own list; a city alone is enough. */
export function ZoneField({ inputSize, value, error, onChange }: ZoneFieldProps) {
  const listId = useId();
  const resolve = () => {
    const zone = findZone(value);
    if (zone !== null && zone !== value) onChange(zone);
  };
  return (
    <>
      <TextInput
        label="Time zone"
        name="time_zone"
        inputSize={inputSize}
        icon={Globe}
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        value={value}
        error={error}
        help={isZone(value.trim()) ? `Now ${formatOffset(value.trim(), serverNow())}` : 'Type a city or a region.'}
        onChange={(event) => onChange(event.target.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={resolve}
        onKeyDown={(event) => {
          // Before it sends the form.
          if (event.key === 'Enter') resolve();
        }}
      />
      <datalist id={listId}>
        {knownZones().map((zone) => (
          <option key={zone} value={zone} label={zone.replaceAll('_', ' ')} />
        ))}
      </datalist>
    </>
  );
}
