import { MenuOpensAtOnce } from '@wardline/ui/menu/menu-opens-at-once.ts';
import {
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { lazyPart } from './lazy-part.tsx';
import { sayPartMissing } from './show-load-error.ts';

interface HasTrigger {
  /** The button that opens the menu. */
  readonly trigger: ReactElement;
}

interface EarlyPress {
  /** The button was pressed before the menu's code was there. */
  readonly isPressed: boolean;
  readonly press: () => void;
}

const EarlyPressContext = createContext<EarlyPress>({ isPressed: false, press: () => undefined });

/** A menu whose code comes after its button: a press is not lost, it opens once it can. Where the code is gone, a press says so. */
export function lazyMenu<Props extends HasTrigger>(
  load: () => Promise<(props: Props) => ReactNode>,
): (props: Props) => ReactNode {
  const Part = lazyPart(load, {
    whileLoading: ({ trigger }) => <EarlyTrigger trigger={trigger} />,
    whenMissing: ({ trigger }) => <MissingTrigger trigger={trigger} />,
  });

  return function LazyMenu(props: Props) {
    const [isPressed, setPressed] = useState(false);
    return (
      <EarlyPressContext value={{ isPressed, press: () => setPressed(true) }}>
        <MenuOpensAtOnce value={isPressed}>
          <Part {...props} />
        </MenuOpensAtOnce>
      </EarlyPressContext>
    );
  };
}

function EarlyTrigger({ trigger }: HasTrigger) {
  const { press } = useContext(EarlyPressContext);
  return withPress(trigger, press);
}

function MissingTrigger({ trigger }: HasTrigger) {
  const { isPressed } = useContext(EarlyPressContext);
  const sayIfPressed = useEffectEvent(() => {
    if (isPressed) sayPartMissing();
  });
  useEffect(() => sayIfPressed(), []);
  return withPress(trigger, sayPartMissing);
}

function withPress(trigger: ReactElement, onClick: () => void): ReactElement {
  return cloneElement(trigger as ReactElement<{ onClick?: () => void }>, { onClick });
}
