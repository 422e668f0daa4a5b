import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@wardline/ui/menu/menu.tsx';
import { MenuOpensAtOnce } from '@wardline/ui/menu/menu-opens-at-once.ts';
import { type ReactElement, useContext, useRef, useState } from 'react';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { insertTemplate } from './insert-template.ts';
import { SHIPPED_TEMPLATES, type TemplateText } from './shipped-templates.ts';
import { useTemplates } from './use-templates.ts';

const TemplatesDialog = lazyPart(async () => (await import('./templates-dialog.tsx')).TemplatesDialog, {
  onMissing: closeMissing,
});

interface TemplateMenuProps {
  readonly trigger: ReactElement;
  readonly facilityId: string;
  readonly mayEdit: boolean;
  /** The box one writes in. */
  readonly box: () => HTMLTextAreaElement | null;
}

/** The texts that a message is begun with: those of the product, then those of the facility. */
export function TemplateMenu({ trigger, facilityId, mayEdit, box }: TemplateMenuProps) {
  const [isOpen, setIsOpen] = useState(useContext(MenuOpensAtOnce));
  const [isEditing, setIsEditing] = useState(false);
  const chosen = useRef<TemplateText | 'edit'>(null);
  const { data: own = [], isPending, isError } = useTemplates(facilityId, isOpen || isEditing);
  const choose = (choice: TemplateText | 'edit') => {
    chosen.current = choice;
  };
  const act = (event: Event) => {
    const [choice, textarea] = [chosen.current, box()];
    chosen.current = null;
    // The button has the focus again, so that it comes back there from the dialog.
    if (choice === 'edit') return setIsEditing(true);
    if (choice === null || textarea === null) return;
    event.preventDefault();
    insertTemplate(textarea, choice.body);
  };
  return (
    <>
      <Menu trigger={trigger} side="top" open={isOpen} onOpenChange={setIsOpen} onCloseAutoFocus={act}>
        {SHIPPED_TEMPLATES.map((template) => (
          <MenuItem key={template.title} onSelect={() => choose(template)}>
            {template.title}
          </MenuItem>
        ))}
        {(own.length > 0 || isPending || isError) && <MenuSeparator />}
        {own.length === 0 && isPending && <MenuLabel>Loading templates</MenuLabel>}
        {own.length === 0 && isError && <MenuLabel>Your facility’s templates did not load</MenuLabel>}
        {own.map((template) => (
          <MenuItem key={template.id} onSelect={() => choose(template)}>
            {template.title}
          </MenuItem>
        ))}
        {mayEdit && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => choose('edit')}>Edit templates</MenuItem>
          </>
        )}
      </Menu>
      {isEditing && <TemplatesDialog facilityId={facilityId} onClose={() => setIsEditing(false)} />}
    </>
  );
}
