import { Button } from '@wardline/ui/button/button.tsx';

interface SaveRowProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly isSaved: boolean;
}

/** The end of a form that stays where it is: its button, and that it was saved. */
export function SaveRow({ label, isBusy, isSaved }: SaveRowProps) {
  return (
    <div className="row wrap">
      <Button type="submit" isLoading={isBusy}>
        {label}
      </Button>
      <span className="help" role="status">
        {isSaved && 'Saved.'}
      </span>
    </div>
  );
}
