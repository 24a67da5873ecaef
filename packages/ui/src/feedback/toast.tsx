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
  const { id, title, description, tone, action, durationMs, progress } = record
  useCountdown(durationMs, paused, () => toasts.close(id))
  return (
    <div className="pointer-events-auto flex animate-toast-in items-start gap-2.5 rounded-lg border border-line bg-raised py-2.5 pr-2 pl-3 text-sm shadow-md">
      <ToneIcon tone={tone} />
      <div className="min-w-0 flex-1 py-0.5">
        {progress === undefined ? (
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
