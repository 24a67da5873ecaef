import { Panel } from '@stoa/ui/display/panel.tsx'

const steps = [
  { title: 'Filters of all addresses', words: 'from top to bottom, for every message to any of your addresses' },
  { title: 'Filters of the address', words: 'from top to bottom, for its own mail' },
  { title: 'The script of a mail program', words: 'if its owner keeps one with ManageSieve or JMAP' },
  { title: 'The vacation reply', words: 'if its owner has switched it on in the webmail' },
]

/** Says what runs when, which no single list can show. */
export const RunningOrder = () => (
  <Panel
    title="The way of a message"
    description="All of these share one result. A rule that stops ends the way; mail that nothing has moved goes to the inbox."
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
