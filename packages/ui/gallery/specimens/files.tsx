import { useState } from 'react';
import { AvatarEditor } from '#/avatar/avatar-editor.tsx';
import { Card } from '#/card/card.tsx';
import { FileDrop } from '#/input/file-drop.tsx';
import portrait from '../portrait.svg';
import type { Specimen } from '../specimen.ts';

function Drop() {
  const [names, setNames] = useState('');
  const take = (files: readonly File[]) => setNames(files.map(({ name }) => name).join(', '));
  return (
    <div className="g-grid">
      <FileDrop
        label={names === '' ? 'Drop the census sheet here' : names}
        help="CSV or Excel, up to 5 MB."
        accept=".csv,.xlsx"
        onFiles={take}
      />
      <FileDrop
        label="Drop the census sheet here"
        error="That is a picture. A CSV or Excel file is needed."
        onFiles={take}
      />
      <FileDrop label="Import is under way" isDisabled onFiles={take} />
    </div>
  );
}

function Editor() {
  const [src, setSrc] = useState<string | undefined>(portrait);
  const remove = () => setSrc(undefined);
  const detail = 'Charge nurse at St. Brigid General';
  const choose = () => setSrc(portrait);
  return (
    <div className="g-wide stack stack-4">
      <Card hasPadding>
        <AvatarEditor
          name="Ana Reyes"
          detail={detail}
          src={src}
          onFile={choose}
          onRemove={src === undefined ? undefined : remove}
        />
      </Card>
      <Card hasPadding>
        <AvatarEditor name="Ana Reyes" detail={detail} onFile={choose} upload={{ percent: 40, onCancel: remove }} />
      </Card>
      <Card hasPadding>
        <AvatarEditor name="Ana Reyes" onFile={choose} error="The picture is larger than 5 MB. The old one is kept." />
      </Card>
    </div>
  );
}

export const specimen: Specimen = {
  id: 'files',
  title: 'Files and pictures',
  group: 'Forms',
  cases: [
    { name: 'A place to drop files', Show: Drop },
    { name: "One's own picture", Show: Editor },
  ],
};
