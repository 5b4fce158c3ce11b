import { QRCodeSVG } from 'qrcode.react';

/** Dark on light, as scanners expect it. */
export default function QrCode(props: { value: string; title: string; size: number }) {
  return <QRCodeSVG {...props} marginSize={3} level="M" bgColor="#f8f1e7" fgColor="#120c14" />;
}
