export type BedTagProps = {
  /** The unit's short code, on the upper line. */
  unit: string;
  /** The bed within the unit. */
  bed: string;
  /** Said by a screen reader; without it the tag is decoration beside the name. */
  label?: string | undefined;
};

/** Where somebody lies, as a tag of two lines. Never an identifier. */
export function BedTag({ unit, bed, label }: BedTagProps) {
  return (
    <span className="bed" {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}>
      <span>
        <small>{unit}</small>
        {bed}
      </span>
    </span>
  );
}
