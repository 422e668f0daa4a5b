import { ArrowRight, Plus, Printer } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonColor, type ButtonSize, type ButtonVariant } from '#/button/button.tsx';
import { every, type Specimen } from '../../specimen.ts';

const SIZES = every<ButtonSize>({ xs: true, sm: true, md: true, lg: true, xl: true });
const COLOURS = every<ButtonColor>({
  primary: true,
  secondary: true,
  success: true,
  info: true,
  warning: true,
  error: true,
  neutral: true,
});
const VARIANTS = every<ButtonVariant>({
  solid: true,
  outline: true,
  soft: true,
  subtle: true,
  ghost: true,
  link: true,
});

function Matrix() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <section className="scroll-x" aria-label="Colours and variants" tabIndex={0}>
      <table className="g-matrix">
        <thead>
          <tr>
            <td />
            {VARIANTS.map((variant) => (
              <th scope="col" key={variant}>
                {variant}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {COLOURS.map((color) => (
            <tr key={color}>
              <th scope="row">{color}</th>
              {VARIANTS.map((variant) => (
                <td key={variant}>
                  <Button color={color} variant={variant}>
                    Submit
                  </Button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Sizes() {
  return (
    <div className="stack stack-3">
      {VARIANTS.map((variant) => (
        <div className="row wrap row-3" key={variant}>
          {SIZES.map((size) => (
            <Button size={size} variant={variant} key={size}>
              Size {size}
            </Button>
          ))}
          {SIZES.map((size) => (
            <Button size={size} variant={variant} iconOnly icon={Printer} label={`Print, ${size}`} key={size} />
          ))}
        </div>
      ))}
    </div>
  );
}

function States() {
  const [isLoading, setIsLoading] = useState(true);
  return (
    <div className="stack stack-3">
      {VARIANTS.map((variant) => (
        <div className="row wrap row-3" key={variant}>
          <Button variant={variant} icon={Plus}>
            With an icon
          </Button>
          <Button variant={variant} trailingIcon={ArrowRight}>
            Leads on
          </Button>
          <Button variant={variant} isLoading={isLoading}>
            Signing
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
          <Button variant={variant} asChild>
            <a href="#buttons">Leads to a page</a>
          </Button>
        </div>
      ))}
      <div className="row">
        <Button color="neutral" variant="outline" onClick={() => setIsLoading(!isLoading)}>
          {isLoading ? 'End loading' : 'Load again'}
        </Button>
      </div>
      <div className="g-limit">
        <Button isFullWidth size="lg">
          As wide as its place
        </Button>
      </div>
    </div>
  );
}

export const specimen: Specimen = {
  id: 'buttons',
  title: 'Button',
  group: 'Actions',
  cases: [
    { name: 'Seven colours, six variants', Show: Matrix },
    { name: 'Five sizes', Show: Sizes },
    { name: 'States', Show: States },
  ],
};
