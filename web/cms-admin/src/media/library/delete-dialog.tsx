import { Button } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useRef } from 'react'
import { MediaThumb } from '../media-thumb.tsx'
import { deleteMedia, type MediaRecord } from '../queries.ts'
import { BulkProgress, OthersNotice, useBulkRun } from './bulk-run.tsx'

type DeleteDialogProps = {
  files: readonly MediaRecord[]
  others: number
  onClose: () => void
  onDone: () => void
}

/** More would not be read. */
const MAX_NAMED = 6

/** Deletes files after saying which of them are used. */
export const DeleteDialog = ({ files, others, onClose, onDone }: DeleteDialogProps) => {
  const cancelButton = useRef<HTMLButtonElement>(null)
  const { state, start, cancel } = useBulkRun()
  const used = files.filter(({ usage }) => usage.count > 0)
  const remove = async (wanted: readonly MediaRecord[]) => {
    // The service refuses files that came into use after they were counted here
    const result = await start(wanted, ({ id, usage }) => deleteMedia(id, { version: 'any', force: usage.count > 0 }))
    onDone()
    if (result.failed.length > 0) return
    toast({ tone: 'success', title: `${formatCount(result.done, 'file', 'files')} deleted` })
    onClose()
  }
  if (state.step !== 'idle')
    return <BulkProgress label="Deleting files" done="deleted" state={state} onCancel={cancel} onClose={onClose} />
  const unused = files.filter(({ usage }) => usage.count === 0)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      role="alertdialog"
      title={`Delete ${formatCount(files.length, 'file', 'files')}?`}
      description={used.length === 0 ? "None of them is used. This can't be undone." : usedWords(used)}
      initialFocus={cancelButton}
      footer={
        <>
          <Button ref={cancelButton} onClick={onClose}>
            Cancel
          </Button>
          {used.length > 0 && unused.length > 0 ? (
            <Button variant="danger-quiet" onClick={() => void remove(unused)}>
              Only the {unused.length} unused
            </Button>
          ) : null}
          <Button variant="danger" disabled={files.length === 0} onClick={() => void remove(files)}>
            Delete {formatCount(files.length, 'file', 'files')}
          </Button>
        </>
      }
    >
      <OthersNotice others={others} />
      <NamedFiles files={used.length > 0 ? used : files} />
    </Dialog>
  )
}

const usedWords = (used: readonly MediaRecord[]): string => {
  const places = used.reduce((sum, { usage }) => sum + usage.count, 0)
  const [are, they] = used.length === 1 ? ['is', 'it'] : ['are', 'they']
  return `${used.length} of them ${are} used in ${formatCount(places, 'place', 'places')}, where ${they} will be missing. This can't be undone.`
}

const NamedFiles = ({ files }: { files: readonly MediaRecord[] }) => (
  <ul className="flex flex-col gap-2">
    {files.slice(0, MAX_NAMED).map((media) => (
      <li key={media.id} className="flex min-w-0 items-center gap-3">
        <MediaThumb media={media} size="sm" />
        <span className="min-w-0 flex-1 truncate text-ink">{media.filename}</span>
        {media.usage.count > 0 ? (
          <span className="shrink-0 text-draft-ink text-xs">{formatCount(media.usage.count, 'use', 'uses')}</span>
        ) : null}
      </li>
    ))}
    {files.length > MAX_NAMED ? <li className="text-faint">and {files.length - MAX_NAMED} more</li> : null}
  </ul>
)
