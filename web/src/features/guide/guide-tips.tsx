import { CalendarClock, Lightbulb, ScanLine, Wallet } from 'lucide-react';

const tips = [
  {
    Icon: Lightbulb,
    name: 'Watch the last lamp',
    text: 'The brightest one is the newest purchase. Its owner wins at zero.',
  },
  {
    Icon: Wallet,
    name: 'Deposit before the round',
    text: 'A balance buys in a second. A payment in crypto takes minutes to be confirmed.',
  },
  {
    Icon: ScanLine,
    name: 'Send the exact amount',
    text: 'A wrong crypto deposit amount means a 24-72 hour manual review.',
  },
  {
    Icon: CalendarClock,
    name: 'Mind the 30 days',
    text: 'Matrix winnings are paid to active depositors: for 30 days from the last deposit.',
  },
] as const;

export function GuideTips() {
  return (
    <ul className="tips">
      {tips.map(({ Icon, name, text }) => (
        <li key={name}>
          <Icon size={28} aria-hidden="true" />
          <b>{name}</b>
          <span className="t14 dim">{text}</span>
        </li>
      ))}
    </ul>
  );
}
