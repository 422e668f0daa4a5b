import { createSource, type Observable } from '#/observable.ts';
import type {
  OverlayComponent,
  OverlayControl,
  OverlayEntry,
  OverlayHandle,
  OverlayId,
  OverlayOptions,
  OverlayProps,
  OwnProps,
} from './overlay.ts';
import type { OverlayHistory } from './overlay-history.ts';

export interface OverlayDeps {
  /** Makes Back close the top overlay; without it Back leaves the page. */
  readonly history?: OverlayHistory;
}

/** What lies over the page, the lowest first: every mounted overlay, also one that is leaving (OVERLAY-1). */
export interface Overlays extends Observable<readonly OverlayEntry[]> {
  /** Makes an overlay known; it is not drawn before it is opened. */
  create<Props extends OverlayProps, Given extends Partial<OwnProps<Props>> = Record<never, never>>(
    component: OverlayComponent<Props>,
    options?: OverlayOptions<Given>,
  ): OverlayHandle<Props, Given>;
  /** Opens it on top of all. Opening an open one again settles the earlier promise with undefined. */
  open(id: OverlayId, props?: object): Promise<unknown>;
  /** Closes it; whoever opened it gets the result now. */
  close(id: OverlayId, result?: unknown): void;
  /** Closes it without a result; whoever opened it is told after the leave. */
  dismiss(id: OverlayId): void;
  closeAll(): void;
  /** Changes a part of its props, until it is opened anew. */
  patch(id: OverlayId, props: object): void;
  /** Takes it away without a leave. */
  unmount(id: OverlayId): void;
  isOpen(id: OverlayId): boolean;
  /** Its leave has ended: it is not drawn any more, and destroyed where that was asked for. */
  afterLeave(id: OverlayId): void;
}

interface Known {
  readonly id: OverlayId;
  readonly component: OverlayComponent<never>;
  readonly given: object;
  readonly destroyOnClose: boolean;
  readonly actions: Omit<OverlayControl<unknown>, 'isOpen'>;
  props: object;
  isOpen: boolean;
  settle: (result: unknown) => void;
}

const nobody = (): void => undefined;

/** Makes the overlays of a page. All that take an id throw 'Overlay not found' for an unknown one. */
export function createOverlays({ history }: OverlayDeps = {}): Overlays {
  const stack = createStack(history);
  const { entries, known, open, close, dismiss, afterLeave, patch, unmount } = stack;
  let count = 0;

  return {
    get: entries.get,
    subscribe: entries.subscribe,
    create(component, { props = {} as never, defaultOpen = false, destroyOnClose = false } = {}) {
      count += 1;
      const id = `overlay-${count}`;
      known.set(id, {
        id,
        component,
        given: props,
        destroyOnClose,
        // A component may still say that it left when it is destroyed already.
        actions: {
          close: (result) => known.has(id) && close(id, result),
          dismiss: () => known.has(id) && dismiss(id),
          afterLeave: () => known.has(id) && afterLeave(id),
        },
        props,
        isOpen: false,
        settle: nobody,
      });
      if (defaultOpen) void open(id);
      return {
        id,
        open: (...[own]) => open(id, own) as Promise<never>,
        close: (result) => close(id, result),
        patch: (own) => patch(id, own),
      };
    },
    open,
    close,
    dismiss,
    closeAll() {
      for (const { id } of stack.openOnes().reverse()) close(id);
    },
    patch,
    unmount,
    isOpen: (id) => stack.find(id).isOpen,
    afterLeave,
  };
}

/** Which overlays are known, which of them are drawn, in which order, and what can happen to one. */
function createStack(history: OverlayHistory | undefined) {
  const known = new Map<OverlayId, Known>();
  const entries = createSource<readonly OverlayEntry[]>([]);
  let mounted: readonly Known[] = [];

  const find = (id: OverlayId): Known => {
    const overlay = known.get(id);
    if (overlay === undefined) throw new Error('Overlay not found');
    return overlay;
  };
  const openOnes = () => mounted.filter((overlay) => overlay.isOpen);
  const publish = (): void => {
    entries.set(mounted.map(toEntry));
    history?.setDepth(openOnes().length);
  };

  const open = (id: OverlayId, props: object = {}): Promise<unknown> => {
    const overlay = find(id);
    settle(overlay, undefined);
    const answer = new Promise<unknown>((resolve) => {
      overlay.settle = resolve;
    });
    overlay.props = { ...overlay.given, ...props };
    overlay.isOpen = true;
    mounted = [...mounted.filter((other) => other !== overlay), overlay];
    publish();
    return answer;
  };
  const dismiss = (id: OverlayId): void => {
    find(id).isOpen = false;
    publish();
  };
  const close = (id: OverlayId, result?: unknown): void => {
    dismiss(id);
    settle(find(id), result);
  };
  const unmount = (id: OverlayId): void => {
    const overlay = find(id);
    overlay.isOpen = false;
    mounted = mounted.filter((other) => other !== overlay);
    if (overlay.destroyOnClose) known.delete(id);
    publish();
    settle(overlay, undefined);
  };
  const afterLeave = (id: OverlayId): void => {
    // One that was opened again while it left stays.
    if (!find(id).isOpen) unmount(id);
  };
  const patch = (id: OverlayId, props: object): void => {
    const overlay = find(id);
    overlay.props = { ...overlay.props, ...props };
    publish();
  };

  history?.onBack((depth) => {
    for (const overlay of openOnes().slice(depth)) overlay.isOpen = false;
    publish();
  });
  return { entries, known, find, openOnes, open, dismiss, close, unmount, afterLeave, patch };
}

function settle(overlay: Known, result: unknown): void {
  const { settle: tell } = overlay;
  overlay.settle = nobody;
  tell(result);
}

function toEntry({ id, component, props, isOpen, actions }: Known): OverlayEntry {
  return { id, component, props: { ...props }, overlay: { ...actions, isOpen } };
}
