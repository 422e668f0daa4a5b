import { type ComponentProps, type ComponentType, createContext, type ReactNode, use } from 'react';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string };
export type LinkComponent = ComponentType<LinkProps>;

const LinkContext = createContext<LinkComponent | 'a'>('a');

export type LinkProviderProps = {
  /** What the kit renders for a link: the router's own, taking `href`. */
  component: LinkComponent;
  children: ReactNode;
};

/** Hands the router's link to every part of the kit below, which stays free of the router. */
export function LinkProvider({ component, children }: LinkProviderProps) {
  return <LinkContext value={component}>{children}</LinkContext>;
}

/** A link through the provided component; a plain anchor where none is provided. */
export function Link(props: LinkProps) {
  const Component = use(LinkContext);
  return <Component {...props} />;
}
