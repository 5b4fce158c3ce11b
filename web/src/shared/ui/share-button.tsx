import { Share } from 'lucide-react';
import { referralUrl, useSession } from '../session.queries.js';
import { Button, type ButtonProps } from './controls.js';
import { copyText } from './toasts.js';

/** Opens the device's sharing sheet where there is one; else copies text and address to the clipboard. */
async function share(content: Required<Pick<ShareData, 'title' | 'text' | 'url'>>): Promise<void> {
  try {
    if (typeof navigator.share === 'function') return await navigator.share(content);
  } catch (error) {
    // AbortError means that the gamer closed the sheet, which is not a failure.
    if (error instanceof DOMException && error.name === 'AbortError') return;
  }
  await copyText(`${content.text} ${content.url}`, 'Paste it wherever you want to share it.');
}

interface ShareButtonProps extends ButtonProps {
  shareText: string;
  shareTitle?: string;
}

export function ShareButton({ shareText, shareTitle = 'Omni Jackpot', ...button }: ShareButtonProps) {
  const url = referralUrl(useSession()?.refCode ?? '');
  const content = { title: shareTitle, text: shareText, url };
  return <Button kind="line sm" icon={Share} {...button} onClick={() => void share(content)} />;
}
