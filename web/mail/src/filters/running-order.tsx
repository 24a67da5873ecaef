import { Panel } from '@stoa/ui/display/panel.tsx'

const steps = [
  { title: 'Filters for all addresses', words: 'From top to bottom, for mail to any of your addresses' },
  { title: 'Filters for the address', words: 'From top to bottom, for mail to that address' },
  { title: 'Script from a mail app', words: 'If the mailbox owner added one with ManageSieve or JMAP' },
  { title: 'Automatic reply', words: 'If the mailbox owner turned it on in webmail' },
]

/** Says what runs when, which no single list can show. */
export const RunningOrder = () => (
  <Panel
    title="How filters run"
    description="Filters run in this order. “Stop” ends processing. Mail that isn't moved goes to the inbox."
  >
    <ol className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {steps.map(({ title, words }, index) => (
        <li key={title} className="flex items-start gap-3 text-sm">
          <span
            aria-hidden
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-neutral-soft font-medium text-muted text-xs tabular-nums"
          >
            {index + 1}
          </span>
          <span className="flex min-w-0 flex-col">
            <span className="font-medium text-ink">{title}</span>
            <span className="text-muted text-xs">{words}</span>
          </span>
        </li>
      ))}
    </ol>
  </Panel>
)
