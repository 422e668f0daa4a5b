import { TextInput } from '@wardline/ui/input/text-input.tsx';

interface PlaceFieldsProps {
  readonly inputSize?: 'md' | 'lg';
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly errors: { readonly latitude?: string | undefined; readonly longitude?: string | undefined };
}

/** Where a facility lies, in degrees; both may stay empty. */
export function PlaceFields({ inputSize, latitude = null, longitude = null, errors }: PlaceFieldsProps) {
  const shared = { inputSize, inputMode: 'text', autoComplete: 'off', maxLength: 20 } as const;
  return (
    <>
      <TextInput
        {...shared}
        label="Latitude"
        name="latitude"
        defaultValue={latitude ?? ''}
        help="Optional: −90 to 90 degrees."
        error={errors.latitude}
      />
      <TextInput
        {...shared}
        label="Longitude"
        name="longitude"
        defaultValue={longitude ?? ''}
        help="Optional: −180 to 180 degrees."
        error={errors.longitude}
      />
    </>
  );
}
