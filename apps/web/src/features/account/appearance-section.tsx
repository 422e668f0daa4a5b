import { Card } from '@wardline/ui/card/card.tsx';
import type { ColourPreference } from '@wardline/ui/colour-mode/colour-mode.ts';
import { useColourMode } from '@wardline/ui/colour-mode/use-colour-mode.ts';
import { SettingsSection } from './settings-section.tsx';

const choices: readonly { value: ColourPreference; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Light, dark, or as the system has it; kept in this browser. */
export function AppearanceSection() {
  const { preference, set } = useColourMode();
  return (
    <SettingsSection id="appearance" title="Appearance" isLocal>
      <Card hasPadding>
        <fieldset className="set-modes">
          <legend className="sr">Mode</legend>
          {choices.map(({ value, label }) => (
            <label key={value} className="set-mode">
              <ModePreview of={value} />
              <span className="check">
                <input
                  type="radio"
                  name="mode"
                  value={value}
                  checked={preference === value}
                  onChange={() => set(value)}
                />
                <span className="medium">{label}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </Card>
    </SettingsSection>
  );
}

/** A page in miniature; of 'system' one half in each mode. */
function ModePreview({ of }: { of: ColourPreference }) {
  return (
    <span className="set-preview" data-mode={of === 'dark' ? 'dark' : 'light'} aria-hidden="true">
      <MiniPage />
      {of === 'system' && (
        <span className="set-preview is-half" data-mode="dark">
          <MiniPage />
        </span>
      )}
    </span>
  );
}

function MiniPage() {
  return (
    <>
      <span className="mini-rail" />
      <span className="mini-card">
        <span className="mini-line" />
        <span className="mini-button" />
      </span>
    </>
  );
}
