import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';

interface ListTab {
  title: string;
  /** Undefined while it is not known. */
  count: number | undefined;
  content: ReactNode;
}

/** Lists that exclude each other, such as pending and completed. */
export function ListTabs({ label, tabs }: { label: string; tabs: readonly [ListTab, ...ListTab[]] }) {
  return (
    <Tabs.Root defaultValue={tabs[0].title} className="grid gap-4">
      <Tabs.List className="tabs" aria-label={label}>
        {tabs.map(({ title, count }) => (
          <Tabs.Trigger key={title} value={title}>
            {title}
            {count !== undefined && <sup>{count.toLocaleString('en-US')}</sup>}
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
