import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from '../button/button.tsx'
import { Progress } from './progress.tsx'
import { type ToastRecord, toasts } from './toast-store.ts'

/** Where toasts appear; rendered once by the app. */
export const Toaster = () => {
  const list = useSyncExternalStore(toasts.subscribe, toasts.list)
  const [paused, setPaused] = useState(false)
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      data-toaster
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="layer-toast pointer-events-none fixed right-0 bottom-0 flex w-full max-w-toast flex-col gap-2 p-4"
    >
      {list.map((record) => (
        <ToastCard key={record.id} record={record} paused={paused} />
      ))}
    </section>
  )
}

const ToastCard = ({ record, paused }: { record: ToastRecord; paused: boolean }) => {
  const { id, title, description, tone, action, durationMs, progress, countdown } = record
  useCountdown(durationMs, paused, () => toasts.close(id))
  return (
    <div className="pointer-events-auto flex animate-toast-in items-start gap-2.5 rounded-lg border border-line bg-raised py-2.5 pr-2 pl-3 text-sm shadow-md">
      {countdown ? <CountdownRing {...countdown} /> : <ToneIcon tone={tone} />}
      <div className="min-w-0 flex-1 py-0.5">
        {countdown ? (
          <CountdownTitle countdown={countdown} onEnd={() => endCountdown(id, countdown.done)} />
        ) : progress === undefined ? (
          <p className="font-medium text-ink">{title}</p>
        ) : (
          // Only its beginning and its end are worth saying
          <div aria-live="off">
            <Progress label={title} {...progress} />
          </div>
        )}
        {description === undefined ? null : <p className="text-muted">{description}</p>}
      </div>
      {action === undefined ? null : (
        <Button
          size="sm"
          onClick={() => {
            action.onAction()
            toasts.close(id)
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton size="sm" label="Dismiss" icon={<X />} onClick={() => toasts.close(id)} />
    </div>
  )
}

type Countdown = NonNullable<ToastRecord['countdown']>

const endCountdown = (id: number, done: string): void => {
  toasts.close(id)
  toasts.show({ tone: 'success', title: done })
}

const TICK_MS = 250

/** The remaining milliseconds; pointing at the toast does not pause them. */
const useTimeLeft = (until: number): number => {
  const [left, setLeft] = useState(() => Math.max(0, until - Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, until - Date.now())), TICK_MS)
    return () => clearInterval(timer)
  }, [until])
  return left
}

const CountdownTitle = ({ countdown, onEnd }: { countdown: Countdown; onEnd: () => void }) => {
  const left = useTimeLeft(countdown.until)
  const end = useEffectEvent(onEnd)
  const isOver = left === 0
  useEffect(() => {
    if (isOver) end()
  }, [isOver])
  return (
    // Screen readers announce it once, not every second
    <p className="font-medium text-ink tabular-nums" aria-live="off">
      {countdown.words(Math.ceil(left / 1000))}
    </p>
  )
}

const CountdownRing = ({ from, until }: Countdown) => {
  const share = useTimeLeft(until) / Math.max(1, until - from)
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="-rotate-90 mt-1 size-4 shrink-0 fill-none text-accent">
      <circle cx="8" cy="8" r="6.5" strokeWidth="2" className="stroke-line-strong" />
      <circle
        cx="8"
        cy="8"
        r="6.5"
        strokeWidth="2"
        pathLength={1}
        strokeDasharray="1"
        strokeDashoffset={1 - Math.min(1, share)}
        className="stroke-current transition-[stroke-dashoffset] duration-250 ease-linear motion-reduce:transition-none"
      />
    </svg>
  )
}

const ToneIcon = ({ tone }: { tone: ToastRecord['tone'] }) => {
  if (tone === 'neutral') return null
  const Icon = tone === 'success' ? CircleCheck : CircleAlert
  return (
    <Icon
      aria-hidden
      className={`mt-1 size-4 shrink-0 ${tone === 'success' ? 'text-live-mark' : 'text-failed-mark'}`}
    />
  )
}

/** Runs once after the time has passed; the time stands still while a toast is pointed at or focused. */
const useCountdown = (durationMs: number | null, paused: boolean, onEnd: () => void): void => {
  const left = useRef(durationMs)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (left.current === null || paused) return
    const startedAt = Date.now()
    const timer = setTimeout(() => end(), left.current)
    return () => {
      clearTimeout(timer)
      if (left.current !== null) left.current -= Date.now() - startedAt
    }
  }, [paused])
}
