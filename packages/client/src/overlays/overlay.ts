/** What an overlay is handed beside its own props, under the name `overlay`. */
export interface OverlayControl<Result> {
  /** False while it leaves. */
  readonly isOpen: boolean;
  /** Closes with a result, which whoever opened it gets at once. */
  readonly close: (result?: Result) => void;
  /** Escape, a press beside it, its cross: closes without a result; whoever opened it is told after the leave. */
  readonly dismiss: () => void;
  /** To be called when the leave animation has ended, or at once where there is none. */
  readonly afterLeave: () => void;
}

/** Props of something that can be opened; `never` so that a control of any result fits. */
export interface OverlayProps {
  readonly overlay: OverlayControl<never>;
}

/** Something that can be opened: for React a component, also a lazy one. Nothing of it is called here. */
export type OverlayComponent<Props extends OverlayProps> = (props: Props) => unknown;

/** The result that an overlay with these props closes with. */
export type ResultOf<Props> = Props extends { readonly overlay: OverlayControl<infer Result> } ? Result : never;

/** The props that a caller hands over. */
export type OwnProps<Props> = Omit<Props, 'overlay'>;

/** What `open` still needs when `create` was given a part; everything may be given anew. */
export type PropsLeft<Props, Given> = Omit<OwnProps<Props>, keyof Given> & Partial<OwnProps<Props>>;

export type OverlayId = string;

/** One overlay as it is to be drawn: `<component {...props} overlay={overlay} />`. */
export interface OverlayEntry {
  readonly id: OverlayId;
  // What was created with props that fit is drawn with these props; the list itself cannot say which.
  readonly component: OverlayComponent<never>;
  readonly props: Readonly<Record<string, unknown>>;
  readonly overlay: OverlayControl<unknown>;
}

export interface OverlayOptions<Given> {
  readonly props?: Given;
  /** Opened at once. */
  readonly defaultOpen?: boolean;
  /** For one that is used once: after the leave its id is unknown. */
  readonly destroyOnClose?: boolean;
}

/** What `create` answers: the overlay by its id. Each throws 'Overlay not found' once it is destroyed. */
export interface OverlayHandle<Props extends OverlayProps, Given> {
  readonly id: OverlayId;
  /** Opens it with the props of `create` and these. Resolves with the result, undefined when it was dismissed. */
  open(
    ...props: Record<never, never> extends PropsLeft<Props, Given>
      ? [props?: PropsLeft<Props, Given>]
      : [props: PropsLeft<Props, Given>]
  ): Promise<ResultOf<Props> | undefined>;
  close(result?: ResultOf<Props>): void;
  patch(props: Partial<OwnProps<Props>>): void;
}
