import { Copy } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { COINS, paymentUri } from '../../../../contracts/crypto.js';
import { formatCents } from '../../shared/format.js';
import { Button } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { copyText } from '../../shared/ui/toasts.js';
import { coinText, type ShownInvoice, WRONG_AMOUNT } from './payment-rules.js';

export function WhereToSend({ invoice }: { invoice: ShownInvoice }) {
  const { cryptoType, payAddress, payAmount } = invoice;
  const coinName = COINS[cryptoType].name;
  return (
    <div className="pay">
      <Copyable
        name="amount"
        label="Amount"
        note={formatCents(invoice.totalCents)}
        text={coinText(payAmount, cryptoType)}
        copied={payAmount}
      />
      <Copyable name="address" label={`${coinName} address`} text={payAddress} copied={payAddress} />
      <Notice tone="time" title="Send the exact amount." text={WRONG_AMOUNT} />
      <div className="qr">
        <QRCodeSVG
          value={paymentUri(cryptoType, payAddress, payAmount)}
          // The QR code of a TRX payment holds the bare address only (see paymentUri).
          title={`QR code with the ${coinName} address${cryptoType === 'TRX' ? '' : ' and amount'}`}
          size={240}
          marginSize={3}
          level="M"
          bgColor="#f8f1e7"
          fgColor="#120c14"
        />
      </div>
    </div>
  );
}

interface CopyableProps {
  name: string;
  label: string;
  note?: string;
  text: string;
  copied: string;
}

const Copyable = ({ name, label, note, text, copied }: CopyableProps) => (
  <div className="field">
    <p className="flabel">
      <span>{label}</span> {note !== undefined && <span className="dim num">{note}</span>}
    </p>
    <div className="copyrow">
      <span className="code">{text}</span>
      <Button
        icon={Copy}
        aria-label={`Copy ${name}`}
        onClick={() => void copyText(copied, `The ${name} is on the clipboard.`)}
      />
    </div>
  </div>
);
