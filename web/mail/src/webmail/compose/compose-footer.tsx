import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { CalendarClock, ChevronDown, Clock, EllipsisVertical, Paperclip, Send, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatMoment } from '../actions/snooze-times.ts'
import { docToText } from './document/doc-to-mail.ts'
import { hasFormatting, picturesIn } from './document/document.ts'
import { textToDoc } from './document/text-to-doc.ts'
import { addFiles, isUploading } from './files.ts'
import { discardWindow } from './saving/discard.ts'
import { draftLine, isUnsaved } from './saving/draft-state.ts'
import { laterMoments } from './schedule.ts'
import type { SendActions } from './use-send-actions.tsx'
import { type ComposeWindow, replaceBody } from './windows.ts'

/** Send, attach, throw away, and whether what is written is saved. */
export const ComposeFooter = ({ one, send }: { one: ComposeWindow; send: SendActions }) => {
  const input = useRef<HTMLInputElement>(null)
  const uploading = isUploading(one)
  return (
    <footer className="flex shrink-0 items-center gap-1 border-line border-t px-3 py-2">
      <div className="flex">
        <Button
          variant="primary"
          icon={<Send aria-hidden />}
          loading={one.phase === 'sending'}
          disabled={uploading}
          onClick={send.send}
          className="rounded-r-none"
        >
          Send
        </Button>
        <LaterMenu one={one} send={send} disabled={uploading || one.phase === 'sending'} />
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          addFiles(one.id, [...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <IconButton label="Attach files" icon={<Paperclip />} onClick={() => input.current?.click()} className="ml-1" />
      <FormatMenu one={one} />
      <DraftLine one={one} isUploading={uploading} />
      <IconButton label="Discard draft" icon={<Trash2 />} onClick={() => void discardWindow(one.id)} />
    </footer>
  )
}

const LaterMenu = ({ one, send, disabled }: { one: ComposeWindow; send: SendActions; disabled: boolean }) => (
  <Menu
    align="start"
    side="top"
    className="w-80"
    trigger={
      <Button
        variant="primary"
        aria-label={`Send later: ${one.letter.subject.trim() || 'New message'}`}
        icon={<ChevronDown aria-hidden />}
        disabled={disabled}
        className="rounded-l-none border-l-on-accent/30 px-1.5"
      />
    }
  >
    <MenuLabel>Send later</MenuLabel>
    {laterMoments(new Date()).map(({ label, at }) => (
      <MenuItem key={label} icon={<Clock />} onSelect={() => send.sendAt(at)}>
        <span className="flex justify-between gap-3">
          <span>{label}</span>
          <span className="text-faint text-xs leading-5 tabular-nums">{formatMoment(at)}</span>
        </span>
      </MenuItem>
    ))}
    <MenuSeparator />
    <MenuItem icon={<CalendarClock />} onSelect={send.askWhen}>
      Pick date and time…
    </MenuItem>
  </Menu>
)

/** Plain or formatted, both ways. What plain text cannot hold is said before it is lost. */
const FormatMenu = ({ one }: { one: ComposeWindow }) => {
  const [isAsking, setAsking] = useState(false)
  const { body } = one.letter
  const toText = () => {
    if (body.format === 'html') replaceBody(one.id, { format: 'text', text: docToText(body.doc) })
  }
  const change = (isPlain: boolean) => {
    if (!isPlain && body.format === 'text') replaceBody(one.id, { format: 'html', doc: textToDoc(body.text) })
    if (isPlain && body.format === 'html') {
      if (hasFormatting(body.doc)) setAsking(true)
      else toText()
    }
  }
  const pictures = body.format === 'html' ? picturesIn(body.doc).size : 0
  return (
    <>
      <Menu align="start" side="top" trigger={<IconButton label="More options" icon={<EllipsisVertical />} />}>
        <MenuCheck checked={body.format === 'text'} onChecked={change}>
          Plain text
        </MenuCheck>
      </Menu>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Switch to plain text?"
        consequence={pictures > 0 ? "You'll lose formatting and inline images." : "You'll lose formatting."}
        confirmLabel="Switch to plain text"
        tone="primary"
        onConfirm={toText}
      />
    </>
  )
}

const clock = (at: number): string =>
  new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }).format(at)

const DraftLine = ({ one, isUploading: isBusy }: { one: ComposeWindow; isUploading: boolean }) => {
  const hasProblem = one.draft.problem !== null && isUnsaved(one.draft)
  return (
    <p
      role={hasProblem ? 'status' : undefined}
      data-draft-line
      className={`min-w-0 flex-1 truncate text-right text-xs ${hasProblem ? 'text-draft-ink' : 'text-faint'}`}
    >
      {isBusy ? 'Uploading…' : draftLine(one.draft, clock)}
    </p>
  )
}
