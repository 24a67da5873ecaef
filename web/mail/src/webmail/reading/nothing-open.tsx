import { Kbd } from '@stoa/ui/shortcuts/kbd.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { MailCheck, MailOpen } from 'lucide-react'

const HINTS: readonly (readonly [string, string])[] = [
  ['j', 'Next message'],
  ['c', 'Write a message'],
  ['/', 'Search'],
  ['?', 'All shortcuts'],
]

type NothingOpenProps = {
  /** Of the folder beside it; undefined where they are not counted. */
  unread: number | undefined
}

/** Where a message will be: what is next. */
export const NothingOpen = ({ unread }: NothingOpenProps) => {
  const Icon = unread === 0 ? MailCheck : MailOpen
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 p-6 text-center">
      <Icon aria-hidden className="size-9 text-faint" strokeWidth={1.25} />
      <div>
        {unread === undefined ? null : (
          <p className="font-medium text-base text-ink">
            {unread === 0 ? "You're all caught up" : formatCount(unread, 'unread message', 'unread messages')}
          </p>
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
