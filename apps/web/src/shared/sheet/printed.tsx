import { Button } from '@wardline/ui/button/button.tsx';
import { ArrowLeft, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import './sheet.css';

interface PrintedProps {
  /** Where one goes back to, as its button says it. */
  readonly back: string;
  readonly onClose: () => void;
  readonly title: string;
  /** Writes down that it is printed. A sheet that is needed now does not wait for it. */
  readonly onPrint: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** Sheets as they come out of the printer, on the page; only they are printed. */
export function Printed({ back, onClose, title, onPrint, children }: PrintedProps) {
  const putOnPaper = () => {
    onPrint().catch(() => undefined);
    window.print();
  };
  return (
    <div className="prn">
      <div className="prn-tools row wrap">
        <Button variant="outline" color="neutral" icon={ArrowLeft} onClick={onClose}>
          {back}
        </Button>
        <span className="muted t13">{title}. Fits A4 and Letter.</span>
        <Button className="push" icon={Printer} onClick={putOnPaper}>
          Print or save as PDF
        </Button>
      </div>
      {children}
    </div>
  );
}
