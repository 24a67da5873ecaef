import { MAX_MESSAGE_LENGTH } from '@stoa/cms-model/assistant.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SIDE_PANEL } from '@stoa/ui/shell/side-panel-mark.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { ArrowUp, FileText, PanelsTopLeft, Pencil, Square, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { AssistantScope, ChipKind } from './scope.ts'
import type { Conversing, State } from './turn/conversing.ts'

type ComposerProps = { person: string; state: State; conversing: Conversing; scope: AssistantScope }

/** Unsent text stays while the panel is closed. */
let draft = { person: '', text: '' }

/** The input for questions to the assistant. */
export const Composer = ({ person, state, conversing, scope }: ComposerProps) => {
  const [text, setText] = useState((draft.person === person && draft.text) || state.unsent)
  const [removed, remove] = useRemoved(scope.key)
  const input = useRef<HTMLTextAreaElement>(null)
  useFocusOnOpen(input)
  const { unsent } = state
  useEffect(() => {
    if (unsent !== '') setText((now) => now || unsent)
  }, [unsent])
  useEffect(() => {
    draft = { person, text }
  }, [person, text])
  const isBusy = state.line === 'sending' || state.line === 'answering'
  const isTooLong = text.length > MAX_MESSAGE_LENGTH
  const send = () => {
    if (text.trim() === '' || isBusy || isTooLong || state.line === 'loading') return
    void conversing.send(text.trim(), scope.contextWithout(removed))
    setText('')
  }
  const press = (event: KeyboardEvent) => {
    // Enter that chooses a word of an input method sends nothing
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      aria-label="Ask the assistant"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="flex shrink-0 flex-col gap-2 border-line border-t p-3"
    >
      {state.problem === undefined ? null : <Notice tone="danger">{state.problem}</Notice>}
      <Chips scope={scope} removed={removed} onRemove={remove} />
      <div className="control flex items-end gap-1.5 py-1 pr-1 pl-2.5">
        <textarea
          ref={input}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          aria-label="Message"
          aria-invalid={isTooLong || undefined}
          placeholder="Ask about your content, or for a change"
          className="field-sizing-content max-h-48 min-h-7 w-full min-w-0 resize-none bg-transparent py-1 text-sm outline-none placeholder:text-faint touch:text-md"
        />
        {isBusy ? (
          <IconButton
            size="sm"
            label="Stop"
            icon={<Square className="fill-current" />}
            onClick={() => void conversing.stop()}
          />
        ) : (
          <IconButton
            size="sm"
            type="submit"
            variant="primary"
            label="Send"
            shortcut="enter"
            icon={<ArrowUp />}
            disabled={text.trim() === '' || isTooLong}
          />
        )}
      </div>
      {isTooLong ? (
        <p role="alert" className="text-danger-ink text-xs">
          Shorten your message to {formatNumber(MAX_MESSAGE_LENGTH)} characters.
        </p>
      ) : null}
    </form>
  )
}

const NOTHING: ReadonlySet<ChipKind> = new Set()

/** What the person took away, until they go to something else. */
const useRemoved = (key: string): [ReadonlySet<ChipKind>, (kind: ChipKind) => void] => {
  const [taken, setTaken] = useState<{ key: string; kinds: ReadonlySet<ChipKind> }>({ key, kinds: NOTHING })
  const kinds = taken.key === key ? taken.kinds : NOTHING
  return [kinds, (kind) => setTaken({ key, kinds: new Set([...kinds, kind]) })]
}

const names: Record<ChipKind, string> = { entry: 'This entry', section: 'This section', field: 'This field' }

type ChipsProps = { scope: AssistantScope; removed: ReadonlySet<ChipKind>; onRemove: (kind: ChipKind) => void }

/** Context that is sent along with the message. */
const Chips = ({ scope, removed, onRemove }: ChipsProps) => {
  // What is in an entry says nothing without it
  const shown = scope.chips.filter(({ kind }) => !removed.has(kind) && !removed.has('entry'))
  if (shown.length === 0) return null
  return (
    <ul aria-label="Sent with your message" className="flex min-w-0 flex-wrap gap-1.5">
      {shown.map(({ kind, label }) => (
        <li
          key={kind}
          className="flex h-6 min-w-0 max-w-full items-center gap-1 rounded-full border border-line bg-canvas pr-0.5 pl-2 text-muted text-xs [&>svg]:size-3 [&>svg]:shrink-0"
        >
          <ChipIcon kind={kind} />
          <span className="min-w-0 truncate">
            <span className="sr-only">{names[kind]}: </span>
            {label}
          </span>
          <button
            type="button"
            aria-label={`Remove ${names[kind].toLowerCase()}`}
            onClick={() => onRemove(kind)}
            className="flex size-5 shrink-0 items-center justify-center rounded-full hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  )
}

const ChipIcon = ({ kind }: { kind: ChipKind }) => {
  const Icon = kind === 'entry' ? FileText : kind === 'section' ? PanelsTopLeft : Pencil
  return <Icon aria-hidden />
}

/** The panel was opened just now and has the focus somewhere else, as this part came after it. */
const useFocusOnOpen = (input: { current: HTMLTextAreaElement | null }): void => {
  useEffect(() => {
    const panel = input.current?.closest(`[${SIDE_PANEL}]`)
    if (panel?.contains(document.activeElement)) input.current?.focus({ preventScroll: true })
  }, [input])
}
