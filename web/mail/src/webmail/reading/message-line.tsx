import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Flag, Paperclip } from 'lucide-react'
import { compose } from '../compose/compose.ts'
import { rowDate } from '../list/row-words.ts'
import { nameOf } from '../people.ts'

/** A closed message of a conversation in one line. */
export const MessageLine = ({ message, onOpen }: { message: MessageItem; onOpen: () => void }) => {
  const { from, flags, preview, received_at: at, has_attachments: hasFiles, id } = message
  const name = from ? nameOf(from) : 'Unknown sender'
  return (
    <button
      type="button"
      aria-expanded={false}
      onClick={() => (flags.draft ? compose({ kind: 'draft', id }) : onOpen())}
      className="flex w-full min-w-0 items-center gap-3 px-5 py-2.5 text-left text-sm outline-offset-[-2px] hover:bg-hover phone:px-4"
    >
      <Avatar name={name} person={from?.email ?? null} />
      <span className={cx('w-36 shrink-0 truncate phone:w-24', flags.seen ? 'text-ink' : 'font-semibold text-ink')}>
        {name}
      </span>
      {flags.draft ? <Badge tone="draft">Draft</Badge> : null}
      <span dir="auto" className="min-w-0 flex-1 truncate text-left text-muted">
        {preview}
      </span>
      {hasFiles ? <Paperclip aria-label="With attachments" className="size-3.5 shrink-0 text-faint" /> : null}
      {flags.flagged ? <Flag aria-label="Flagged" className="size-3.5 shrink-0 fill-current text-draft-mark" /> : null}
      <time dateTime={at} className="shrink-0 text-muted text-xs tabular-nums">
        {rowDate(new Date(at), new Date())}
      </time>
    </button>
  )
}

/** Older messages that one hardly looks at again, as one line. */
export const FoldedRow = ({ messages, onUnfold }: { messages: readonly MessageItem[]; onUnfold: () => void }) => (
  <li className="relative flex h-9 items-center justify-center border-line border-t">
    <span aria-hidden className="absolute inset-x-0 top-1/2 h-px bg-line" />
    <button
      type="button"
      onClick={onUnfold}
      className="relative rounded-full border border-line-strong bg-surface px-3 py-0.5 text-muted text-xs hover:text-ink touch:py-2"
    >
      {formatCount(messages.length, 'older message', 'older messages')}
    </button>
  </li>
)
