import { IconButton } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ChevronUp, Maximize2, Minimize2, Minus, Paperclip, SquareArrowOutUpRight, X } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, memo, Suspense, useEffect, useRef, useState } from 'react'
import { AttachmentList } from './attachment-list.tsx'
import { ComposeFields } from './compose-fields.tsx'
import { ComposeFooter } from './compose-footer.tsx'
import { PlainEditor } from './document/plain-editor.tsx'
import { addFiles } from './files.ts'
import { closeWindow } from './saving/saving.ts'
import { useSendActions } from './use-send-actions.tsx'
import { type ComposeView, type ComposeWindow, showWindow, updateWindow } from './windows.ts'

const RichEditor = lazyPart(() => import('./document/rich-editor.tsx'), 'RichEditor')

type ComposeWindowProps = { one: ComposeWindow; view: ComposeView; isPhone: boolean }

const frames: Record<ComposeView, string> = {
  docked: 'relative h-[min(40rem,calc(100dvh-4rem))] w-136 max-w-[calc(100vw-2rem)] rounded-t-xl border shadow-lg',
  minimised: 'relative w-64 phone:w-52 rounded-t-lg border shadow-md',
  inline: 'relative min-h-72 w-full max-h-[min(40rem,80dvh)] rounded-lg border shadow-sm',
  full: 'layer-overlay fixed inset-0 desk:inset-6 desk:mx-auto desk:max-w-page desk:rounded-xl desk:border desk:shadow-lg',
}

/** One message that is written. */
export const ComposeWindowView = memo(({ one, view, isPhone }: ComposeWindowProps) => {
  const root = useRef<HTMLElement>(null)
  const title = one.letter.subject.trim() || 'New message'
  useFocusBack(root)
  useFocusWhenOpened(root, view !== 'minimised')
  useFocusAfterSending(root, one.phase === 'sending')
  useInSight(root, view === 'inline')
  const send = useSendActions(one)
  const drop = useFileDrop(one.id)
  const isOpen = view !== 'minimised'
  const press = (event: KeyboardEvent) => {
    // Layers that hang at this window are in portals, and have their own keys
    if (!isInside(root.current, event.target)) return
    // The editor calls every Esc its own, and does nothing with it
    if (event.key === 'Escape' && (!event.defaultPrevented || isInText(event.target))) {
      event.preventDefault()
      // A recipient that is still typed becomes one when its input is left
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
      closeWindow(one.id)
    }
    // The letters of the list behind are not for who writes
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
  }
  return (
    <section
      ref={root}
      role="dialog"
      tabIndex={-1}
      aria-label={title}
      aria-busy={one.phase === 'sending' || undefined}
      data-compose-window={view}
      onKeyDown={press}
      onKeyDownCapture={(event) => {
        // Before the editor, which has the same keys for something else
        const action = isInside(root.current, event.target) ? keyAction(event, one, send.send) : null
        if (!action) return
        event.preventDefault()
        event.stopPropagation()
        action()
      }}
      {...drop.events}
      className={cx(
        'pointer-events-auto flex min-w-0 flex-col overflow-hidden border-line bg-raised outline-none',
        frames[view],
      )}
    >
      <WindowHeader one={one} view={view} isPhone={isPhone} title={title} />
      {/* Hidden and not gone: the caret and what can be undone stay */}
      <div inert={one.phase === 'sending'} className={cx('min-h-0 flex-1 flex-col', isOpen ? 'flex' : 'hidden')}>
        {one.phase === 'loading' ? (
          <Loading />
        ) : (
          <>
            <ComposeFields one={one} />
            <div className="flex min-h-0 flex-1 flex-col">
              {one.letter.body.format === 'text' ? (
                <PlainEditor one={one} text={one.letter.body.text} />
              ) : (
                <Suspense fallback={<Loading />}>
                  <RichEditor one={one} doc={one.letter.body.doc} />
                </Suspense>
              )}
            </div>
            <AttachmentList one={one} />
            {one.problem === null ? null : (
              <Notice
                tone="warning"
                className="mx-3 mb-2"
                action={
                  <IconButton
                    size="sm"
                    label="Dismiss"
                    icon={<X />}
                    onClick={() => updateWindow(one.id, { problem: null })}
                  />
                }
              >
                {one.problem}
              </Notice>
            )}
            <ComposeFooter one={one} send={send} />
          </>
        )}
      </div>
      {drop.isOver ? <DropHint /> : null}
      {send.questions}
    </section>
  )
})

const isInside = (root: HTMLElement | null, target: EventTarget): boolean =>
  target instanceof Node && root !== null && root.contains(target)

const isInText = (target: EventTarget): boolean => target instanceof Element && target.closest('.mail-text') !== null

const keyAction = (event: KeyboardEvent, one: ComposeWindow, send: () => void): (() => void) | null => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null
  const key = event.key.toLowerCase()
  if (key === 'enter') return send
  if (!event.shiftKey || (key !== 'c' && key !== 'b')) return null
  const field = key === 'c' ? 'cc' : 'bcc'
  return () => updateWindow(one.id, { shownFields: { ...one.shownFields, [field]: true } })
}

type HeaderProps = ComposeWindowProps & { title: string }

const WindowHeader = ({ one, view, isPhone, title }: HeaderProps) => {
  const isFull = view === 'full'
  return (
    <header
      className={cx(
        'flex h-10 shrink-0 items-center gap-0.5 border-line border-b bg-sunken pr-1.5 pl-3 touch:h-12',
        view === 'minimised' && 'border-b-0',
      )}
    >
      {view === 'minimised' ? (
        <button
          type="button"
          onClick={() => showWindow(one.id, 'docked')}
          className="min-w-0 flex-1 truncate text-left font-medium text-sm"
        >
          {title}
        </button>
      ) : (
        <h2 className="min-w-0 flex-1 truncate font-medium text-sm">{title}</h2>
      )}
      {view === 'inline' ? (
        <IconButton
          size="sm"
          label="Pop out"
          icon={<SquareArrowOutUpRight />}
          onClick={() => showWindow(one.id, 'docked')}
        />
      ) : view === 'minimised' ? (
        <IconButton size="sm" label="Open" icon={<ChevronUp />} onClick={() => showWindow(one.id, 'docked')} />
      ) : (
        <IconButton size="sm" label="Minimize" icon={<Minus />} onClick={() => showWindow(one.id, 'minimised')} />
      )}
      {isPhone || view === 'minimised' ? null : (
        <IconButton
          size="sm"
          label={isFull ? 'Exit full screen' : 'Full screen'}
          icon={isFull ? <Minimize2 /> : <Maximize2 />}
          onClick={() => showWindow(one.id, isFull ? 'docked' : 'full')}
        />
      )}
      <IconButton size="sm" label="Save and close" icon={<X />} onClick={() => closeWindow(one.id)} />
    </header>
  )
}

const Loading = () => (
  <div role="status" className="flex min-h-0 flex-1 items-center justify-center text-faint">
    <Spinner />
    <span className="sr-only">Loading</span>
  </div>
)

const DropHint = () => (
  <div className="pointer-events-none absolute inset-1.5 flex items-center justify-center gap-2 rounded-lg border-2 border-accent border-dashed bg-accent-soft font-medium text-accent-ink">
    <Paperclip aria-hidden className="size-4" />
    Drop to attach
  </div>
)

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** Files that are dropped on the window are attached. The text takes pictures itself. */
const useFileDrop = (id: string) => {
  const [isOver, setOver] = useState(false)
  const events = {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      const to = event.relatedTarget
      if (!(to instanceof Node) || !event.currentTarget.contains(to)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      addFiles(id, [...event.dataTransfer.files])
    },
  }
  return { isOver, events }
}

/** A window that was small is opened to go on writing. */
const useFocusWhenOpened = (root: { current: HTMLElement | null }, isOpen: boolean): void => {
  const before = useRef(isOpen)
  useEffect(() => {
    if (isOpen && !before.current) root.current?.querySelector<HTMLElement>('.mail-text, textarea')?.focus()
    before.current = isOpen
  }, [root, isOpen])
}

/** An answer below a long message is scrolled to. */
const useInSight = (root: { current: HTMLElement | null }, isInline: boolean): void => {
  useEffect(() => {
    if (isInline) root.current?.scrollIntoView({ block: 'nearest' })
  }, [root, isInline])
}

/** A message cannot be edited while it is sent; if sending fails, the focus returns to the window. */
const useFocusAfterSending = (root: { current: HTMLElement | null }, isSending: boolean): void => {
  const before = useRef(isSending)
  useEffect(() => {
    if (!isSending && before.current && document.activeElement === document.body) root.current?.focus()
    before.current = isSending
  }, [root, isSending])
}

/** The focus goes back to where it was before the window opened. */
const useFocusBack = (root: { current: HTMLElement | null }): void => {
  useEffect(() => {
    const element = root.current
    const before = document.activeElement
    return () => {
      const isInside = element?.contains(document.activeElement) || document.activeElement === document.body
      if (isInside && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [root])
}
