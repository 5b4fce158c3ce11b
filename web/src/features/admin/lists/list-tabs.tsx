import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';

interface ListTab {
  title: string;
  /** Undefined while it is not known. */
  list: { rows: readonly unknown[]; isWhole: boolean } | undefined;
  content: ReactNode;
}

/** Lists that exclude each other, such as pending and completed. */
export function ListTabs({ label, tabs }: { label: string; tabs: readonly [ListTab, ...ListTab[]] }) {
  return (
    <Tabs.Root defaultValue={tabs[0].title} className="grid gap-4">
      <Tabs.List className="tabs" aria-label={label}>
        {tabs.map(({ title, list }) => (
          <Tabs.Trigger key={title} value={title}>
            {title}
            {list && <sup>{countText(list)}</sup>}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ title, content }) => (
        <Tabs.Content key={title} value={title} tabIndex={-1}>
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** 12; 500+ where only the newest are here. */
export const countText = ({ rows, isWhole }: { rows: readonly unknown[]; isWhole: boolean }): string =>
  `${rows.length.toLocaleString('en-US')}${isWhole ? '' : '+'}`;
