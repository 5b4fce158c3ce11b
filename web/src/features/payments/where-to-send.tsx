import { QRCodeSVG } from 'qrcode.react';
import { COINS, paymentUri } from '../../../../contracts/crypto.js';
import { formatCents } from '../../shared/format.js';
import { Copyable } from '../../shared/ui/admin-parts.js';
import { Notice } from '../../shared/ui/notice.js';
import { coinText, type ShownInvoice, WRONG_AMOUNT } from './payment-rules.js';

export function WhereToSend({ invoice }: { invoice: ShownInvoice }) {
  const { cryptoType, payAddress, payAmount } = invoice;
  const coinName = COINS[cryptoType].name;
  return (
    <div className="pay">
      <div className="field">
        <p className="flabel">
          Amount <span className="dim num">{formatCents(invoice.totalCents)}</span>
        </p>
        <Copyable className="copyrow" what="amount" text={coinText(payAmount, cryptoType)} copied={payAmount} />
      </div>
      <div className="field">
        <p className="flabel">{coinName} address</p>
        <Copyable className="copyrow" what="address" text={payAddress} />
      </div>
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
