import { Kbd } from '@stoa/ui/shortcuts/kbd.tsx'
import { MailCheck, MailOpen } from 'lucide-react'

const HINTS: readonly (readonly [string, string])[] = [
  ['j', 'Next message'],
  ['c', 'Compose'],
  ['/', 'Search'],
  ['?', 'All shortcuts'],
]

type NothingOpenProps = {
  /** The unread count of the list in words, empty for none; undefined where it is not counted. */
  unread: string | undefined
}

/** The empty reading pane: how much is unread, and some shortcuts. */
export const NothingOpen = ({ unread }: NothingOpenProps) => {
  const Icon = unread === '' ? MailCheck : MailOpen
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 p-6 text-center">
      <Icon aria-hidden className="size-9 text-faint" strokeWidth={1.25} />
      <div>
        {unread === undefined ? null : (
          <p className="font-medium text-base text-ink">{unread === '' ? "You're all caught up" : unread}</p>
        )}
        <p className="text-muted text-sm">Select a message to read it</p>
      </div>
      <ul
        aria-label="Shortcuts"
        className="flex flex-wrap justify-center gap-x-4 gap-y-1.5 text-muted text-xs touch:hidden"
      >
        {HINTS.map(([keys, words]) => (
          <li key={keys} className="flex items-center gap-1.5">
            <Kbd keys={keys} />
            {words}
          </li>
        ))}
      </ul>
    </div>
  )
}
