import { Card } from '@wardline/ui/card/card.tsx';
import { useColourMode } from '@wardline/ui/colour-mode/use-colour-mode.ts';
import { ModePicture } from '@wardline/ui/input/mode-picture.tsx';
import { RadioCards } from '@wardline/ui/input/radio-group.tsx';
import { appearances } from '#/shared/forms/appearances.ts';
import { SettingsSection } from './settings-section.tsx';

/** Light, dark, or as the system has it; kept in this browser. */
export function AppearanceSection() {
  const { preference, set } = useColourMode();
  return (
    <SettingsSection id="appearance" title="Appearance" isLocal>
      <Card hasPadding>
        <RadioCards
          label="Mode"
          isLabelHidden
          value={preference}
          onValueChange={set}
          choices={appearances.map(({ value, label }) => ({ value, label, picture: <ModePicture mode={value} /> }))}
        />
      </Card>
    </SettingsSection>
  );
}
