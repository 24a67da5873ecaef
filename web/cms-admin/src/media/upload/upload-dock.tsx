import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { formatBytes, formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useLocation } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, CircleAlert, CircleCheck, CircleSlash, RotateCw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isRunning, summaryOf, type UploadItem, type UploadQueue, type UploadSummary } from './upload-queue.ts'
import { uploads } from './uploads.ts'

/** More rows would only cost: what runs and what failed comes first. */
const MAX_ROWS = 100

/** Long enough to be seen; what failed stays until someone has read it. */
const GONE_AFTER_MS = 10_000

/** How the uploads go, with cancel and retry. One line beside the navigation, the files on demand. */
export const UploadDock = ({ queue }: { queue: UploadQueue }) => {
  const inLibrary = useLocation().pathname === '/media'
  const [wanted, setWanted] = useState<boolean>()
  // Elsewhere it would cover what people work on
  const open = wanted ?? inLibrary
  const summary = summaryOf(queue)
  useGoAway(!open && summary.done === summary.total)
  const retryable = queue.filter(({ status, retryable: can }) => status === 'failed' && can).length
  return (
    <section
      aria-label="Uploads"
      className={cx(
        'layer-bar fixed flex flex-col overflow-clip rounded-xl border border-line bg-raised shadow-md phone:inset-x-2 phone:top-14 desk:bottom-17 desk:left-3',
        open ? 'desk:w-88' : 'desk:w-54',
      )}
    >
      <header className="flex items-center gap-2 py-2 pr-2 pl-4">
        <h2 role="status" className="min-w-0 flex-1 truncate font-medium text-ink text-sm tabular-nums">
          {titleOf(summary)}
        </h2>
        {open && retryable > 1 ? (
          <Button size="sm" variant="ghost" icon={<RotateCw />} onClick={uploads.retryAll}>
            Retry {retryable}
          </Button>
        ) : null}
        {open && summary.running > 1 ? (
          <Button size="sm" variant="ghost" onClick={uploads.cancelAll}>
            Cancel all
          </Button>
        ) : null}
        <IconButton
          size="sm"
          label={open ? 'Hide files' : 'Show files'}
          icon={open ? <ChevronDown /> : <ChevronUp />}
          aria-expanded={open}
          onClick={() => setWanted(!open)}
        />
        {summary.running > 0 ? null : (
          <IconButton size="sm" label="Close uploads" icon={<X />} onClick={uploads.clear} />
        )}
      </header>
      {summary.running > 0 ? <Bar label="All files" share={summary.share} /> : null}
      {open ? <Rows queue={queue} /> : null}
    </section>
  )
}

const useGoAway = (isOver: boolean): void => {
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(uploads.clear, GONE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isOver])
}

const titleOf = ({ total, done, failed, cancelled, running }: UploadSummary): string => {
  if (running > 0) return `Uploading: ${total - running} of ${total}`
  const parts = [
    ...(done > 0 ? [`${formatCount(done, 'file', 'files')} uploaded`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} canceled`] : []),
  ]
  return parts.join(', ')
}

const Bar = ({ label, share, className }: { label: string; share: number; className?: string }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(share * 100)}
    className={cx('h-1 overflow-hidden bg-pressed', className)}
  >
    <div className="h-full bg-accent transition-[width]" style={{ width: `${share * 100}%` }} />
  </div>
)

const ORDER = { sending: 0, failed: 1, waiting: 2, cancelled: 3, done: 4 } as const

const Rows = ({ queue }: { queue: UploadQueue }) => {
  const sorted = queue.toSorted((a, b) => ORDER[a.status] - ORDER[b.status] || a.id - b.id)
  const hidden = sorted.length - MAX_ROWS
  return (
    // Reached by the keyboard, so that it can be scrolled
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable (WCAG 2.1.1)
    <ul tabIndex={0} aria-label="Files" className="max-h-64 divide-y divide-line overflow-y-auto border-line border-t">
      {sorted.slice(0, MAX_ROWS).map((item) => (
        <Row key={item.id} item={item} />
      ))}
      {hidden > 0 ? <li className="px-4 py-2 text-faint text-xs">and {hidden} more</li> : null}
    </ul>
  )
}

const Row = ({ item }: { item: UploadItem }) => (
  <li className="flex min-w-0 items-center gap-2.5 py-2 pr-2 pl-4">
    <StateIcon status={item.status} />
    <div className="flex min-w-0 flex-1 flex-col gap-0.5">
      <span className="truncate text-ink text-sm">
        {item.media ? (
          <AppLink to={`/media?id=${item.media.id}`} className="rounded-xs hover:underline">
            {item.media.filename}
          </AppLink>
        ) : (
          item.name
        )}
      </span>
      {item.status === 'sending' ? (
        <Bar label={item.name} share={item.share} className="my-1 rounded-full" />
      ) : (
        <span className={cx('text-xs', item.status === 'failed' ? 'text-danger-ink' : 'text-faint')}>
          {noteOf(item)}
        </span>
      )}
    </div>
    {isRunning(item) ? (
      <IconButton size="sm" label={`Cancel ${item.name}`} icon={<X />} onClick={() => uploads.cancel(item.id)} />
    ) : null}
    {item.status === 'cancelled' || (item.status === 'failed' && item.retryable) ? (
      <IconButton size="sm" label={`Retry ${item.name}`} icon={<RotateCw />} onClick={() => uploads.retry(item.id)} />
    ) : null}
  </li>
)

const noteOf = ({ status, problem, size, folder }: UploadItem): string => {
  if (status === 'failed') return problem ?? 'Failed'
  if (status === 'waiting') return `Waiting · ${formatBytes(size)}`
  if (status === 'cancelled') return 'Canceled'
  return folder === '' ? formatBytes(size) : `${formatBytes(size)} · ${folder}`
}

const StateIcon = ({ status }: Pick<UploadItem, 'status'>) => {
  const className = 'size-4 shrink-0'
  if (status === 'done') return <CircleCheck aria-hidden className={cx(className, 'text-live-mark')} />
  if (status === 'failed') return <CircleAlert aria-hidden className={cx(className, 'text-failed-mark')} />
  return <CircleSlash aria-hidden className={cx(className, status === 'cancelled' ? 'text-faint' : 'invisible')} />
}
