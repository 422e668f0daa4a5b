import type { Region } from '@wardline/contract/examinations/regions.ts';
import { formatRegion } from '@wardline/format/region.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { ScanSearch, X } from 'lucide-react';
import { use, useState } from 'react';
import { PicturesContext } from './pictures-context.ts';

/** A picture by its name, as the examination or the signed report tells it. */
export interface NamedPicture {
  readonly id: string;
  readonly name: string;
}

interface MarkedPlacesProps {
  readonly label: string;
  readonly regions: readonly Region[] | undefined;
  readonly pictures: readonly NamedPicture[] | undefined;
  /** Left out where they are only looked at. */
  readonly onRemove?: (region: Region) => void;
}

/** Where a finding is seen: each place leads to its picture. */
export function MarkedPlaces({ label, regions = [], pictures, onRemove }: MarkedPlacesProps) {
  const show = use(PicturesContext);
  const [opened, setOpened] = useState<string | null>(null);
  if (regions.length === 0) return null;
  return (
    <>
      <ul className="exam-places" aria-label={`${label}: marked places`}>
        {regions.map((region, index) => {
          const name = nameOf(region, pictures);
          const place = `${name}, place ${index + 1}`;
          return (
            <li key={`${region.attachment_id} ${formatRegion(region)}`}>
              <Button
                variant="link"
                size="sm"
                icon={ScanSearch}
                title={formatRegion(region)}
                onClick={() => setOpened(region.attachment_id)}
              >
                <span className="clip">{place}</span>
                <span className="sr"> {formatRegion(region)}</span>
              </Button>
              {onRemove && (
                <Button
                  variant="ghost"
                  color="neutral"
                  size="xs"
                  iconOnly
                  icon={X}
                  label={`Remove ${place}`}
                  onClick={() => onRemove(region)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {opened !== null &&
        show?.({ first: opened, regions: namedRegions(label, regions), onClose: () => setOpened(null) })}
    </>
  );
}

/** As the viewer names them: numbered where there are several. */
export function namedRegions(label: string, regions: readonly Region[]) {
  return regions.map((region, index) => ({ region, label: regions.length > 1 ? `${label} ${index + 1}` : label }));
}

/** In words, for paper. */
export function placesText(regions: readonly Region[] | undefined, pictures: readonly NamedPicture[] | undefined) {
  return (regions ?? []).map((region) => `${nameOf(region, pictures)}: ${formatRegion(region)}`);
}

function nameOf({ attachment_id }: Region, pictures: readonly NamedPicture[] = []): string {
  return pictures.find(({ id }) => id === attachment_id)?.name ?? 'Picture';
}
