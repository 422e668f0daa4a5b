import { updateProfile } from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { PictureEditor } from './picture-editor.tsx';
import { SettingsSection } from './settings-section.tsx';

interface ProfileSectionProps {
  readonly user: User;
  /** The server knows something new of this person. */
  readonly onChanged: () => Promise<void>;
}

/** ACC-5: picture and name, as colleagues see them. */
export function ProfileSection({ user, onChanged }: ProfileSectionProps) {
  return (
    <SettingsSection id="profile" title="Profile">
      <Card hasPadding className="set-profile">
        <PictureEditor user={user} onChanged={onChanged} />
        <NameForm user={user} onChanged={onChanged} />
      </Card>
    </SettingsSection>
  );
}

function NameForm({ user, onChanged }: ProfileSectionProps) {
  const call = useCall();
  // What was typed and not saved; an identity that is told anew does not take it away.
  const [draft, setDraft] = useState<string | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  const { props, error, isBusy } = useForm({
    names: ['name'],
    required: { name: 'Enter your name.' },
    async send({ name }) {
      await call(updateProfile, { body: { name } });
      await onChanged();
      setDraft(null);
      setIsSaved(true);
    },
  });
  const isChanged = draft !== null && draft !== user.name;
  return (
    <form className="set-name" {...props}>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <TextInput
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={120}
        value={draft ?? user.name}
        error={error.fields.name}
        help={<span role="status">{isSaved && !isChanged ? 'Saved.' : 'Shown to your colleagues.'}</span>}
        onChange={(event) => {
          setDraft(event.target.value);
          setIsSaved(false);
        }}
      />
      {isChanged && (
        <div className="row wrap set-name-buttons">
          <Button type="submit" isLoading={isBusy}>
            Save name
          </Button>
          <Button variant="ghost" color="neutral" onClick={() => setDraft(null)}>
            Undo
          </Button>
        </div>
      )}
    </form>
  );
}
