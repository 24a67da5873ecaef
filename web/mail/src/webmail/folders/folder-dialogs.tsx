import type { Folder } from '@stoa/mail-model/folders.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { hasName } from '../../api.ts'
import { useMessageActions } from '../actions/use-message-actions.ts'
import { folderName, folderPath } from '../places.ts'
import { foldersQuery } from '../queries.ts'
import { possibleParents } from './folder-tree.ts'
import { createFolder, deleteFolder, updateFolder } from './queries.ts'

/** The open dialog about a folder. */
export type FolderQuestion =
  | { kind: 'new'; parent?: Folder | undefined }
  | { kind: 'edit'; folder: Folder }
  | { kind: 'delete'; folder: Folder }
  | { kind: 'empty'; folder: Folder }

type FolderDialogsProps = {
  question: FolderQuestion
  folders: readonly Folder[]
  onClose: () => void
  onMade: (folder: Folder) => void
  /** Called before a folder is deleted, to leave its screen. */
  onLeave: (folder: Folder) => Promise<void>
}

export const FolderDialogs = ({ question, folders, onClose, onMade, onLeave }: FolderDialogsProps) => {
  switch (question.kind) {
    case 'new':
      return <FolderForm folders={folders} parent={question.parent} onClose={onClose} onSaved={onMade} />
    case 'edit':
      return <FolderForm folders={folders} folder={question.folder} onClose={onClose} onSaved={() => undefined} />
    case 'delete':
      return <DeleteFolder folder={question.folder} folders={folders} onClose={onClose} onLeave={onLeave} />
    case 'empty':
      return <EmptyFolder folder={question.folder} onClose={onClose} />
  }
}

type FolderFormProps = {
  folders: readonly Folder[]
  folder?: Folder
  parent?: Folder | undefined
  onClose: () => void
  onSaved: (folder: Folder) => void
}

const FolderForm = ({ folders, folder, parent, onClose, onSaved }: FolderFormProps) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { name: folder?.name ?? '', parent_id: folder ? (folder.parent_id ?? '') : (parent?.id ?? '') },
    validate: ({ name }) => problemOf(name),
    guard: false,
    onSubmit: async ({ name, parent_id: parentId }) => {
      const body = { name: name.trim(), parent_id: parentId === '' ? null : parentId }
      const saved = await kindly(folder ? updateFolder(folder.id, changesOf(folder, body)) : createFolder(body))
      await queryClient.invalidateQueries(foldersQuery)
      onClose()
      onSaved(saved)
      return undefined
    },
  })
  const places = possibleParents(folders, folder).map((each) => ({
    value: each.id,
    label: folderPath(each),
  }))
  return (
    <FormDialog
      title={folder ? `Edit “${folderName(folder)}”` : 'New folder'}
      size="sm"
      form={form}
      submitLabel={folder ? 'Save' : 'Create folder'}
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" maxLength={255} />
      </Field>
      <Field label="Parent folder" error={form.errors.parent_id}>
        <Select {...form.choice('parent_id')} options={[{ value: '', label: 'Top level' }, ...places]} />
      </Field>
    </FormDialog>
  )
}

const problemOf = (name: string): { name?: string } => {
  if (name.trim() === '') return { name: 'Enter a name.' }
  return name.includes('/') ? { name: "Names can't contain a slash. Choose a parent folder below." } : {}
}

const changesOf = (folder: Folder, body: { name: string; parent_id: string | null }) => ({
  ...(body.name !== folder.name && { name: body.name }),
  ...(body.parent_id !== folder.parent_id && { parent_id: body.parent_id }),
})

/** The service names no member in its refusals of folders: the name is what can be changed. */
const kindly = async <T,>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (hasName(error, 'conflict')) throw blame('A folder with this name already exists.', error)
    if (hasName(error, 'forbidden')) throw blame("This folder can't be changed.", error)
    throw error
  }
}

const blame = (message: string, cause: unknown): ProblemError =>
  new ProblemError(message, [{ key: 'name', message }], { cause })

type DeleteFolderProps = Pick<FolderDialogsProps, 'folders' | 'onClose' | 'onLeave'> & { folder: Folder }

const NOT_EMPTY = 'This folder contains other folders. Move or delete them first.'

const DeleteFolder = ({ folder, folders, onClose, onLeave }: DeleteFolderProps) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete the folder “${folderName(folder)}”?`}
      consequence={
        folder.total === 0
          ? 'The folder is empty. Filters that move mail here will stop working.'
          : `${formatCount(folder.total, 'message moves', 'messages move')} to Trash. Filters that move mail here will stop working.`
      }
      confirmLabel="Delete folder"
      onConfirm={async () => {
        if (folders.some(({ parent_id }) => parent_id === folder.id)) throw new ProblemError(NOT_EMPTY)
        await onLeave(folder)
        try {
          await deleteFolder(folder.id)
        } catch (error) {
          if (hasName(error, 'conflict')) throw new ProblemError(NOT_EMPTY, [], { cause: error })
          throw error
        }
        toast({ title: `${folderName(folder)} deleted` })
        void queryClient.invalidateQueries({ queryKey: ['webmail', 'messages'] })
        await queryClient.invalidateQueries(foldersQuery)
      }}
    />
  )
}

const EmptyFolder = ({ folder, onClose }: { folder: Folder; onClose: () => void }) => {
  const actions = useMessageActions()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Empty ${folderName(folder)}?`}
      consequence={`${formatCount(folder.total, 'message is', 'messages are')} deleted. You can restore deleted messages for 30 days in Settings.`}
      confirmLabel="Delete permanently"
      onConfirm={() => void actions.deleteForever({ query: { folder_id: folder.id }, total: folder.total })}
    />
  )
}
