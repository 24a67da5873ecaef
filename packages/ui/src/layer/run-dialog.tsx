import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Notice } from '../feedback/notice.tsx'
import { Progress } from '../feedback/progress.tsx'
import { type RunResult, runEach } from '../request/run-each.ts'
import { Dialog } from './dialog.tsx'

type RunDialogProps<T> = {
  /** Names the action and the things: `Delete 12 suppressions?` */
  title: ReactNode
  /** What will happen, and whether it can be undone. */
  consequence: ReactNode
  confirmLabel: string
  tone?: 'danger' | 'primary'
  items: readonly T[]
  /** What is counted: "events". */
  unit: string
  action: (item: T) => Promise<unknown>
  /** Names one that could not be done. */
  nameOf: (item: T) => string
  /** When it is over, also when it was canceled half-way. */
  onSettled: (result: RunResult<T>) => void
  onClose: () => void
}

// More would not be read; the count says how many there are
const SHOWN_FAILURES = 5

/** Asks, does the same with many things, and says how far it is. It closes by itself when everything worked. */
export const RunDialog = <T,>(props: RunDialogProps<T>) => {
  const { title, consequence, confirmLabel, tone = 'danger', items, unit, onClose } = props
  const cancel = useRef<HTMLButtonElement>(null)
  const { settled, result, running, start, stop } = useRun(props)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      role="alertdialog"
      size="sm"
      dismissible={!running}
      title={title}
      description={consequence}
      initialFocus={cancel}
      footer={
        result ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            <Button ref={cancel} onClick={running ? stop : onClose}>
              Cancel
            </Button>
            <Button variant={tone} loading={running} onClick={start}>
              {confirmLabel}
            </Button>
          </>
        )
      }
    >
      {running ? (
        <Progress label="Working" done={settled} total={items.length} unit={unit} />
      ) : result ? (
        <Outcome {...props} result={result} />
      ) : undefined}
    </Dialog>
  )
}

const useRun = <T,>({ items, action, onSettled, onClose }: RunDialogProps<T>) => {
  const [running, setRunning] = useState(false)
  const [settled, setSettled] = useState(0)
  const [result, setResult] = useState<RunResult<T>>()
  const stopper = useRef<AbortController>(undefined)
  // Leaving the screen stops it as well
  useEffect(() => () => stopper.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    stopper.current = controller
    setRunning(true)
    const ended = await runEach(items, action, { signal: controller.signal, onProgress: setSettled })
    setRunning(false)
    onSettled(ended)
    if (ended.failed.length > 0 || ended.cancelled) setResult(ended)
    else onClose()
  }
  return { running, settled, result, start: () => void start(), stop: () => stopper.current?.abort() }
}

const Outcome = <T,>({ items, unit, nameOf, result }: RunDialogProps<T> & { result: RunResult<T> }) => (
  <Notice
    tone={result.failed.length > 0 ? 'danger' : 'warning'}
    title={`${result.done} of ${items.length} ${unit} done${result.cancelled ? ', then canceled' : ''}`}
  >
    <ul>
      {result.failed.slice(0, SHOWN_FAILURES).map(({ item, message }) => (
        <li key={nameOf(item)} className="break-words">
          {nameOf(item)}: {message}
        </li>
      ))}
    </ul>
    {result.failed.length > SHOWN_FAILURES ? <p>And {result.failed.length - SHOWN_FAILURES} more.</p> : null}
  </Notice>
)
