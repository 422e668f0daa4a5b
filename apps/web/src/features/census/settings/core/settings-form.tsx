import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import type { ReactNode } from 'react';
import { useOutcomeFocus } from '#/shared/forms/use-outcome-focus.ts';
import { useSettingsPlace } from './settings-context.ts';
import type { useSettingsForm } from './use-settings-form.ts';

interface SettingsFormProps {
  readonly form: Omit<ReturnType<typeof useSettingsForm<object, string>>, 'set' | 'values'>;
  readonly saveLabel: string;
  /** In a dialog, which is a surface already. */
  readonly isBare?: boolean;
  readonly children: ReactNode;
}

const OUTCOMES = { saved: 'Saved.', undone: 'Undone.' } as const;

/** The frame of a part that is saved by itself: what is wrong above, what can be done with what was typed under it. */
export function SettingsForm({ form, saveLabel, isBare = false, children }: SettingsFormProps) {
  const { props, error, isBusy, isChanged, outcome, undo } = form;
  // The buttons go with what they have done.
  const place = useOutcomeFocus<HTMLParagraphElement>(outcome);
  const { lacks } = useSettingsPlace();
  const content = (
    <form {...props}>
      <fieldset className="stack stack-4" disabled={lacks !== null}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {children}
        {isChanged && (
          <div className="row wrap">
            <Button type="submit" isLoading={isBusy}>
              {saveLabel}
            </Button>
            <Button variant="ghost" color="neutral" onClick={undo}>
              Undo
            </Button>
          </div>
        )}
      </fieldset>
      <p ref={place} tabIndex={-1} className="help cs-saved" role="status">
        {outcome !== null && OUTCOMES[outcome]}
      </p>
    </form>
  );
  return isBare ? content : <Card hasPadding>{content}</Card>;
}
