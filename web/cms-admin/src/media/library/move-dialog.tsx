import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useEffect, useEffectEvent } from 'react'
import { FolderInput } from '../folder-input.tsx'
import { type MediaFolder, type MediaRecord, updateMedia } from '../queries.ts'
import { BulkProgress, OthersNotice, useBulkRun } from './bulk-run.tsx'

type MoveDialogProps = {
  files: readonly MediaRecord[]
  others: number
  folders: readonly MediaFolder[]
  /** The folder they were dropped on: the dialog asks nothing more. */
  to: string | undefined
  onClose: () => void
  onDone: () => void
}

/** Moves files to a folder, which is made by it. */
export const MoveDialog = ({ files, others, folders, to, onClose, onDone }: MoveDialogProps) => {
  const { state, start, cancel } = useBulkRun()
  const move = async (folder: string) => {
    // The folder alone is sent: whatever else someone changed in the meantime stays
    const result = await start(
      files.filter((media) => media.folder !== folder),
      (media) => updateMedia(media.id, { folder }, 'any'),
    )
    onDone()
    if (result.failed.length > 0) return
    toast({ tone: 'success', title: movedTitle(result.done, folder), ...undo(result.done, files) })
    onClose()
  }
  const dropped = useEffectEvent((folder: string) => {
    if (files.length === 0) onClose()
    else void move(folder)
  })
  useEffect(() => {
    if (to !== undefined) dropped(to)
  }, [to])
  if (state.step !== 'idle')
    return <BulkProgress label="Moving files" done="moved" state={state} onCancel={cancel} onClose={onClose} />
  return to === undefined ? (
    <AskFolder files={files} others={others} folders={folders} onMove={move} onClose={onClose} />
  ) : null
}

type AskFolderProps = Pick<MoveDialogProps, 'files' | 'others' | 'folders' | 'onClose'> & {
  onMove: (folder: string) => Promise<void>
}

const AskFolder = ({ files, others, folders, onMove, onClose }: AskFolderProps) => {
  const form = useForm({
    initial: { folder: commonFolder(files) },
    onSubmit: async ({ folder }) => {
      await onMove(folder.trim())
      return undefined
    },
  })
  return (
    <FormDialog
      title={`Move ${formatCount(files.length, 'file', 'files')}`}
      form={form}
      submitLabel="Move"
      onClose={onClose}
    >
      <OthersNotice others={others} />
      <Field
        label="Folder"
        optional
        help="Enter a new name to create a folder, or a path such as “press/2026”. Leave empty for no folder."
        error={form.errors.folder}
      >
        <FolderInput {...form.text('folder')} folders={folders} />
      </Field>
    </FormDialog>
  )
}

const commonFolder = (files: readonly MediaRecord[]): string => {
  const [only, ...more] = new Set(files.map(({ folder }) => folder))
  return more.length === 0 ? (only ?? '') : ''
}

const movedTitle = (count: number, folder: string): string => {
  const files = formatCount(count, 'file', 'files')
  return folder === '' ? `${files} moved out of the folder` : `${files} moved to “${folder}”`
}

const undo = (count: number, files: readonly MediaRecord[]) =>
  count === 0
    ? {}
    : {
        action: {
          label: 'Undo',
          onAction: () => void undoMove(files),
        },
      }

const undoMove = async (files: readonly MediaRecord[]): Promise<void> => {
  const results = await Promise.allSettled(files.map(({ id, folder }) => updateMedia(id, { folder }, 'any')))
  const failed = results.filter(({ status }) => status === 'rejected').length
  if (failed > 0) toast({ tone: 'danger', title: `Couldn't move ${formatCount(failed, 'file', 'files')} back` })
}
