import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type MediaRecord, mediaKey } from '../queries.ts'
import { type BulkResult, runBulk } from './bulk.ts'

type BulkState =
  | { step: 'idle' }
  | { step: 'running'; ended: number; total: number }
  | { step: 'ended'; result: BulkResult<MediaRecord> }

/** Runs one action over files, can be stopped, and refreshes what shows them. */
export const useBulkRun = () => {
  const queryClient = useQueryClient()
  const [state, setState] = useState<BulkState>({ step: 'idle' })
  const stop = useRef<AbortController>(undefined)
  const start = async (files: readonly MediaRecord[], action: (media: MediaRecord) => Promise<unknown>) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    setState({ step: 'running', ended: 0, total: files.length })
    const onProgress = (ended: number) => setState({ step: 'running', ended, total: files.length })
    const result = await runBulk(files, { action, onProgress, signal })
    await queryClient.invalidateQueries({ queryKey: mediaKey })
    setState({ step: 'ended', result })
    return result
  }
  return { state, start, cancel: () => stop.current?.abort() }
}

type BulkProgressProps = {
  /** The action under way: "Moving files". */
  label: string
  /** The past participle of the action: "moved". */
  done: string
  state: Exclude<BulkState, { step: 'idle' }>
  onCancel: () => void
  onClose: () => void
}

/** How far it is, and in the end what did not work. */
export const BulkProgress = ({ label, done, state, onCancel, onClose }: BulkProgressProps) =>
  state.step === 'running' ? (
    <Dialog open onOpenChange={() => undefined} dismissible={false} size="sm" title={label}>
      <Progress label={label} done={state.ended} total={state.total} unit="files" onCancel={onCancel} />
    </Dialog>
  ) : (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${state.result.done} ${done}, ${state.result.failed.length} failed`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {state.result.cancelled > 0 ? <Notice>{state.result.cancelled} were skipped.</Notice> : null}
        <ul aria-label="Failed" className="divide-y divide-line">
          {state.result.failed.map(({ item, problem }) => (
            <li key={item.id} className="flex flex-col py-2">
              <span className="break-all font-medium text-ink">{item.filename}</span>
              <span className="text-danger-ink text-xs">{problem}</span>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )

/** Tells an author that some of the selected files belong to others. */
export const OthersNotice = ({ others }: { others: number }) =>
  others === 0 ? null : (
    <Notice tone="warning">
      {others === 1 ? '1 of the files was' : `${others} of the files were`} uploaded by others and skipped.
    </Notice>
  )
